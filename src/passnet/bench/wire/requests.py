"""The controller's requests to workers: one frozen model for each request, with the reply that it expects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Generic, Literal

from pydantic import Field, JsonValue

from passnet.bench.wire.message import WireMessage
from passnet.bench.wire.replies import (
    BlockDone,
    CallsRecorded,
    CaptureDone,
    ChoicesFollowed,
    Described,
    Done,
    DrawsAdded,
    Dullness,
    EventTimes,
    ExtraDone,
    KernelsCompiled,
    Layers,
    OutputFacts,
    Probed,
    ProgramBuilt,
    PublishedTimes,
    R,
    RewriteDone,
)
from passnet.bench.wire.shared_buffers import BufferLayout


@dataclass(frozen=True)
class PassFiles:
    """The judged bytes of a pass set, by relative file name, and their content hash."""

    files: dict[str, str]
    content_hash: str


class Request(WireMessage, Generic[R]):
    """The controller's request. `R` is the expected reply. `graph`: a directory. `device`: cpu or cuda."""


class Exit(Request[Done]):
    """The worker ends without an answer."""

    kind: Literal["exit"] = "exit"


class Hello(Request[Layers]):
    """Sent before anything untrusted is loaded, while the answer can be believed."""

    kind: Literal["hello"] = "hello"
    device: str


class LoadPasses(Request[Done]):
    """Execute a pass set. `scratch`, `cache`: directories. `simulate`: Triton is to believe in a device."""

    kind: Literal["load"] = "load"
    passes: PassFiles
    scratch: str
    cache: str
    device: str
    simulate: bool
    on_processor: bool


class Describe(Request[Described]):
    """Ask what the loaded rules need of a graph."""

    kind: Literal["describe"] = "describe"


class Rewrite(Request[RewriteDone]):
    """A dry run of the loaded rules. `raw`: matched as published, by identical spelling."""

    kind: Literal["rewrite"] = "rewrite"
    graph: str
    device: str
    raw: bool


class BuildProgram(Request[ProgramBuilt]):
    """Make the program of a compiler from a graph. `seed`: of the public examples."""

    kind: Literal["build"] = "build"
    graph: str
    device: str
    seed: int
    compiler: str


class Freeze(Request[CallsRecorded]):
    """Record the wrappers' calls on the public examples. The records are replayed later."""

    kind: Literal["freeze"] = "freeze"
    seed: int


class Probe(Request[Probed]):
    """Reference only: describe eager on the public examples."""

    kind: Literal["probe"] = "probe"
    seed: int


class LendBuffers(Request[Done]):
    """Map lent memory. Its descriptor comes beside this message, and that of the bell if a drawer draws.

    `handle`: of the device memory.
    """

    kind: Literal["lend"] = "lend"
    name: str
    layout: BufferLayout
    handle: str | None


class Expect(Request[Done]):
    """Reference only: eager and float64 outputs for the inputs in the first `count` places of `expected`."""

    kind: Literal["expect"] = "expect"
    count: int = 1


class Roughen(Request[Done]):
    """Reference only: in place of float64's outputs those in which all values are off in one way, see `rough_twin`."""

    kind: Literal["roughen"] = "roughen"
    look: str
    seed: int


class AskDull(Request[Dullness]):
    """Reference only: whether these inputs leave nothing to choose."""

    kind: Literal["dull"] = "dull"


class Follow(Request[ChoicesFollowed]):
    """Reference only: the outputs by the choices behind a candidate's outputs. `hidden`: also choices that no output
    shows. `ties`: of these, any order of equal scores.
    """

    kind: Literal["follow"] = "follow"
    hard: bool
    hidden: bool
    ties: bool = False
    seconds: float


Variant = Literal["direct", "deployed", "null", "empty", "captured", "copied"]
# Replays of captured graphs, and the place and the slot that these read and write.
CAPTURED: frozenset[Variant] = frozenset({"captured", "copied"})
CAPTURED_PLACE, CAPTURED_SLOT = 0, 0
Mode = Literal["plain", "guarded", "profiled", "ghost"]


class RunBlock(Request[BlockDone]):
    """Make the calls that become due on the control page, see `timing.blocks.BlockPlan`.

    `fill`: the byte that memory holds when a call gets it, while kernels are switched off.
    `yields`: one core for all. `team`: calls are made in other threads, with teams of so many. 0: in the main thread.
    `drawn`: the drawer draws the inputs when this worker rings for it.
    """

    kind: Literal["block"] = "block"
    variant: Variant
    mode: Mode
    fill: int
    share: float
    facts: OutputFacts
    yields: bool
    team: int
    drawn: bool
    pads: tuple[int, ...]
    swept: int


class TakeOrders(Request[Done]):
    """Drawer only: take orders from the page that comes beside this message. `cores`: of the workers."""

    kind: Literal["take_orders"] = "take_orders"
    cores: tuple[int, ...]


class AddDraws(Request[DrawsAdded]):
    """Drawer only: make jobs of all draws into all places. The memory of `places` and of `tables` comes beside it."""

    kind: Literal["add_draws"] = "add_draws"
    places: BufferLayout
    tables: BufferLayout


class DropDraws(Request[Done]):
    """Drawer only: forget the jobs from this one on that were added with it."""

    kind: Literal["drop_draws"] = "drop_draws"
    first: int


class TimeEvents(Request[EventTimes]):
    """Time this many calls by CUDA events. `draw`, `key`: where their inputs come from."""

    kind: Literal["events"] = "events"
    calls: int
    draw: int
    key: tuple[int, int]


class Capture(Request[CaptureDone]):
    """Capture the program's call, for blocks of variant `captured`. `copied`: also a call in which nothing is
    computed.
    """

    kind: Literal["capture"] = "capture"
    copied: bool


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
    """For a handler that a module of the fork server registered. The product has none."""

    kind: Literal["extra"] = "extra"
    name: str
    arguments: dict[str, JsonValue]


AnyRequest = Annotated[
    Exit
    | Hello
    | LoadPasses
    | Describe
    | Rewrite
    | BuildProgram
    | Freeze
    | Probe
    | LendBuffers
    | Expect
    | Roughen
    | AskDull
    | Follow
    | RunBlock
    | TakeOrders
    | AddDraws
    | DropDraws
    | TimeEvents
    | Capture
    | RunPublished
    | CompileTriton
    | Extra,
    Field(discriminator="kind"),
]


class Order(WireMessage):
    """A request and its number."""

    id: int
    request: AnyRequest


def reply_to(request: Request[R]) -> type[R]:
    """The reply that a request expects."""
    base = type(request).__mro__[1]
    assert issubclass(base, Request)
    expected: type[R] = base.__pydantic_generic_metadata__["args"][0]
    return expected
