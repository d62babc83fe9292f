"""What a record of a graph says against itself. The bench writes no such record, so a person or another tool did."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

from passnet.authored import one_line
from passnet.bench.names import WITH_PASSES
from passnet.bench.record.records import GraphRecord, Timing
from passnet.score import Outcome

# Figures are written with all of their digits. What is further apart than this was not computed from the other.
_APART: Final = 1e-6
_NAMED: Final = 3


def contradictions(record: GraphRecord) -> tuple[str, ...]:
    """Sentences without the name of the graph. Empty: nothing is said against itself."""
    return (*_of_verdict(record), *(_of_timing(record.timing) if record.timing is not None else ()))


def contradiction_note(file: str, said: Iterable[tuple[str, tuple[str, ...]]]) -> str | None:
    """One sentence on the records of a file that contradict themselves: how many, and the first with what they say.

    `said`: name of a graph, and what its record says against itself. None where no record does.
    """
    found = [(name, words) for name, words in said if words]
    if not found:
        return None
    shown = "; ".join(f"{one_line(name)}: {', '.join(words)}" for name, words in found[:_NAMED])
    more = f"; and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    few = "1 record contradicts itself and counts" if len(found) == 1 else None
    count = few or f"{len(found)} records contradict themselves and count"
    return f"{file}: {count} all the same, though passnet writes no such record: {shown}{more}"


def _of_verdict(record: GraphRecord) -> Iterator[str]:
    if record.outcome is Outcome.CORRECT:
        if record.compared_calls < 1:
            yield "correct, and no call was compared"
        if record.unseen is not None and record.unseen.answer == "wrong":
            yield "correct, and wrong on shapes between the variants"
    if record.timing is not None and record.compiler in WITH_PASSES and record.sandbox is None:
        yield "passes were timed, and the record says that none ran"


def _of_timing(timing: Timing) -> Iterator[str]:
    low, high = timing.speedup_ci
    if not _lies(timing.speedup, low, high):
        yield f"a speedup of {timing.speedup:g} beside its interval, {low:g} to {high:g}"
    elif timing.scored_at == "low" and not _lies(timing.speedup, low, low):
        yield f"scored at the lower end, {low:g}, by {timing.speedup:g}"
    ratios = [pair.ratio for pair in timing.processes]
    centre = math.sqrt(low * high)
    if not ratios:
        # The published protocol measures in one process, without a control.
        if timing.control_ratio is not None:
            yield "timed without a pair of processes"
    elif not _lies(centre, min(ratios), max(ratios)):
        yield f"a speedup of about {centre:g} from pairs of processes with {min(ratios):g} to {max(ratios):g}"


def _lies(value: float, low: float, high: float) -> bool:
    """Whether a number lies between two others, up to the rounding of arithmetic. Never where one is no number."""
    return low * (1 - _APART) <= value <= high * (1 + _APART)
