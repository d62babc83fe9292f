"""One episode from its first record to its last. It is begun, continued, or found finished."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path

from passnet.agent.authors.base import Author, GivesUp, Unusable
from passnet.agent.env.env import EpisodeOver, PassEnv
from passnet.agent.record.budget import Budget
from passnet.agent.record.exports.atif import atif_document
from passnet.agent.record.exports.messages import messages_document
from passnet.agent.record.journal import Journal, end_of
from passnet.agent.record.names import ExitReason
from passnet.agent.record.records import End, EpisodeRecord, Final, steps_of
from passnet.agent.run.hand_over import RunStopped
from passnet.agent.run.request import RunPlan
from passnet.agent.workbench.protocol import Workbench
from passnet.agent.workbench.variants import names_of
from passnet.errors import InfrastructureError, PassNetError, UsageError
from passnet.logs import logger
from passnet.writing import is_unwritable_here, unwritable, write_atomic, write_json, writing

TRAJECTORY, MESSAGES, ERROR = "trajectory.json", "messages.jsonl", "error.txt"
_log = logger(__name__)
Watcher = Callable[[EpisodeRecord], None]


def play(
    plan: RunPlan,
    author: Author,
    workbench: Workbench,
    budget: Budget,
    files: Callable[[], Mapping[str, str]],
    *,
    confirm: bool,
    watch: Watcher,
    shared: bool = False,
) -> End:
    """Play an episode, or continue it. A finished episode is only read. `watch` sees every new record.

    `shared`: others edit the pass directory too, and the author records it.

    After an InfrastructureError, Unusable or an interruption, the episode stays open. Its records stay, and the caller
    stops.
    """
    with writing(plan.directory):
        plan.directory.mkdir(parents=True, exist_ok=True)
    journal = Journal(plan.directory)
    finished = end_of(journal.read())
    if finished is not None:
        return finished
    journal.mend()
    known = journal.read()

    def keep(record: EpisodeRecord) -> None:
        journal.append(record)
        watch(record)

    env = PassEnv(
        workbench,
        plan.directory,
        budget=budget,
        sink=keep,
        author=author.name,
        author_settings=author.settings(),
        attempt=plan.attempt,
        seed=plan.seed,
    )
    _enter(env, plan, journal, known, author, files, shared=shared)
    end = _closed(env, author, confirm=confirm)
    export(plan.directory, env.records, str(plan.directory.parents[2].name))
    return end


def _enter(
    env: PassEnv,
    plan: RunPlan,
    journal: Journal,
    known: list[EpisodeRecord],
    author: Author,
    files: Callable[[], Mapping[str, str]],
    *,
    shared: bool,
) -> None:
    """Begin a new episode, or continue the old one.

    It continues if the author can go on from the records, or if the episode is already over.
    """
    over = any(step.observation.done for step in steps_of(known))
    if known and (author.resumes or over):
        env.restore(plan.target, known, shared=shared)
        env.state.resume(len(known))
        return
    if known:
        journal.put_aside()
    env.reset(plan.target, files())


def _closed(env: PassEnv, author: Author, *, confirm: bool) -> End:
    """Let the author play, confirm its best pass set, and write the last record in every case."""
    try:
        reason, detail = _played(env, author)
        env.state.stop(reason)
        return env.state.close(reason, detail, confirmed(env) if confirm else None)
    except InfrastructureError as error:
        env.state.leave_open(ExitReason.INFRASTRUCTURE, str(error), _measured_once_more(env) if confirm else None)
        so_far = f"{env.task.name} stays open: {env.state.best_so_far()}; the command with its --run goes on"
        raise InfrastructureError(f"{error}; {so_far}") from error
    except (KeyboardInterrupt, RunStopped):
        env.state.leave_open(ExitReason.INTERRUPTED)
        raise


def _played(env: PassEnv, author: Author) -> tuple[ExitReason, str | None]:
    if env.state.exit_reason is not None:
        return env.state.exit_reason, None
    try:
        reason = author.play(env)
    except EpisodeOver as over:
        return over.reason, None
    except GivesUp as end:
        return end.reason, end.detail
    except (InfrastructureError, Unusable):
        raise
    except Exception as error:
        if isinstance(error, OSError) and is_unwritable_here(error):
            raise unwritable(error, error.filename or env.state.directory) from error
        write_atomic(env.state.directory / ERROR, "".join(traceback.format_exception(error)))
        _log.warning("the author failed on %s; see %s", env.task.name, env.state.directory / ERROR)
        return ExitReason.AUTHOR_ERROR, f"{type(error).__name__}: {error}"
    return env.state.exit_reason or reason or ExitReason.AUTHOR_STOPPED, None


def confirmed(env: PassEnv) -> Final | None:
    """The best set measured once more if it was chosen by its figures. None if there was no choice.

    It has no score where the machine could not tell this time. Raises InfrastructureError if it cannot be measured.
    The best of many figures is too high by chance, and so is a figure from before the episode.
    """
    if env.best is None or not env.state.was_chosen:
        return None
    try:
        with env.judged(env.best.files) as best:
            found = env.workbench.evaluate(best, names_of(best), quick=False, again=True)
    except UsageError as error:  # a measured set can be measured again
        raise InfrastructureError(f"the best pass set cannot be read any more: {error}") from error
    return Final(score=found.score, graphs=found.graphs)


def _measured_once_more(env: PassEnv) -> Final | None:
    """After the bench failed: the best set measured once more, if possible. It may be the last measurement."""
    if env.best is None:
        return None
    try:
        with env.judged(env.best.files) as best:
            found = env.workbench.evaluate(best, names_of(best), quick=False, again=True)
    except PassNetError as error:
        _log.warning("the best pass set of %s could not be measured once more: %s", env.task.name, error)
        return None
    return Final(score=found.score, graphs=found.graphs) if found.score is not None else None


def export(directory: Path, records: list[EpisodeRecord], session: str) -> None:
    """The episode in the forms of others, beside its own file."""
    write_json(directory / TRAJECTORY, atif_document(records, session))
    write_atomic(directory / MESSAGES, messages_line(records))


def messages_line(records: list[EpisodeRecord]) -> str:
    """The messages of an episode as the line of a file."""
    return json.dumps(messages_document(records)) + "\n"
