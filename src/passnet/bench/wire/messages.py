"""What the controller asks of workers and what they answer: one frozen model for each, decoded once on each side.

An answer is a claim of a process that may be hostile. Its numbers are finite and in range, its lists and texts are cut
or refused before they are looked at one by one, and what has another form is `MalformedMessage`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    JsonValue,
    StringConstraints,
    ValidationError,
)

from passnet.bench.wire.shared_buffers import BufferLayout

MAX_TEXT = 4000
_MAX_NAME = 2000
_MAX_DIFF = 200_000
_MAX_ID = 1 << 48


class MalformedMessage(Exception):
    """Bytes that are no message of the kind that was due; the text says where."""


class Message(BaseModel):
    """What crosses the wire: strict types, and what is not known is left aside."""

    model_config = ConfigDict(frozen=True, strict=True, allow_inf_nan=False)

    def encoded(self) -> bytes:
        """As JSON text."""
        return self.model_dump_json().encode()


M = TypeVar("M", bound=Message)


def read(kind: type[M], body: bytes) -> M:
    """The message of a kind that these bytes are. MalformedMessage for any others."""
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part)[:40] for part in first["loc"][:6])
        raise MalformedMessage(f"no {kind.__name__}: {place or 'all of it'}: {first['msg'][:200]}") from None


# --- bounds: of text what is too long is cut, of collections what is too much is cut or refused ------------------


def _cut(most: int) -> BeforeValidator:
    """The first elements of a list, or the first characters of a text, of which half a character is a question mark."""

    def cut(value: object) -> object:
        if isinstance(value, str):
            return value[:most].encode(errors="replace").decode()
        return tuple(islice(value, most)) if isinstance(value, list | tuple) else value

    return BeforeValidator(cut)


def _at_most(most: int) -> BeforeValidator:
    """Refuses more elements at once: looked at one by one, each wrong one would cost an error."""

    def bounded(value: object) -> object:
        if isinstance(value, list | tuple | dict) and len(value) > most:
            raise ValueError(f"{len(value)} elements; at most {most} are allowed")
        return tuple(value) if isinstance(value, list) else value

    return BeforeValidator(bounded)


Text = Annotated[str, _cut(MAX_TEXT)]
Evidence = Annotated[str, _cut(300)]
Name = Annotated[str, StringConstraints(max_length=_MAX_NAME)]
ShortName = Annotated[str, _cut(200)]
Count = Annotated[int, Field(ge=0, lt=1 << 62)]
Counts = Annotated[dict[Name, Count], _at_most(1000)]
Texts = Annotated[tuple[Text, ...], _cut(1000)]
Names = Annotated[tuple[Name, ...], _at_most(1000)]
Indices = Annotated[tuple[Count, ...], FailFast(), _at_most(1 << 16)]
Microseconds = Annotated[float, Field(ge=1e-6, le=1e12)]
Times = Annotated[tuple[Microseconds, ...], FailFast(), Field(min_length=1), _at_most(1 << 16)]


class NearMissRow(Message):
    """Why a rule did not match a graph: at which node of its pattern, what was expected and found there."""

    graph: Text
    rule: Text
    pattern_node: Text
    expected: Text
    found: Text
    reason: Text
    place: Text | None = None

    def on(self, graph: str) -> dict[str, str]:
        """As texts, under the name that its author knows the graph by."""
        row: dict[str, str] = self.model_dump(exclude_none=True)
        return row | {"graph": graph}


NearMisses = Annotated[tuple[NearMissRow, ...], _cut(100)]

# --- failures ----------------------------------------------------------------------------------------------------

# What a worker says of itself, and what the controller sees of it.
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
SeenFailure = Literal["dead", "timeout", "crash", "protocol", "processes", "memory", "background_work"]
FailureKind = SaidFailure | SeenFailure


# --- parts -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PassFiles:
    """The judged bytes of a pass set, by relative file name, and their content hash."""

    files: dict[str, str]
    content_hash: str


@dataclass(frozen=True)
class OutputFacts:
    """What eager's outputs are like: which share memory with inputs or earlier results, which repeat elements."""

    shared: Indices = ()
    expanded: Indices = ()


class OutputForm(Message):
    """Shape, dtype (short name) and strides, in elements, of one output of eager."""

    shape: Indices
    dtype: Name
    stride: Indices


class RuleNeeds(Message):
    """What a rule needs of a graph: canonical names of operations, and a hash of what its pattern computes."""

    rule: Name
    operations: Names
    structure: Name


class RuleWork(Message):
    """What a rule did to a graph: counts, and the microseconds that this took."""

    rule: Name
    tried: Count
    rejected_early: Count
    matched: Count
    refused: Count
    replaced: Count
    us: float


class WrapperCall(Message):
    """A call of a wrapper under the profiler: kernels by name (None: the profiler saw nothing), and whether it returned
    memory that it was not given."""

    wrapper: Name
    kernels: Annotated[dict[Name, Count], _at_most(100)] | None
    fresh: bool


NoteName = Literal[
    "library_call",
    "tensor_subclass",
    "output_alias",
    "output_reuse",
    "lazy_output",
    "kept_state",
    "guard_changed",
]
Note = tuple[NoteName, Evidence]

# --- answers -----------------------------------------------------------------------------------------------------


class Reply(Message):
    """What a worker answers."""


class Done(Reply):
    """Nothing more to say."""

    kind: Literal["done"] = "done"


class Failed(Reply):
    """The request failed. `near_misses`: of a pass set that matched nothing."""

    kind: Literal["failed"] = "failed"
    failure: SaidFailure
    message: Text
    trace: Text = ""
    near_misses: NearMisses = ()


class Layers(Reply):
    """The layers of the sandbox round the worker."""

    kind: Literal["layers"] = "layers"
    layers: Names


class Described(Reply):
    """What each loaded rule needs."""

    kind: Literal["described"] = "described"
    rules: Annotated[tuple[RuleNeeds, ...], _at_most(1000)]


class RewriteDone(Reply):
    """A dry run: the graph's change as a unified diff, what each rule did, replacements by rule."""

    kind: Literal["rewrite"] = "rewrite"
    diff: Annotated[str, _cut(_MAX_DIFF)]
    rules: Annotated[tuple[RuleWork, ...], _at_most(1000)]
    replacements: Counts


class Built(Reply):
    """A program was made: replacements by rule, and why rules did not match."""

    kind: Literal["built"] = "built"
    replacements: Counts = {}
    near_misses: NearMisses = ()


class Frozen(Reply):
    """Calls were recorded; rules whose calls are not replayed, and why."""

    kind: Literal["frozen"] = "frozen"
    not_frozen: Annotated[dict[ShortName, Annotated[str, _cut(400)]], _at_most(1000)]


class Probed(Reply):
    """What eager is like. `mutated`: inputs that it changes; `steady`: it repeats itself; `wide`: float64 works;
    `choosers`: operators whose indices may differ; `peak`, `twin`: bytes that calls of it and of its float64 form take.
    """

    kind: Literal["probed"] = "probed"
    outputs: Annotated[tuple[OutputForm, ...], _at_most(1000)]
    mutated: Indices
    wide: bool
    steady: bool
    choosers: Count
    facts: OutputFacts
    peak: Count
    twin: Count


class Dullness(Reply):
    """Whether the inputs leave eager's choosers nothing to tell apart."""

    kind: Literal["dullness"] = "dullness"
    dull: bool


class Followed(Reply):
    """Levels (output, smallest t or None) of the followed choices; None where there was nothing to follow."""

    kind: Literal["followed"] = "followed"
    levels: Annotated[tuple[tuple[Count, int | None], ...], _at_most(1000)] | None


class BlockDone(Reply):
    """A block of calls ended. `span_us`: from the end of the first call to that of the last by the worker's own clock;
    `notes`: of the run-time guard; `activity`: of the profiler; `skipped`: calls of kernels that were switched off."""

    kind: Literal["block"] = "block"
    calls: Count = 0
    span_us: float = 0.0
    notes: Annotated[tuple[Note, ...], _cut(100)] = ()
    activity: Annotated[tuple[WrapperCall, ...], _cut(200)] = ()
    skipped: Count | None = None


class EventTimes(Reply):
    """Device time of each call by CUDA events."""

    kind: Literal["events"] = "events"
    gpu_us: Times


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
    """What the handler of an extra request returned."""

    kind: Literal["extra"] = "extra"
    value: JsonValue = None


AnyReply = Annotated[
    Done
    | Failed
    | Layers
    | Described
    | RewriteDone
    | Built
    | Frozen
    | Probed
    | Dullness
    | Followed
    | BlockDone
    | EventTimes
    | PublishedTimes
    | KernelsCompiled
    | ExtraDone,
    Field(discriminator="kind"),
]


class Answer(Message):
    """A reply under the number of its request, so that none can be sent ahead."""

    id: Annotated[int, Field(ge=0, lt=_MAX_ID)]
    reply: AnyReply


# --- requests ----------------------------------------------------------------------------------------------------

R = TypeVar("R", bound=Reply)


class Request(Message, Generic[R]):
    """What the controller asks; `R` is the reply that it expects. `graph`: a directory; `device`: cpu or cuda."""


class Exit(Request[Done]):
    """The worker ends without an answer."""

    kind: Literal["exit"] = "exit"


class Hello(Request[Layers]):
    """Asked before anything untrusted is loaded, while the answer can be believed."""

    kind: Literal["hello"] = "hello"
    device: str


class LoadPasses(Request[Done]):
    """Execute a pass set. `scratch`, `cache`: directories; `simulate`: Triton is to believe in a device."""

    kind: Literal["load"] = "load"
    passes: PassFiles
    scratch: str
    cache: str
    device: str
    simulate: bool


class Describe(Request[Described]):
    """What the loaded rules need of a graph."""

    kind: Literal["describe"] = "describe"


class Rewrite(Request[RewriteDone]):
    """A dry run of the loaded rules; `raw`: matched as published, by identical spelling."""

    kind: Literal["rewrite"] = "rewrite"
    graph: str
    device: str
    raw: bool


class Build(Request[Built]):
    """Make the program of a compiler from a graph; `seed`: of the public examples."""

    kind: Literal["build"] = "build"
    graph: str
    device: str
    seed: int
    compiler: str


class Freeze(Request[Frozen]):
    """Record the wrappers' calls on the public examples, to be replayed."""

    kind: Literal["freeze"] = "freeze"
    seed: int


class Probe(Request[Probed]):
    """Reference only: what eager is like on the public examples."""

    kind: Literal["probe"] = "probe"
    seed: int


class LendBuffers(Request[Done]):
    """Map lent memory, whose descriptor comes beside this message; `handle`: of the device memory."""

    kind: Literal["lend"] = "lend"
    name: str
    layout: BufferLayout
    handle: str | None


class Expect(Request[Done]):
    """Reference only: eager and float64 outputs for the inputs lying in the buffers `expected`."""

    kind: Literal["expect"] = "expect"


class AskDull(Request[Dullness]):
    """Reference only: whether these inputs leave nothing to choose."""

    kind: Literal["dull"] = "dull"


class Follow(Request[Followed]):
    """Reference only: the same by the choices behind a candidate's outputs; `hidden`: those too that none shows."""

    kind: Literal["follow"] = "follow"
    hard: bool
    hidden: bool
    seconds: float


Variant = Literal["direct", "deployed", "null", "empty"]
Mode = Literal["plain", "guarded", "profiled", "ghost"]


class RunBlock(Request[BlockDone]):
    """Make the calls that become due on the control page; see `timing.blocks.BlockPlan`. `yields`: one core for all."""

    kind: Literal["block"] = "block"
    variant: Variant
    mode: Mode
    share: float
    facts: OutputFacts
    yields: bool
    pads: tuple[int, ...]
    swept: int


class TimeEvents(Request[EventTimes]):
    """Time so many calls by CUDA events; `draw`, `key`: where their inputs come from."""

    kind: Literal["events"] = "events"
    calls: int
    draw: int
    key: tuple[int, int]


class RunPublished(Request[PublishedTimes]):
    """Time both sides by the published protocol."""

    kind: Literal["published"] = "published"
    compiler: str
    warmup: int
    trials: int


class CompileTriton(Request[KernelsCompiled]):
    """Run the program once, with every Triton launch compiled instead of launched."""

    kind: Literal["triton"] = "triton"
    seed: int


class Extra(Request[ExtraDone]):
    """For a handler that a module of the fork server registered; the product has none."""

    kind: Literal["extra"] = "extra"
    name: str
    arguments: dict[str, JsonValue]


AnyRequest = Annotated[
    Exit
    | Hello
    | LoadPasses
    | Describe
    | Rewrite
    | Build
    | Freeze
    | Probe
    | LendBuffers
    | Expect
    | AskDull
    | Follow
    | RunBlock
    | TimeEvents
    | RunPublished
    | CompileTriton
    | Extra,
    Field(discriminator="kind"),
]


class Order(Message):
    """A request and its number."""

    id: int
    request: AnyRequest


def reply_to(request: Request[R]) -> type[R]:
    """The reply that a request expects."""
    base = type(request).__mro__[1]
    assert issubclass(base, Request)
    expected: type[R] = base.__pydantic_generic_metadata__["args"][0]
    return expected
