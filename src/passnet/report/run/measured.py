"""Figures of a record as the report has them: none that rest on a device time which is too short to be resolved."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Final

from passnet.bench.record.conventions import BOUND_SHARES, MeasuredGraph, convention_of, measured_graphs
from passnet.bench.record.records import LEAST_BUSY_US, GraphRecord, Timing

AT_MOST: Final = f"<= {LEAST_BUSY_US:g} us"


def resolved(us: float | None) -> bool:
    """Whether this device time is known to be what it says. The shortest one stands for all that is shorter."""
    return us is not None and us > LEAST_BUSY_US


def unresolved(timing: Timing | None) -> bool:
    """Whether a side was measured on the device and took too little to be resolved."""
    sides = (timing.eager_busy_us, timing.compiled_busy_us) if timing is not None else ()
    return any(us is not None and not resolved(us) for us in sides)


def speed_of(record: GraphRecord, name: str) -> float | None:
    """The speedup by a way of calling. None where it was not measured or cannot be resolved."""
    return None if name == "device" and unresolved(record.timing) else convention_of(record, name)


def shares_of(record: GraphRecord) -> tuple[float | None, float | None]:
    """The shares of the bound of eager and the candidate. None where one is not known or cannot be resolved."""
    eager, candidate = record.bound_shares
    timing = record.timing
    if timing is None or record.device == "cpu":
        return eager, candidate
    return (eager if resolved(timing.eager_busy_us) else None), (
        candidate if resolved(timing.compiled_busy_us) else None
    )


def measured(records: Iterable[GraphRecord]) -> list[MeasuredGraph]:
    """The right graphs with their figures, without those that cannot be resolved."""
    return [_known(record, graph) for record in records for graph in measured_graphs([record])]


def _known(record: GraphRecord, graph: MeasuredGraph) -> MeasuredGraph:
    shares = dict(zip(BOUND_SHARES, shares_of(record), strict=True))
    lost = {name for name, share in shares.items() if share is None}
    lost |= {"device"} if unresolved(record.timing) else set()
    return dataclasses.replace(graph, figures={k: v for k, v in graph.figures.items() if k not in lost})


def device_time(us: float) -> str:
    """A device time in words."""
    return f"{us:.1f} us" if resolved(us) else f"{AT_MOST}, too little to resolve"
