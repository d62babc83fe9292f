"""What a record of a graph says against itself. The bench writes no such record, so a person or another tool did.

Each rule is a row. No rule looks at what only a candidate's worker tells, nor at what a candidate decides by how fast
its calls are: a hostile one could make a whole run unreadable. Who writes a record by hand with care contradicts
nothing: these rules find mistakes, and prove nothing.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from passnet.authored import one_line
from passnet.bench.layers import LAYERS, open_doors
from passnet.bench.names import DEVICES, WITH_PASSES
from passnet.bench.record.records import GraphRecord, ProcessTiming, Timing, centre_of
from passnet.errors import UsageError
from passnet.score import Outcome
from passnet.score.tolerances import T_RANGE_EXTENDED

# Figures are written with all of their digits. What is further apart than this was not computed from the other.
_APART: Final = 1e-6
# Seconds that comparing the outputs of one call takes at least. Stored runs compare at most 57 calls a second.
_COMPARING_S: Final = 1e-5
# Blocks are of three quarters of the calls at least, and half of these take as long as the median.
_SURELY_TIMED: Final = 0.25
# Figures that only a GPU has.
_OF_GPUS: Final = (
    "gpu_speedup", "eager_gpu_us", "compiled_gpu_us", "captured_speedup", "busy_speedup", "eager_busy_us",
    "compiled_busy_us", "launch_us", "not_captured",
)  # fmt: skip
_QUOTIENTS: Final = (
    ("gpu_speedup", "eager_gpu_us", "compiled_gpu_us"),
    ("cold_speedup", "cold_eager_us", "cold_compiled_us"),
)
_WITH_INTERVALS: Final = ("deployed_speedup", "captured_speedup", "busy_speedup")


@dataclass(frozen=True)
class Contradiction:
    """A row: its name, why the bench writes no such record, and the function that says what a record has of it."""

    name: str
    reason: str
    find: Callable[[GraphRecord], str | None]


def contradictions(record: GraphRecord) -> tuple[str, ...]:
    """Sentences without the name of the graph. Empty: nothing is said against itself."""
    return tuple(said for rule in CONTRADICTIONS for said in (rule.find(record),) if said is not None)


def refuse_contradictory(record: GraphRecord, number: int, file: Path) -> None:
    """UsageError for a record that contradicts itself. `number`: of its line in the file."""
    said = contradictions(record)
    if said:
        raise UsageError(
            f"line {number}, {one_line(record.task)}/{one_line(record.graph)}, contradicts itself: {said[0]}",
            path=file, hint="passnet writes no such record; judge the graph again",
        )  # fmt: skip


# --- of the verdict ------------------------------------------------------------------------------------------


def _compared(record: GraphRecord) -> str | None:
    if record.compared_calls >= 1:
        return None
    if record.outcome is Outcome.CORRECT:
        return "correct, and no call was compared"
    return "right at some tolerance, and no call was compared" if record.correct_at is not None else None


def _error(record: GraphRecord) -> str | None:
    found = record.max_error
    if found is None:
        return "correct, and without an error of its outputs" if record.outcome is Outcome.CORRECT else None
    values = (found.abs, found.rel, found.fp64_ratio, found.scaled)
    strange = next((value for value in values if value is not None and not value >= 0), None)
    return f"an error of {strange:g}" if strange is not None else None


def _unseen(record: GraphRecord) -> str | None:
    wrong = record.unseen is not None and record.unseen.answer == "wrong"
    return "correct, and wrong on shapes between the variants" if _right(record) and wrong else None


def _level(record: GraphRecord) -> str | None:
    given = (record.correct_at, record.published_at)
    strange = next((level for level in given if level is not None and level not in T_RANGE_EXTENDED), None)
    return f"right from t = {strange}, which is no tolerance" if strange is not None else None


def _followed(record: GraphRecord) -> str | None:
    followed, compared = record.followed_calls, record.compared_calls
    return f"{followed} calls followed of {compared} that were compared" if followed > compared else None


def _compared_in_time(record: GraphRecord) -> str | None:
    least = record.compared_calls * _COMPARING_S
    return f"{record.compared_calls} calls compared in {record.seconds:g} s" if least > record.seconds else None


def _passes_named(record: GraphRecord) -> str | None:
    if record.compiler not in WITH_PASSES:
        return f"passes under {one_line(record.compiler)}, which runs none" if record.pass_set_hash else None
    nameless = record.correct_at is not None and not record.pass_set_hash
    return "passes that are right at some tolerance, without their hash" if nameless else None


def _known_device(record: GraphRecord) -> str | None:
    return None if record.device in DEVICES else f"judged on {one_line(record.device)!r}, which is no device"


# --- of the sandbox ------------------------------------------------------------------------------------------


def _passes_ran(record: GraphRecord) -> str | None:
    none_ran = record.timing is not None and record.compiler in WITH_PASSES and record.sandbox is None
    return "passes were timed, and the record says that none ran" if none_ran else None


def _layers(record: GraphRecord) -> str | None:
    if record.sandbox is None:
        return None
    if record.compiler not in WITH_PASSES:
        return f"a sandbox round {one_line(record.compiler)}, which runs no passes"
    unknown = next((layer for layer in record.sandbox if layer not in LAYERS), None)
    if unknown is not None:
        return f"a sandbox of {one_line(unknown)!r}, which no system has"
    return "a layer of the sandbox twice" if len(set(record.sandbox)) < len(record.sandbox) else None


def _closed(record: GraphRecord) -> str | None:
    doors = open_doors(record.sandbox) if record.sandbox is not None and record.tamper_proof else []
    return f"tamper-proof, and {', '.join(door.name for door in doors)} open to the candidate" if doors else None


# --- of the timing -------------------------------------------------------------------------------------------


def _published(record: GraphRecord, timing: Timing) -> str | None:
    if not timing.as_published:
        return None
    if timing.processes:
        return "pairs of processes without a control"
    return "tamper-proof, and timed without a control" if record.tamper_proof else None


def _device(record: GraphRecord, timing: Timing) -> str | None:
    found = [name for name in _OF_GPUS if getattr(timing, name) is not None] if record.device == "cpu" else []
    return f"{found[0]} of a CPU" if found else None


def _interval(_: GraphRecord, timing: Timing) -> str | None:
    low, high = timing.speedup_ci
    if not _lies(timing.speedup, low, high):
        return f"a speedup of {timing.speedup:g} beside its interval, {low:g} to {high:g}"
    if timing.scored_at == "low" and not _same(timing.speedup, low):
        return f"scored at the lower end, {low:g}, by {timing.speedup:g}"
    return f"an interval without width at {low:g}" if low == high and not timing.as_published else None


def _narrow(_: GraphRecord, timing: Timing) -> str | None:
    if timing.ended != "narrow" or timing.precision is None or timing.half_width <= timing.precision * (1 + _APART):
        return None
    return f"an interval of {timing.half_width:.2%} either way that was narrow enough for {timing.precision:g}"


def _pairs(_: GraphRecord, timing: Timing) -> str | None:
    if timing.as_published:  # one process timed both sides
        return None
    if not timing.processes:
        return "timed without a pair of processes"
    if any(pair.quads < 1 for pair in timing.processes) or all(pair.quads < 2 for pair in timing.processes):
        return "timed without groups of blocks"
    if any(pair.calls < 2 * pair.quads for pair in timing.processes):
        return "timed with fewer calls than blocks"
    # What takes no longer than the harness has the least time that can be told, in all pairs.
    longer = [pair for pair in timing.processes if pair.eager_us > pair.harness_us]
    figures = {(pair.ratio, pair.eager_us, pair.compiled_us, pair.control_ratio) for pair in longer}
    return "two pairs of processes with the same times" if len(figures) < len(longer) else None


def _centre(_: GraphRecord, timing: Timing) -> str | None:
    if not timing.processes:
        return None
    due = centre_of([pair.ratio for pair in timing.processes])
    low, high = timing.speedup_ci if timing.scored_at == "low" else (timing.speedup, timing.speedup)
    said = f"{low:g} to {high:g}" if low < high else f"{low:g}"
    return None if _lies(due, low, high) else f"a speedup of {said}, and pairs of processes say {due:g}"


def _times(_: GraphRecord, timing: Timing) -> str | None:
    quotient = timing.eager_us / timing.compiled_us
    if timing.as_published:
        return None if _same(timing.speedup, quotient) else _other_quotient("speedup", timing.speedup, quotient)
    pairs = timing.processes
    for name in ("eager_us", "compiled_us", "control_ratio") if pairs else ():
        mine, due = getattr(timing, name), statistics.median(getattr(pair, name) for pair in pairs)
        if not _same(mine, due):
            return f"{name} of {mine:g}, and pairs of processes say {due:g}"
    return None


def _others(_: GraphRecord, timing: Timing) -> str | None:
    for name, *times in _QUOTIENTS:
        figures = [getattr(timing, each) for each in (name, *times)]
        if None not in figures and not _same(figures[0], figures[1] / figures[2]):
            return _other_quotient(name, figures[0], figures[1] / figures[2])
    for name in _WITH_INTERVALS:
        figure, interval = getattr(timing, name), getattr(timing, f"{name}_ci")
        if figure is not None and interval is not None and not _lies(figure, *interval):
            return f"{name} of {figure:g} beside its interval, {interval[0]:g} to {interval[1]:g}"
    return None


def _captured(_: GraphRecord, timing: Timing) -> str | None:
    both = timing.captured_speedup is not None and timing.not_captured is not None
    return "a captured figure, and the reason why there is none" if both else None


def _timed_in_time(record: GraphRecord, timing: Timing) -> str | None:
    timed = sum(map(_least_us, timing.processes)) / 1e6
    if timed <= record.seconds:
        return None
    return f"{record.seconds:g} s in all, and its timed calls took {timed:.3g} s at least"


def _least_us(pair: ProcessTiming) -> float:
    """What the timed calls of a pair took at least. A block of eager has one call or more; there are four a group."""
    return _SURELY_TIMED * (pair.calls * pair.compiled_us + 4 * pair.quads * pair.eager_us)


def _right(record: GraphRecord) -> bool:
    return record.outcome is Outcome.CORRECT


def _same(value: float, other: float) -> bool:
    return _lies(value, other, other)


def _lies(value: float, low: float, high: float) -> bool:
    """Whether a number lies between two others, up to the rounding of arithmetic. Never where one is no number."""
    return low * (1 - _APART) <= value <= high * (1 + _APART)


def _other_quotient(name: str, said: float, due: float) -> str:
    return f"{name} of {said:g}, and its own times say {due:g}"


def _timed(find: Callable[[GraphRecord, Timing], str | None]) -> Callable[[GraphRecord], str | None]:
    """A rule about a timing as one about a record, which may have none."""
    return lambda record: find(record, record.timing) if record.timing is not None else None


CONTRADICTIONS: Final[Sequence[Contradiction]] = (
    Contradiction("compared", "outputs are right by comparing them", _compared),
    Contradiction("error", "comparing gives an error, of zero or more", _error),
    Contradiction("unseen", "what is wrong on unseen shapes is wrong", _unseen),
    Contradiction("level", "tolerances have the levels of the score", _level),
    Contradiction("followed", "a call that followed other indices was compared", _followed),
    Contradiction("compared in time", "comparing takes time, which is part of the seconds", _compared_in_time),
    Contradiction("passes named", "who judges passes names them, and other compilers have none", _passes_named),
    Contradiction("known device", "the bench judges on devices that it knows", _known_device),
    Contradiction("passes ran", "passes that were timed ran in a sandbox, or without one", _passes_ran),
    Contradiction("layers", "a sandbox is round passes, and has the layers that workers know", _layers),
    Contradiction("closed", "no pass runs while its sandbox is open, unless the record says so", _closed),
    Contradiction("published", "the published protocol has one process and no control", _timed(_published)),
    Contradiction("device", "a CPU has no GPU's figures", _timed(_device)),
    Contradiction("interval", "the interval is a t interval round its figure, or begins with it", _timed(_interval)),
    Contradiction("narrow", "measuring ends as narrow when the interval is", _timed(_narrow)),
    Contradiction("pairs", "pairs of processes have blocks of calls, and no two take the same", _timed(_pairs)),
    Contradiction("centre", "the speedup is the centre of its pairs'", _timed(_centre)),
    Contradiction("times", "times are medians over pairs of processes", _timed(_times)),
    Contradiction("others", "other figures follow from their times and lie in their intervals", _timed(_others)),
    Contradiction("captured", "either calls were captured or not", _timed(_captured)),
    Contradiction("timed in time", "timing takes time, which is part of the seconds", _timed(_timed_in_time)),
)
