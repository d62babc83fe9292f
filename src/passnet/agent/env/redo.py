"""Does a recorded episode again in memory: edits are made, and measurements are taken from the records.

So records that were changed, or of which some are missing, are noticed before anything follows from them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, TypeAdapter, ValidationError

from passnet.agent.env.files import FileError, PassFolder, files_hash
from passnet.agent.env.state import EpisodeState
from passnet.agent.env.tools import DECLARED, BadArguments, Effect
from passnet.agent.record.budget import Budget
from passnet.agent.record.figures import EvaluationReport
from passnet.agent.record.journal import EPISODE
from passnet.agent.record.names import ExitReason
from passnet.agent.record.records import End, EpisodeRecord, EpisodeStep, Message, Resume, Start
from passnet.agent.workbench.variants import task_hash
from passnet.errors import UsageError, shortened, shown
from passnet.graph.targets import Target
from passnet.score import ScoreError, score_results


class _CalledFunction(BaseModel):
    name: object
    arguments: object


class _ModelCall(BaseModel):
    """What a model author reads of a call in an endpoint's answer."""

    id: str
    function: _CalledFunction


_CALLS: TypeAdapter[list[_ModelCall]] = TypeAdapter(list[_ModelCall])
# Scores are means of logarithms, and a sum may round otherwise on another machine.
_ROUNDING = 1e-9


@dataclass
class _Misfit(Exception):
    """A record that does not follow from those before it."""

    what: str
    expected: object
    found: object


def redo_all(state: EpisodeState, records: Sequence[EpisodeRecord], task: Target, device: str) -> None:
    """Bring a state to the end of an episode on this task and device. Nothing is written.

    Raises UsageError with the line of the first record that does not follow from those before it.
    """
    start = records[0] if records else None
    if not isinstance(start, Start) or start.task_hash != task_hash(task) or start.device != device:
        found = None if not isinstance(start, Start) else shortened(f"{start.task} on {start.device}")
        raise UsageError(
            "the records are not of this task on this device", path=state.directory / EPISODE,
            expected=f"{task.name} as it is now, on {device}", found=found, hint="begin another run",
        )  # fmt: skip
    line, variants = 1, len(task.graphs)
    try:
        with state.restoring(records):
            for line, record in enumerate(records[1:], start=2):
                _redo(state, record, line, variants)
    except (_Misfit, FileError, BadArguments) as error:
        told = (
            error if isinstance(error, _Misfit) else _Misfit("the call cannot be made", "a call that was made", error)
        )
        raise UsageError(
            f"the records do not fit, line {line}: {told.what}",
            path=state.directory / EPISODE,
            expected=_words(told.expected),
            found=_words(told.found),
            hint="put the file back as it was written, or begin another run",
        ) from error


def _words(value: object) -> str:
    """A value of a record in a few words: whoever changed it may have made it long."""
    return "nothing" if value is None else shortened(str(value))


def state_after(records: Sequence[EpisodeRecord], directory: Path, task: Target, device: str) -> EpisodeState:
    """The state at the end of the episode of a directory, from its records alone. Errors as of `redo_all`."""
    state = EpisodeState(directory, Budget(), None, lambda: 0.0)
    redo_all(state, records, task, device)
    return state


def _redo(state: EpisodeState, record: EpisodeRecord, line: int, variants: int) -> None:
    if isinstance(record, EpisodeStep):
        _redo_step(state, record, variants)
    elif isinstance(record, Message):
        _redo_message(state, record)
    elif isinstance(record, Resume):
        _expect("records before this one", line - 1, record.resumed)
    elif isinstance(record, End):
        _check_end(state, record)


def _redo_message(state: EpisodeState, message: Message) -> None:
    tokens = message.usage.tokens if message.usage is not None else 0
    _expect("steps used", state.used.steps, message.used.steps)
    _expect("tokens used", state.used.tokens + tokens, message.used.tokens)
    try:
        _CALLS.validate_python(message.extra.get("calls", []))
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in ("extra", "calls", *problem["loc"]))
        raise _Misfit(where, problem["msg"], shown(problem["input"])) from None
    state.used = message.used


def _redo_step(state: EpisodeState, step: EpisodeStep, variants: int) -> None:
    seen, tool = step.observation, DECLARED.get(step.tool)
    effect = tool.effect if tool is not None and step.malformed is None and seen.ok else None
    arguments = tool.arguments(step.arguments) if tool is not None and effect is not None else {}
    _expect("number of the step", state.used.steps + 1, step.number)
    _expect("steps used", step.number, step.used.steps)
    _expect("evaluations used", state.used.evaluations + step.counted, step.used.evaluations)
    _expect("tool of the observation", step.tool, seen.tool)
    if effect is Effect.EDITS:
        _edit(state.folder, step.tool, arguments)
    if seen.evaluation is not None:
        _check_evaluation(state, seen.evaluation, seen.score, variants)
        whole = len(seen.evaluation.graphs) == variants
        files, quick = state.folder.contents(), arguments.get("quick") is True
        state.remember(seen.evaluation, step.number, files, every_variant=whole, quick=quick)
    if effect is Effect.ENDS and isinstance(chosen := arguments.get("step"), int) and chosen:
        state.choose(chosen)
    state.used = step.used
    reason = ExitReason.SUBMITTED if effect is Effect.ENDS else state.used.exhausted(state.budget)
    _expect("whether the episode is over", reason is not None, seen.done)
    _expect("hash of the files", files_hash(state.folder.contents()), step.files_hash)
    if reason is not None:
        state.stop(reason)


def _edit(folder: PassFolder, tool: str, arguments: Mapping[str, object]) -> None:
    path = str(arguments["path"])
    match tool:
        case "create":
            folder.write(path, str(arguments["text"]))
        case "str_replace":
            folder.replace(path, str(arguments["old"]), str(arguments["new"]))
        case "insert":
            line = arguments["line"]
            assert isinstance(line, int), "the arguments were checked"
            folder.insert(path, line, str(arguments["text"]))
        case "delete":
            folder.delete(path)
        case _:
            raise AssertionError(f"no edit is called {tool}")


def _check_evaluation(state: EpisodeState, found: EvaluationReport, score: float | None, variants: int) -> None:
    """A report must follow from its own figures and from the best before it."""
    _expect("score of its variants", _scored(found), found.score)
    _expect("score that counts", None if found.partial else found.score, score)
    if not found.partial:
        _expect("number of variants", variants, len(found.graphs))
    again = state.report(found, partial=found.partial)
    for name in ("best", "best_score", "best_step"):
        _expect(name, getattr(again, name), getattr(found, name))


def _scored(found: EvaluationReport) -> float | None:
    try:
        return score_results([row.result() for row in found.graphs]).aggregated
    except ScoreError:  # no variant counts
        return None


def _check_end(state: EpisodeState, end: End) -> None:
    best = state.best
    _expect("best_step", best.step if best is not None else None, end.best_step)
    _expect("best_score", best.score if best is not None else None, end.best_score)
    _expect("pass_set_hash", best.pass_set_hash if best is not None else None, end.pass_set_hash)
    _expect("score", end.best_score if end.confirmed is None else end.confirmed.score, end.score)


def _expect(what: str, expected: object, found: object) -> None:
    if isinstance(expected, float) and isinstance(found, float) and math.isclose(expected, found, rel_tol=_ROUNDING):
        return
    if expected != found:
        raise _Misfit(what, expected, found)
