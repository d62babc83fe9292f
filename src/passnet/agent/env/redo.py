"""Does a recorded step again, to continue an episode: edits are made, and measurements are taken from the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passnet.agent.env.files import files_hash
from passnet.agent.env.tools import DECLARED, Effect
from passnet.agent.record.names import ExitReason
from passnet.agent.record.records import EpisodeRecord, EpisodeStep, Message
from passnet.errors import UsageError

if TYPE_CHECKING:
    from passnet.agent.env.env import PassEnv


def redo(env: PassEnv, record: EpisodeRecord) -> None:
    """Bring an environment to its state after a record.

    Raises UsageError when the files are not the recorded ones.
    """
    state = env.state
    if isinstance(record, Message | EpisodeStep):
        state.used = record.used
    if not isinstance(record, EpisodeStep):
        return
    seen, tool = record.observation, DECLARED.get(record.tool)
    effect = tool.effect if tool is not None else None
    if tool is not None and effect is Effect.EDITS and seen.ok:
        tool.function(env, **record.arguments)
    if seen.evaluation is not None:
        whole = len(seen.evaluation.graphs) == len(env.task.graphs)
        state.remember(seen.evaluation, record.number, every_variant=whole)
    if effect is Effect.ENDS and seen.done and record.arguments.get("step"):
        state.choose(record.arguments["step"])
    if seen.done:
        limit = state.used.exhausted(state.budget) or ExitReason.AUTHOR_STOPPED
        state.stop(ExitReason.SUBMITTED if effect is Effect.ENDS else limit)
    if files_hash(env.files()) != record.files_hash and not env.done:
        raise UsageError(f"the records do not fit: other files after step {record.number}", path=state.directory)
