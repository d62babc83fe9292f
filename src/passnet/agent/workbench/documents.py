"""The JSON documents that a workbench gives and records keep: of a check, an inspection and a profile."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class RuleDocument(TypedDict):
    """One rule of a checked pass set. `matches`: by variant; `loaded`: None where the device has no use for it."""

    rule: str
    policy: list[str]
    loaded: bool | None
    devices: list[str] | None
    matches: dict[str, int]
    near_misses: list[dict[str, str]]


class CheckDocument(TypedDict):
    """What a check of a pass set found."""

    ok: bool
    rules: list[RuleDocument]
    problems: list[str]
    notes: list[str]
    graphs: list[dict[str, object]]


class TensorDocument(TypedDict):
    """Shape and dtype of a value."""

    shape: list[int]
    dtype: str


class StatementDocument(TypedDict):
    """One statement: what it gives, how many kernels eager launches for it, how many bytes these move."""

    index: int
    outputs: list[TensorDocument]
    kernels: int
    bytes: int


class MatchableDocument(TypedDict):
    """A `MatchableRow`."""

    operation: str
    reason: str | None
    library: bool
    run: int | None


class RooflineDocument(TypedDict):
    """How fast the device could be at best, in microseconds."""

    bound_us: float
    limited_by: str
    launch_us: float


class InspectionDocument(TypedDict):
    """One variant: what `passnet inspect --json` says of it, and what a pattern can match."""

    graph: str
    ops: list[StatementDocument]
    op_counts: dict[str, int]
    kernels: int
    bytes: dict[str, int]
    flops: dict[str, float]
    mutated_inputs: list[str]
    roofline: RooflineDocument
    matchable: list[MatchableDocument]


class TimedStatement(TypedDict):
    """Median time of one statement."""

    index: int
    name: str
    us: float


class TimedKernel(TypedDict):
    """A kernel of a profile: launches and microseconds a call; how the last one was launched, where that is known."""

    name: str
    count: float
    us: float
    grid: NotRequired[list[int]]
    block: NotRequired[list[int]]
    registers: NotRequired[int]
    shared_bytes: NotRequired[int]
    occupancy_percent: NotRequired[float]


class ProfileDocument(TypedDict):
    """Where eager's time goes in one variant."""

    graph: str
    device: str
    total_us: float
    statements: list[TimedStatement]
    kernels: list[TimedKernel]
