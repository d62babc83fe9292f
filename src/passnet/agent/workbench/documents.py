"""The JSON documents that a workbench gives and records keep: of a check, an inspection and a profile."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class RuleDocument(TypedDict):
    """One rule of a checked pass set.

    `matches` is by variant. `not_known`: variants on which the passes did not end before anything was matched.
    `loaded` is None if the device has no use for the rule.
    """

    rule: str
    policy: list[str]
    loaded: bool | None
    devices: list[str] | None
    matches: dict[str, int]
    not_known: NotRequired[list[str]]
    near_misses: list[dict[str, str]]


class CheckDocument(TypedDict):
    """The findings of a check of a pass set."""

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
    """One statement: its result, the number of kernels that eager launches for it, and the bytes that these move."""

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
    """The lowest possible time on the device, in microseconds."""

    bound_us: float
    limited_by: str
    launch_us: float


class InspectionDocument(TypedDict):
    """One variant: the data of `passnet inspect --json`, and the statements that a pattern can match."""

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
    """A kernel of a profile: launches and microseconds a call, and the launch of the last one if it is known."""

    name: str
    count: float
    us: float
    grid: NotRequired[list[int]]
    block: NotRequired[list[int]]
    registers: NotRequired[int]
    shared_bytes: NotRequired[int]
    occupancy_percent: NotRequired[float]


class ProfileDocument(TypedDict):
    """The places where eager spends its time in one variant."""

    graph: str
    device: str
    total_us: float
    statements: list[TimedStatement]
    kernels: list[TimedKernel]
