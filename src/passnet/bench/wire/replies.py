"""The workers' answers: one frozen model for each reply. Each is a claim, and `message` bounds what it may hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

from pydantic import Field, JsonValue

from passnet.bench.wire.message import (
    Count,
    Counts,
    Evidence,
    Indices,
    Name,
    Names,
    ShortName,
    Text,
    Texts,
    Times,
    WireMessage,
    at_most,
    cut,
)

_MAX_DIFF = 200_000
_MAX_ID = 1 << 48

# The failures that a worker reports of itself, and those that the controller sees.
SaidFailure = Literal[
    "exception",
    "out_of_memory",
    "kernel_source",
    "kept_state",
    "policy",
    "load",
    "compile",
    "no_match",
    "shape_mismatch",
    "dtype_mismatch",
]
SeenFailure = Literal[
    "dead",
    "timeout",
    "crash",
    "protocol",
    "processes",
    "memory",
    "background_work",
    "late_output",
    "guard_changed",
    "output_alias",
    "lazy_output",
]
FailureKind = SaidFailure | SeenFailure
# As text, since JSON has no such numbers.
NotFinite = Literal["nan", "inf", "-inf"]


class NearMissRow(WireMessage):
    """The reason why a rule did not match a graph: the node of its pattern, what was expected there, and what was
    found.
    """

    graph: Text
    rule: Text
    pattern_node: Text
    expected: Text
    found: Text
    reason: Text
    place: Text | None = None

    def on(self, graph: str) -> dict[str, str]:
        """The row as texts, under the graph name that its author knows."""
        row: dict[str, str] = self.model_dump(exclude_none=True)
        return row | {"graph": graph}


NearMisses = Annotated[tuple[NearMissRow, ...], cut(100)]


@dataclass(frozen=True)
class OutputFacts:
    """Facts about eager's outputs: where they lie.

    `shared`: those that share memory with inputs or earlier results. `places`: how many places the elements of each
    have. `memories`: for each, the first one that it shares memory with, or itself. `unready`: those that were made in
    inference mode or require gradients. Of an output without facts no two elements share a place, it lies apart from
    all others, and it is ready to be used.
    """

    shared: Indices = ()
    places: Indices = ()
    memories: Indices = ()
    unready: Indices = ()

    def least_places(self, index: int, shape: Sequence[int]) -> int:
        """How many places an output of this shape must have, so that it is no less than eager's."""
        return self.places[index] if index < len(self.places) else math.prod(shape)

    def lie_apart(self, one: int, other: int) -> bool:
        """Whether these two outputs of eager's share no memory."""
        return max(one, other) >= len(self.memories) or self.memories[one] != self.memories[other]


class OutputForm(WireMessage):
    """Shape, dtype (short name) and strides, in elements, of one output of eager.

    `ordered`: it is contiguous, or an operator of the graph put it into the order in which it lies without gaps.
    """

    shape: Indices
    dtype: Name
    stride: Indices
    ordered: bool


class RuleNeeds(WireMessage):
    """The facts that a rule needs of a graph: canonical names of operations, and a hash of what its pattern
    computes.
    """

    rule: Name
    operations: Names
    structure: Name


class RuleWork(WireMessage):
    """The effect of a rule on a graph: counts, and the microseconds that it took."""

    rule: Name
    tried: Count
    rejected_early: Count
    matched: Count
    refused: Count
    replaced: Count
    us: float


class WrapperCall(WireMessage):
    """A call of a wrapper under the profiler.

    It holds the kernels by name (None: the profiler saw nothing), and the microseconds that they took together. It
    says whether the call returned memory that it was not given.
    """

    wrapper: Name
    kernels: Annotated[dict[Name, Count], at_most(100)] | None
    fresh: bool
    us: Annotated[dict[Name, Annotated[float, Field(ge=0, le=1e12)]], at_most(100)] = Field(default={})


NoteName = Literal[
    "library_call",
    "tensor_subclass",
    "output_alias",
    "argument_mutation",
    "output_reuse",
    "lazy_output",
    "kept_state",
    "guard_changed",
]
Note = Annotated[tuple[NoteName, Evidence], at_most(2)]


class Reply(WireMessage):
    """The answer of a worker."""


class Done(Reply):
    """The request is done, with nothing more to say."""

    kind: Literal["done"] = "done"


class Failed(Reply):
    """The request failed. `near_misses`: of a pass set that matched nothing.

    `lost`: this process can use its device no more, so it must be replaced.
    """

    kind: Literal["failed"] = "failed"
    failure: SaidFailure
    message: Text
    trace: Text = ""
    near_misses: NearMisses = ()
    lost: bool = False


class Layers(Reply):
    """The layers of the sandbox around the worker."""

    kind: Literal["layers"] = "layers"
    layers: Names


class Described(Reply):
    """The needs of each loaded rule."""

    kind: Literal["described"] = "described"
    rules: Annotated[tuple[RuleNeeds, ...], at_most(1000)]


class RewriteDone(Reply):
    """A dry run: the graph's change as a unified diff, what each rule did, replacements by rule."""

    kind: Literal["rewrite"] = "rewrite"
    diff: Annotated[str, cut(_MAX_DIFF)]
    rules: Annotated[tuple[RuleWork, ...], at_most(1000)]
    replacements: Counts


class ProgramBuilt(Reply):
    """A program was made: replacements by rule, and why rules did not match."""

    kind: Literal["built"] = "built"
    replacements: Counts = Field(default_factory=dict)
    near_misses: NearMisses = ()


class CallsRecorded(Reply):
    """Calls were recorded. The reply has the rules whose calls are not replayed, and why."""

    kind: Literal["frozen"] = "frozen"
    not_frozen: Annotated[dict[ShortName, Annotated[str, cut(400)]], at_most(1000)]


class Probed(Reply):
    """Facts about eager.

    `mutated`: inputs that it changes. `steady`: it gives the same result each time. `wide`: float64 works.
    `choosers`: operators whose indices may differ. `coarse`: it stores values in bfloat16. `asked`: inputs, and numbers
    that are not finite and that it tells from others. `peak`, `twin`: bytes that calls of it and of its float64 form
    take.
    """

    kind: Literal["probed"] = "probed"
    outputs: Annotated[tuple[OutputForm, ...], at_most(1000)]
    mutated: Indices
    wide: bool
    steady: bool
    choosers: Count
    coarse: bool = False
    asked: Annotated[tuple[Annotated[tuple[Count, NotFinite], at_most(2)], ...], at_most(3000)] = ()
    facts: OutputFacts
    peak: Count
    twin: Count


class Dullness(Reply):
    """Whether the inputs leave eager's choosers nothing to tell apart."""

    kind: Literal["dullness"] = "dullness"
    dull: bool


class ChoicesFollowed(Reply):
    """Levels (output, smallest t or None) of the followed choices. None where there was nothing to follow.

    `unknown`: the largest part of an output of which nobody knows what it should be. `late`: the time was over.
    """

    kind: Literal["followed"] = "followed"
    unknown: float = 0.0
    late: bool = False
    levels: Annotated[tuple[Annotated[tuple[Count, int | None], at_most(2)], ...], at_most(1000)] | None


class BlockDone(Reply):
    """A block of calls ended.

    `span_us`: from the end of the first call to the end of the last, by the worker's own clock.
    `notes`: of the run-time guard. `activity`: of the profiler. `skipped`: calls of kernels that were switched off.
    """

    kind: Literal["block"] = "block"
    calls: Count = 0
    span_us: float = 0.0
    notes: Annotated[tuple[Note, ...], cut(100)] = ()
    activity: Annotated[tuple[WrapperCall, ...], cut(200)] = ()
    skipped: Count | None = None


class DrawsAdded(Reply):
    """The number of the first job: of the first draw into the first place. The places of a draw follow each other."""

    kind: Literal["draws"] = "draws"
    first: Annotated[int, Field(ge=0)]


class EventTimes(Reply):
    """Of each call: the device time by CUDA events, and the host's time until the call returned."""

    kind: Literal["events"] = "events"
    gpu_us: Times
    host_us: Times


class CaptureDone(Reply):
    """Whether a call was captured as a CUDA graph. `why`: why it was not."""

    kind: Literal["captured"] = "captured"
    why: Evidence | None = None


class PublishedTimes(Reply):
    """Wall times of every trial of both sides, by the worker's clock."""

    kind: Literal["published"] = "published"
    compiled_us: Times
    eager_us: Times


class KernelsCompiled(Reply):
    """A line for each Triton kernel that was compiled."""

    kind: Literal["kernels"] = "kernels"
    lines: Texts


class ExtraDone(Reply):
    """The result of an extra request's handler."""

    kind: Literal["extra"] = "extra"
    value: JsonValue = None


AnyReply = Annotated[
    Done
    | Failed
    | Layers
    | Described
    | RewriteDone
    | ProgramBuilt
    | CallsRecorded
    | Probed
    | Dullness
    | ChoicesFollowed
    | BlockDone
    | DrawsAdded
    | EventTimes
    | CaptureDone
    | PublishedTimes
    | KernelsCompiled
    | ExtraDone,
    Field(discriminator="kind"),
]


class WorkerAnswer(WireMessage):
    """A reply with the number of its request, so that none can be sent in advance."""

    id: Annotated[int, Field(ge=0, lt=_MAX_ID)]
    reply: AnyReply


R = TypeVar("R", bound=Reply)
