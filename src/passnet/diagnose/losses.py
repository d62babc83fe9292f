"""Rows of a slowdown: what a compiler gains or loses on each graph, in each convention, and what it is lost on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from passnet.bench.record.conventions import BOUND_SHARES, MeasuredGraph, conventions_document
from passnet.bench.record.records import GraphRecord
from passnet.dataset.tables.rows import op_names
from passnet.graph import Graph
from passnet.graph.bundled import Regime
from passnet.score import Outcome

WRAPPER, LAUNCHES, KERNELS, UNTOLD = "guards and wrapper", "launches", "kernels", "launches or kernels"
REASONS = (WRAPPER, LAUNCHES, KERNELS, UNTOLD)
UNKNOWN = "unknown"
CONVENTIONS = ("deployed", "direct", "captured", "device")
_OPERATORS = ((1, "1"), (4, "2 to 4"), (16, "5 to 16"), (64, "17 to 64"))
_TIMES = ((10.0, "below 10 us"), (100.0, "10 to 100 us"), (1e3, "100 us to 1 ms"), (1e4, "1 to 10 ms"))
_MORE_OPERATORS, _MORE_TIME = "65 or more", "10 ms or more"


@dataclass(frozen=True)
class LossRow:
    """One graph. Ratios are eager's time by the compiler's, so below 1 the compiler is slower. Times of one call.

    `places`: how often the graph occurs where it was cut. `captured`: both as CUDA graphs. `device`: the ratio of
    device times. Both are None on a CPU.
    `kernels_us`: what the device works longer than with eager; None where nobody knows.
    `regime`: of the graph on this device, where the record knows it. `eager_bound_share`, `bound_share`: see
    `GraphRecord.bound_shares`.
    """

    graph: str
    model: str
    kind: str
    ops: tuple[str, ...]
    places: int
    outcome: str
    detail: str | None = None
    eager_us: float | None = None
    compiled_us: float | None = None
    direct: float | None = None
    direct_ci: tuple[float, float] | None = None
    deployed: float | None = None
    deployed_ci: tuple[float, float] | None = None
    captured: float | None = None
    device: float | None = None
    kernels_us: float | None = None
    regime: Regime | None = None
    eager_bound_share: float | None = None
    bound_share: float | None = None
    compile_s: float | None = None

    @property
    def deployed_us(self) -> float | None:
        """The time of a call through `torch.compile`."""
        if self.eager_us is None or self.deployed is None:
            return None
        return self.eager_us / self.deployed

    @property
    def wrapper_us(self) -> float | None:
        """What guards and wrapper take: the difference between the two conventions."""
        if self.deployed_us is None or self.compiled_us is None:
            return None
        return self.deployed_us - self.compiled_us

    @property
    def loss_us(self) -> float | None:
        """What all places together lose as deployed, against eager. Negative where they gain."""
        if self.deployed_us is None or self.eager_us is None:
            return None
        return (self.deployed_us - self.eager_us) * self.places

    @property
    def why(self) -> str | None:
        """The largest part of what is lost. None where the graph is not slower as deployed, or was not timed."""
        if self.deployed is None or self.deployed >= 1.0:
            return None
        if self.wrapper_us is None or self.compiled_us is None or self.eager_us is None:
            return None
        program_us = self.compiled_us - self.eager_us
        parts = {WRAPPER: self.wrapper_us}
        if self.kernels_us is None:
            parts[UNTOLD] = program_us
        else:
            parts |= {KERNELS: self.kernels_us, LAUNCHES: program_us - self.kernels_us}
        return max(parts, key=lambda word: parts[word])

    def to_json(self) -> dict[str, Any]:
        return {
            "graph": self.graph,
            "model": self.model,
            "kind": self.kind,
            "operators": len(self.ops),
            "ops": list(self.ops),
            "places": self.places,
            "outcome": self.outcome,
            "eager_us": self.eager_us,
            "direct_us": self.compiled_us,
            "deployed_us": self.deployed_us,
            "wrapper_us": self.wrapper_us,
            "kernels_us": self.kernels_us,
            "loss_us": self.loss_us,
            "deployed": self.deployed,
            "deployed_ci": self.deployed_ci,
            "direct": self.direct,
            "direct_ci": self.direct_ci,
            "captured": self.captured,
            "device": self.device,
            "regime": self.regime,
            "eager_bound_share": self.eager_bound_share,
            "bound_share": self.bound_share,
            "why": self.why,
            "compile_s": self.compile_s,
            "detail": self.detail,
        }


def row_of(graph: Graph, record: GraphRecord) -> LossRow:
    """The row of a graph by its record."""
    timing = record.timing
    return LossRow(
        graph=record.task,
        model=str(graph.meta.get("model_name") or UNKNOWN),
        kind=str(graph.meta.get("kind") or "graph"),
        ops=op_names(graph.program),
        places=_places(graph),
        outcome=record.outcome.value,
        detail=record.detail,
        eager_us=timing.eager_us if timing else None,
        compiled_us=timing.compiled_us if timing else None,
        direct=timing.speedup if timing else None,
        direct_ci=timing.speedup_ci if timing else None,
        deployed=timing.deployed_speedup if timing else None,
        deployed_ci=timing.deployed_speedup_ci if timing else None,
        captured=timing.captured_speedup if timing else None,
        device=timing.busy_speedup if timing else None,
        kernels_us=_kernels_us(record),
        regime=timing.regime if timing else None,
        eager_bound_share=record.bound_shares[0],
        bound_share=record.bound_shares[1],
        compile_s=record.compile_s,
    )


def _kernels_us(record: GraphRecord) -> float | None:
    timing = record.timing
    if timing is None or timing.compiled_busy_us is None or timing.eager_busy_us is None:
        return None
    return timing.compiled_busy_us - timing.eager_busy_us


def _places(graph: Graph) -> int:
    """How often the graph occurs in the models that it names, at least once."""
    return max(1, sum(len(places) for places in (graph.sources or {}).values() if isinstance(places, list)))


@dataclass(frozen=True)
class Slowdown:
    """The rows of one compiler, the largest losses first."""

    compiler: str
    device: str
    rows: tuple[LossRow, ...]

    @classmethod
    def of(cls, compiler: str, device: str, rows: Iterable[LossRow]) -> Slowdown:
        ordered = sorted(rows, key=lambda row: (row.loss_us is None, -(row.loss_us or 0.0), row.graph))
        return cls(compiler, device, tuple(ordered))

    @property
    def timed(self) -> tuple[LossRow, ...]:
        """The rows with figures of both conventions."""
        return tuple(row for row in self.rows if row.deployed is not None and row.direct is not None)

    @property
    def measured(self) -> list[MeasuredGraph]:
        """The right graphs, with what was measured of each."""
        return [_measured(row) for row in self.rows if row.outcome == Outcome.CORRECT]

    def to_json(self) -> dict[str, Any]:
        groups = {name: {word: shares(rows) for word, rows in found.items()} for name, found in self.groups().items()}
        return {
            "compiler": self.compiler,
            "device": self.device,
            "graphs": len(self.timed),
            "judged": len(self.rows),
            "outcomes": dict(sorted(Counter(row.outcome for row in self.rows).items())),
            "slower": {name: share for name, share in shares(self.timed).items() if name != "graphs"},
            "surely_slower": surely(self.timed),
            "conventions": conventions_document(self.measured),
            "why": {word: sum(row.why == word for row in self.timed) for word in REASONS},
            **groups,
            "rows": [row.to_json() for row in self.rows],
        }

    def groups(self) -> dict[str, dict[str, list[LossRow]]]:
        """The timed rows by kind, regime and size. A word that no row has is left out."""
        rows = self.timed
        return {
            "by_kind": _grouped(rows, lambda row: row.kind, sorted({row.kind for row in rows})),
            "by_regime": _grouped(rows, lambda row: row.regime or UNKNOWN, ("launch", "mixed", "work", UNKNOWN)),
            "by_operators": _grouped(rows, _size, [*(word for _, word in _OPERATORS), _MORE_OPERATORS]),
            "by_eager_time": _grouped(rows, _time, [*(word for _, word in _TIMES), _MORE_TIME]),
        }


def _measured(row: LossRow) -> MeasuredGraph:
    found = {name: getattr(row, name) for name in (*CONVENTIONS, *BOUND_SHARES)}
    return MeasuredGraph(row.graph, row.regime, {name: value for name, value in found.items() if value is not None})


def shares(rows: Sequence[LossRow]) -> dict[str, float | int | None]:
    """How many rows, and the share that is slower in each convention. None where no row has that figure."""
    found: dict[str, float | int | None] = {"graphs": len(rows)}
    for name in CONVENTIONS:
        ratios = [ratio for row in rows if (ratio := getattr(row, name)) is not None]
        found[name] = sum(ratio < 1.0 for ratio in ratios) / len(ratios) if ratios else None
    return found


def surely(rows: Sequence[LossRow]) -> Mapping[str, float | None]:
    """The share that is slower beyond its interval, by convention."""
    found: dict[str, float | None] = {}
    for name, ends in (("deployed", [row.deployed_ci for row in rows]), ("direct", [row.direct_ci for row in rows])):
        known = [end for end in ends if end is not None]
        found[name] = sum(high < 1.0 for _, high in known) / len(known) if known else None
    return found


def _grouped(rows: Iterable[LossRow], key: Callable[[LossRow], str], words: Sequence[str]) -> dict[str, list[LossRow]]:
    found: dict[str, list[LossRow]] = {word: [] for word in words}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return {word: some for word, some in found.items() if some}


def _size(row: LossRow) -> str:
    return next((word for most, word in _OPERATORS if len(row.ops) <= most), _MORE_OPERATORS)


def _time(row: LossRow) -> str:
    return next((word for below, word in _TIMES if (row.eager_us or 0.0) < below), _MORE_TIME)
