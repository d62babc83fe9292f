"""What became of the graphs of a task that loses: a line for each kind of failure, the slow ones, and the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from passnet.authored import one_line
from passnet.bench.record.records import GraphRecord
from passnet.report.run.figures import FASTER, SLOWER, TIE, verdict
from passnet.report.run.reasons import percent, reason
from passnet.report.run.sources import RunSources
from passnet.score import OUTCOME_RULES, Outcome, Owner

_MOST_NAMED: Final = 6
_MOST_KERNELS: Final = 2
_LONGEST: Final = 60


@dataclass(frozen=True)
class Why:
    """Some graphs of a task, what they are, and why. `kind`: the class of the badge. No badge: the graphs are well."""

    graphs: str
    badge: str
    kind: str
    words: str

    @property
    def text(self) -> str:
        return ": ".join(filter(None, (self.graphs, self.badge, self.words)))


def task_whys(sources: RunSources, task: str) -> list[Why]:
    """What became of the graphs: those that fail, by what their records say, then the slow ones, then the others."""
    records, names = sources.run.by_task[task], sources.labels(task)
    slow, tied = ([each for each in records if verdict(each) == word] for word in (SLOWER, TIE))
    found = list(_failed(records, names, sources.run.fp64_factor))
    if slow:
        found.append(_worst(slow, SLOWER, "wrong", names, records))
    elif tied and not found:
        found.append(_worst(tied, TIE, "void", names, records))
        tied = []
    others = [each for each in records if verdict(each) == FASTER] + tied
    return [*found, *([Why("the other graphs", "", "", _speeds(others, names))] if found and others else [])]


def task_reason(sources: RunSources, task: str) -> str:
    """The same in one line."""
    return "; ".join(why.text for why in task_whys(sources, task))


def _failed(records: Sequence[GraphRecord], names: Mapping[str, str], factor: float | None) -> Iterator[Why]:
    kinds: dict[tuple[Outcome, str], list[str]] = {}
    for record in records:
        if record.outcome is not Outcome.CORRECT:
            kinds.setdefault((record.outcome, reason(record, factor)), []).append(names[record.graph])
    for (outcome, words), graphs in kinds.items():
        kind = "wrong" if OUTCOME_RULES[outcome].owner is Owner.CANDIDATE else "void"
        yield Why(_some(graphs), outcome.value, kind, words)


def _worst(
    chosen: Sequence[GraphRecord], word: str, kind: str, names: Mapping[str, str], records: Sequence[GraphRecord]
) -> Why:
    worst = min(chosen, key=lambda record: record.timing.speedup if record.timing else 0.0)
    at_worst = f"at worst ({names[worst.graph]}) " if len(chosen) > 1 else ""
    kernels = _slowest_kernels(worst, records, names) if word == SLOWER else ""
    words = "; ".join(filter(None, (f"{at_worst}{reason(worst)}", kernels)))
    return Why(_some([names[record.graph] for record in chosen]), word, kind, words)


def _slowest_kernels(record: GraphRecord, records: Sequence[GraphRecord], names: Mapping[str, str]) -> str:
    """The kernels that take most, of this graph or of another one of the task, whichever was profiled."""
    seen = next((each for each in (record, *records) if each.kernel_us and sum(each.kernel_us.values()) > 0), None)
    if seen is None:
        return ""
    total = sum(seen.kernel_us.values())
    rows = sorted(seen.kernel_us.items(), key=lambda row: -row[1])[:_MOST_KERNELS]
    said = ", ".join(f"{one_line(name)[:_LONGEST]} {percent(us / total)}" for name, us in rows)
    where = "" if seen is record else f" of {names[seen.graph]}, which was profiled"
    return f"slowest kernels{where}: {said}"


def _speeds(records: Sequence[GraphRecord], names: Mapping[str, str]) -> str:
    said = [
        f"{names[each.graph]} {each.timing.speedup:.2f}x{' (tie)' if verdict(each) == TIE else ''}"
        for each in records
        if each.timing is not None
    ]
    return _some(said)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more
