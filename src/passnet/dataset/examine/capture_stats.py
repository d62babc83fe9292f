"""Results of the models that a build tried: counts, and a table of failures from capture records.  No torch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from passnet.dataset.capture.record import ModelRecord

# Stands for facts about a model whose process ended before it wrote a record.
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Failure:
    """One model that gave no graph."""

    library: str
    model: str
    family: str
    domain: str
    stage: str
    method: str
    reason: str


@dataclass(frozen=True)
class CaptureStats:
    """Counts over the records of a capture, each mapping largest first.

    - `libraries`, `domains`: name -> {"tried", "captured", "failed"}.
    - `stages`, `reasons`: number of failures.
    - `methods`: number of captures.
    - `gates`: gate -> {"passed", "failed", "skipped"} graphs.
    """

    libraries: Mapping[str, Mapping[str, int]]
    domains: Mapping[str, Mapping[str, int]]
    methods: Mapping[str, int]
    stages: Mapping[str, int]
    reasons: Mapping[str, int]
    gates: Mapping[str, Mapping[str, int]]
    failures: tuple[Failure, ...]
    seconds: float

    @property
    def tried(self) -> int:
        """Models tried."""
        return sum(row["tried"] for row in self.libraries.values())

    @property
    def captured(self) -> int:
        """Models that gave at least one graph."""
        return sum(row["captured"] for row in self.libraries.values())


def of_records(records: Iterable[ModelRecord]) -> CaptureStats:
    """Count the records of a capture, one for each model."""
    libraries: dict[str, Counter[str]] = {}
    domains: dict[str, Counter[str]] = {}
    methods, stages, reasons = Counter[str](), Counter[str](), Counter[str]()
    gates: dict[str, Counter[str]] = {}
    failures = []
    seconds = 0.0
    for record in sorted(records, key=lambda one: (one.library, one.model)):
        for row in (libraries.setdefault(record.library, _row()), domains.setdefault(record.domain, _row())):
            row.update(["tried", record.outcome])
        if record.outcome == "captured":
            methods[record.method or UNKNOWN] += 1
        else:
            stages[record.stage] += 1
            reasons[record.cluster or str(record.reason)] += 1
            failures.append(_failure(record))
        for name, counts in record.gates.items():
            verdicts = {"passed": counts.passed, "failed": counts.failed, "skipped": counts.skipped}
            gates.setdefault(name, Counter()).update(verdicts)
        seconds += record.seconds or 0.0
    return CaptureStats(
        libraries=_by_size(libraries),
        domains=_by_size(domains),
        methods=largest_first(methods),
        stages=largest_first(stages),
        reasons=largest_first(reasons),
        gates={name: dict(counts) for name, counts in sorted(gates.items())},
        failures=tuple(failures),
        seconds=seconds,
    )


def largest_first(counts: Mapping[str, int]) -> dict[str, int]:
    """Sorted by count, then by name."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _row() -> Counter[str]:
    return Counter({"tried": 0, "captured": 0, "failed": 0})


def _failure(record: ModelRecord) -> Failure:
    return Failure(
        library=record.library,
        model=record.model,
        family=record.family,
        domain=record.domain,
        stage=record.stage,
        method=record.method or UNKNOWN,
        reason=str(record.reason),
    )


def _by_size(table: Mapping[str, Counter[str]]) -> dict[str, Mapping[str, int]]:
    return {name: dict(row) for name, row in sorted(table.items(), key=lambda item: (-item[1]["tried"], item[0]))}
