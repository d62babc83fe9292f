"""What a measurement says about pass sets and regions: right, worse, or no answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from passnet.agent.authors.distill.candidates import Place, prefix
from passnet.agent.env.state import MeasuredStep
from passnet.agent.record.figures import VariantFigures
from passnet.score import OUTCOME_RULES, Outcome, Owner

# Wall times of a quick look that differ by less are equal. Then the device time decides.
EQUAL = 0.97


def worth(measured: MeasuredStep) -> tuple[int, float]:
    """Orders pass sets by the number of right variants, then by score."""
    return sum(graph.outcome is Outcome.CORRECT for graph in measured.graphs), measured.score


def unmatched(places: Sequence[Place], record: VariantFigures) -> set[Place]:
    """The places of a variant whose rules replaced nothing in its graph."""
    replaced = record.replacements
    counts = {place: sum(n for rule, n in replaced.items() if rule.startswith(prefix(place[0]))) for place in places}
    return {place for place, count in counts.items() if count == 0} if replaced else set()


def halves(places: Sequence[Place]) -> list[Sequence[Place]]:
    """The two halves of some places. Empty if there is only one place."""
    middle = len(places) // 2
    return [places[:middle], places[middle:]] if middle else []


def right(records: Mapping[int, VariantFigures]) -> dict[int, float]:
    """The speedup by variant, for right variants only."""
    found = {number: record for number, record in records.items() if record.outcome is Outcome.CORRECT}
    return {number: record.speedup for number, record in found.items() if record.speedup is not None}


def is_unknown(record: VariantFigures) -> bool:
    """Whether the machine gave no answer. It is asked again, and this is never taken for a "no"."""
    return record.outcome in (Outcome.UNSTABLE, Outcome.INFRASTRUCTURE)


def loses(record: VariantFigures) -> bool:
    """Wrong, or slower than eager by more than the interval.

    If the machine was too unsteady, the figure says nothing.
    """
    if OUTCOME_RULES[record.outcome].owner is not Owner.CANDIDATE:
        return False
    interval = record.speedup_ci
    return record.outcome is not Outcome.CORRECT or (interval is not None and interval[1] < 1.0)


def loses_alone(record: VariantFigures) -> bool:
    """The same for one region alone. A little more wall time is no loss if, by events of the GPU, that is done sooner.

    A quick look is one process, so it has no other device time.
    """
    interval, by_events = record.speedup_ci, record.gpu_speedup
    close = interval is not None and interval[1] >= EQUAL
    gains = record.outcome is Outcome.CORRECT and by_events is not None and by_events > 1.0
    return loses(record) and not (close and gains)
