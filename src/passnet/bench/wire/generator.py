"""Draws a call's inputs from its key by one native call: one launch on a GPU, one C++ function on the processor.

The same code runs in the controller, which judges, and in the workers, which call. So equal keys give equal bytes.
The controller builds the code and hands it to the worker server before the first fork. So a sandboxed worker
compiles nothing.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
import torch

from passnet.errors import InfrastructureError

_NATIVE = Path(__file__).parent / "native"
_SOURCE = _NATIVE / "draw.h"
# What the processor's library holds beyond the drawing: the speed of a core, orders, making calls, clearing the stack.
_MORE = tuple(_NATIVE / name for name in ("core_speed.h", "orders.h", "calls.h", "forget.h"))
_FUNCTION = "passnet_draw"
_THREADS, _MOST_BLOCKS, _PER_THREAD = 256, 2048, 4

# Taken at import. If a pass replaces it later, the replacement is not called.
_synchronise: Callable[[], None] = getattr(torch._C, "_cuda_synchronize", lambda: None)
# Draws into one place: the two words of a key.
Draw = Callable[[int, int], None]


class DrawKind(IntEnum):
    """How an input's elements are drawn. The numbers are the same as in native/draw.h."""

    COPY = 0
    PICK = 1
    BLEND_HALF = 2
    BLEND_BFLOAT = 3
    BLEND_FLOAT = 4
    BLEND_DOUBLE = 5
    RANGE = 6


# The kinds of floating dtypes.
BLENDS = {
    torch.float16: DrawKind.BLEND_HALF,
    torch.bfloat16: DrawKind.BLEND_BFLOAT,
    torch.float32: DrawKind.BLEND_FLOAT,
    torch.float64: DrawKind.BLEND_DOUBLE,
}


class _Input(ctypes.Structure):
    """`struct Input` of native/draw.h."""

    _fields_ = (
        ("out", ctypes.c_void_p),
        ("table", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("row", ctypes.c_int64),
        ("first", ctypes.c_uint64),
        ("last", ctypes.c_uint64),
        ("kind", ctypes.c_uint32),
        ("bytes", ctypes.c_uint32),
        ("entries", ctypes.c_uint32),
        ("number", ctypes.c_uint32),
        ("uneven", ctypes.c_uint32),
        ("odd_kind", ctypes.c_uint32),
        ("odd_entries", ctypes.c_uint32),
        ("odd_table", ctypes.c_void_p),
        ("inner", ctypes.c_int64),
        ("size", ctypes.c_int64),
        ("most", ctypes.c_int64),
        ("sized", ctypes.c_int64),
        ("least", ctypes.c_float),
        ("span", ctypes.c_float),
        ("numbers", ctypes.c_uint32),
        ("line", ctypes.c_int64),
        ("apart", ctypes.c_int64),
        ("share", ctypes.c_uint32),
        ("noise", ctypes.c_uint32),
        ("parts", ctypes.c_int64),
        ("height", ctypes.c_int64),
        ("related", ctypes.c_int64),
        ("block", ctypes.c_int64),
        ("unit", ctypes.c_float),
        ("centre", ctypes.c_float),
        ("opposes", ctypes.c_uint32),
        ("role", ctypes.c_uint32),
        ("run", ctypes.c_int64),
        ("tall", ctypes.c_int64),
        ("meets", ctypes.c_uint32),
        ("centres", ctypes.c_uint32),
        ("entirely", ctypes.c_uint32),
        ("other", ctypes.c_uint32),
        ("others", ctypes.c_int64),
        ("between", ctypes.c_int64),
        ("within", ctypes.c_int64),
        ("named", ctypes.c_int64),
        ("stride", ctypes.c_int64),
        ("namer", ctypes.c_uint32),
        ("naming", ctypes.c_uint32),
    )


# See `DrawnRow`. The last three are flags.
UNEVEN, ALL_UNEVEN, RIGHT, LEFT, MIXED, REGIONS = 1, 2, 3, 4, 5, 6
ALIKE_ROWS, SHARED_ROWS, KEPT = 8, 16, 32


@dataclass(frozen=True)
class DrawnRow:
    """Structure along an input's last dimension: the length of a row, and the bits of two elements that each row holds
    somewhere.

    `uneven`: in some rows all elements are like the first of these, in others like the second. In half of these rows
    one element is the other one. The rest are free. `ALL_UNEVEN`: all rows are alike but for one element.

    Else some elements of each row are shown, which are the first of the two, and all others are the second: in `RIGHT`
    a number of them from the row's beginning on, as before padding; in `LEFT` up to its end; in `MIXED` these, a run,
    all but a run, or scattered ones; in `REGIONS` a rectangle of each matrix of `height` rows, or all but one.
    `ALIKE_ROWS`: all rows or matrices are the same. `SHARED_ROWS`: so are rows of one number of all inputs. Mixed ones
    may be opposite, apart or within each other instead. `KEPT`: what is shown stays as it is drawn.
    """

    length: int
    first: int
    last: int
    uneven: int = 0
    height: int = 1


@dataclass(frozen=True)
class OddPlace:
    """Where the odd elements of an input are: at one of `size` places, to each of which `inner` neighbours belong.

    With a row's length and the number of rows it is a row. With 1 and a row's length it is a column. `most`: how many
    places the input of the graph has that has most of them. One number below it is drawn for all inputs.
    """

    inner: int
    size: int
    most: int


@dataclass(frozen=True)
class OddRuns:
    """The odd elements of an input are runs of its rows, each at a place and of a length that are drawn.

    `length`: of a row. `height`: how many rows a matrix has, of which a run of rows has such elements. `meets`: inputs
    have the same runs, and if they have one shape and equal tables, the same numbers in these.
    """

    length: int
    height: int
    meets: bool


@dataclass(frozen=True)
class RowSizes:
    """By which powers of two the rows of an input are multiplied at last, whatever else is drawn into them.

    `inner`: how many neighbours are a row. Its exponent is drawn between `least` and `least + span`. Inputs of the same
    exponents have the same power in rows of one number, so that rows that a graph adds up are of one size.
    """

    inner: int
    least: float
    span: float


# For the `apart` of lines that are in order: the sum of these less 1 is negated, see `in_order`.
_FROM_FIRST, _FALLS, _FURTHER = 1, 2, 4


@dataclass(frozen=True)
class AlikeLines:
    """Lines of an input that are alike or in order, as lines of `length` elements that are `apart` from each other.

    Some are like those of the same number in other inputs of the same table, some are all one line, some rise and some
    fall, if the table is sorted, and the elements of some come again after a few. With `apart` 0: matrices of so many
    rows and columns, some of them symmetric. Below 0 all lines are in order, see `in_order`.

    `share`: so many lines, from 0 to below 1, are near one line instead, which inputs have in common. All others are
    as they are drawn. `noise`: how far from that line they lie at most, as a share of the way through the table, from 0
    to below 1. `centres`: where it is not 0, they are near one of so many lines, and some in a part of their elements,
    or none with `entirely`.

    `others`: where it is not 0, these lines are some of so many rows of the input of number `other`. That is drawn
    element by element, and elements of a row are `between` from each other there. `within`: where it is not 0, such a
    row is one of the same so many as the line, as of one matrix of each. Below 0 it is that of the line's own number.
    """

    length: int
    apart: int
    share: float = 0.0
    noise: float = 0.0
    centres: int = 0
    entirely: bool = False
    other: int = 0
    others: int = 0
    between: int = 1
    within: int = 0

    @classmethod
    def in_order(cls, length: int, *, inner: int = 1, from_first: bool = False, falls: bool = False) -> AlikeLines:
        """Lines that all rise through a sorted table, or that all fall. Their elements are `inner` apart. `from_first`:
        each that rises begins with the table's first value.
        """
        return cls(length, -1 - _FROM_FIRST * from_first - _FALLS * falls - _FURTHER * (inner - 1))


# An input that takes no part in sums.
NO_ROLE = 3


@dataclass(frozen=True)
class RelatedRows:
    """Rows of `length` elements, some of which are those of the same number in other inputs, or opposite to these, or
    multiples, or sums of two others. All these have one table. Some `block`s of rows are related as one row.

    `unit`: what a row is multiplied by where it is a multiple. `centre`: what opposite numbers add up to, None where no
    row may be opposite. `role`: of three inputs with roles 0, 1 and 2 one is the sum of the others, each in its turn.
    """

    length: int
    block: int
    unit: float
    centre: float | None
    role: int = NO_ROLE


@dataclass(frozen=True)
class NamedRows:
    """Integers of which some are the numbers of rows: those near which lines of the input of number `namer` lie.

    `lines`: how many that has. Of `stride` lines each has one element. `share`, `centres`, `others` and `within` are
    those of its `AlikeLines`.
    """

    namer: int
    lines: int
    stride: int
    share: float
    centres: int
    others: int
    within: int = 0


@dataclass(frozen=True)
class Filled:
    """One input of one draw: its place, its table, and how it is drawn.

    `entries`: the number of values or ranges to choose from, or of spans between sorted values. `number`: its place in
    the signature, so that equal inputs get different values. `odd`: how the elements at the odd place or in runs are
    drawn.

    A complex number is drawn as two floats. Only content that is copied is complex itself.
    """

    out: torch.Tensor
    table: torch.Tensor
    kind: DrawKind
    entries: int
    number: int
    row: DrawnRow | None = None
    odd: Filled | None = None
    at: OddPlace | None = None
    sizes: RowSizes | None = None
    lines: AlikeLines | None = None
    related: RelatedRows | None = None
    runs: OddRuns | None = None
    names: NamedRows | None = None

    def record(self) -> _Input:
        out = self.out
        halves = 2 if out.is_complex() and not self.table.is_complex() else 1  # a complex number is two floats
        numbers = out.dtype.to_real() if out.is_complex() else out.dtype
        odd, at, sizes = self.odd or self, self.at or OddPlace(0, 0, 0), self.sizes or RowSizes(0, 0.0, 0.0)
        row, lines = odd.row or DrawnRow(0, 0, 0), self.lines or AlikeLines(0, 0)
        names = self.names or NamedRows(0, 0, 1, 0.0, lines.centres, lines.others, lines.within)
        related, runs = self.related or RelatedRows(0, 1, 1.0, None), self.runs or OddRuns(0, 1, False)
        return _Input(
            out.data_ptr(), self.table.data_ptr(), out.numel() * halves, row.length * halves, row.first, row.last,
            int(self.kind), out.element_size() // halves, self.entries, self.number, row.uneven,
            int(odd.kind), odd.entries, odd.table.data_ptr(), at.inner * halves, at.size, at.most,
            sizes.inner * halves, sizes.least, sizes.span, int(BLENDS.get(numbers, DrawKind.COPY)),
            lines.length, lines.apart, int(lines.share * (1 << 32)), int(lines.noise * (1 << 16)), halves, row.height,
            related.length * halves, related.block, related.unit, related.centre or 0.0, related.centre is not None,
            related.role, runs.length * halves, runs.height, runs.meets, names.centres, lines.entirely, lines.other,
            names.others, lines.between, names.within, names.lines, names.stride, names.namer,
            int(names.share * (1 << 32)),
        )  # fmt: skip


def drawer(inputs: Sequence[Filled], device: str) -> Draw:
    """A function that fills these inputs. On a GPU it returns when the values are there."""
    array, kept = records(inputs)
    if not kept:
        return lambda key0, key1: None
    return _OnProcessor(processor_function(), array, kept) if device == "cpu" else _OnDevice.make(array, kept)


def draw_some(inputs: Sequence[tuple[Filled, Sequence[int]]], words: tuple[int, int]) -> None:
    """Fill of each input the elements at these places alone, as a key fills the whole input. On the processor only."""
    known = [(given, at) for given, at in inputs if given.out.numel()]
    array, _ = records([given for given, _ in known])
    rows = [np.empty(0, np.int64)]
    for record, (_, at) in zip(array, known, strict=True):  # a complex number is two elements
        rows.append((np.array(at, np.int64)[:, None] * record.parts + np.arange(record.parts)).reshape(-1))
    places, begins = np.concatenate(rows), np.cumsum([len(row) for row in rows])
    function = processor_library().passnet_draw_some
    function.restype = None
    addresses = (ctypes.c_void_p(each.ctypes.data) for each in (places, begins))
    function(array, ctypes.c_int64(len(array)), *map(ctypes.c_uint64, words), *addresses)


def records(inputs: Sequence[Filled]) -> tuple[ctypes.Array[_Input], Sequence[Filled]]:
    """The inputs that have elements, as the native code reads them, and as they were given."""
    kept = [given for given in inputs if given.out.numel()]
    return (_Input * len(kept))(*(given.record() for given in kept)), kept


@dataclass
class _OnProcessor:
    """One call of the C++ function for all inputs. `kept`: the tensors whose addresses the records hold."""

    function: Callable[..., None]
    records: ctypes.Array[_Input]
    kept: Sequence[Filled]

    def __call__(self, key0: int, key1: int) -> None:
        count = ctypes.c_int64(len(self.records))
        self.function(self.records, count, ctypes.c_uint64(key0), ctypes.c_uint64(key1))


# --- where the code comes from ---------------------------------------------------------------------------------


@dataclass
class _Built:
    """The code that this process was given, if any. So it is not built twice, nor read from a path closed by a
    sandbox.
    """

    library: Path | None = None
    cubin: bytes | None = None


_built = _Built()


def build(device: str) -> tuple[str, str | None]:
    """Controller: the paths of the compiled library and, for a GPU, of the cubin. InfrastructureError without a
    compiler."""
    from passnet.kernels.native import build_trusted

    text = "\n".join(path.read_text(encoding="utf-8") for path in (_SOURCE, *_MORE))
    library = build_trusted(text, computes=True)
    return str(library), str(_cubin()) if device != "cpu" else None


def preload(library: str, cubin: str | None) -> None:
    """Worker server, before the first fork: take the code into memory, where every worker has it."""
    _built.library = Path(library)
    processor_function()
    if cubin is not None:
        _built.cubin = Path(cubin).read_bytes()


@functools.cache
def processor_library() -> ctypes.CDLL:
    """The C++ functions, built when this process was not given them."""
    return ctypes.CDLL(str(_built.library or build("cpu")[0]))


@functools.cache
def processor_function() -> Callable[..., None]:
    """The C++ function that draws."""
    function = getattr(processor_library(), _FUNCTION)
    function.restype = None
    return function  # type: ignore[no-any-return]  # ctypes leaves it open


def stack_cleaner() -> Callable[[], None]:
    """A function that clears what calls have left below the stack of the main thread."""
    function = processor_library().passnet_forget_stack
    function.restype = None
    return function


def _cubin() -> Path:
    from passnet.kernels.gpu.library import build_cubin

    return build_cubin(_SOURCE.read_text(encoding="utf-8"))


@functools.cache
def _device_function(device: int) -> tuple[ctypes.CDLL, ctypes.c_void_p]:
    """The kernel, loaded into this process's context of a device."""
    image = _built.cubin if _built.cubin is not None else _cubin().read_bytes()
    torch.empty(1, device=f"cuda:{device}")  # makes the primary context and sets it on this thread
    driver = ctypes.CDLL("libcuda.so.1")
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    _check(driver.cuModuleLoadData(ctypes.byref(module), image), "cuModuleLoadData")
    _check(driver.cuModuleGetFunction(ctypes.byref(function), module, _FUNCTION.encode()), "cuModuleGetFunction")
    return driver, function


def _check(status: int, call: str) -> None:
    if status:
        raise InfrastructureError(f"the inputs of a call could not be drawn: {call} failed with status {status}")


@dataclass
class _OnDevice:
    """One launch for all inputs. It waits for the launch. The records lie in device memory of this process."""

    launch: Callable[..., int]
    function: ctypes.c_void_p
    grid: tuple[int, int]
    records: torch.Tensor
    kept: Sequence[Filled]

    @classmethod
    def make(cls, array: ctypes.Array[_Input], kept: Sequence[Filled]) -> _OnDevice:
        index = torch.cuda.current_device()
        driver, function = _device_function(index)
        largest = max(record.count for record in array)
        blocks = min(_MOST_BLOCKS, -(-largest // (_THREADS * _PER_THREAD)))
        records = torch.frombuffer(bytearray(bytes(array)), dtype=torch.uint8).to(f"cuda:{index}")
        return cls(driver.cuLaunchKernel, function, (max(1, blocks), len(array)), records, kept)

    def __call__(self, key0: int, key1: int) -> None:
        given = (ctypes.c_uint64(self.records.data_ptr()), ctypes.c_uint64(key0), ctypes.c_uint64(key1))
        arguments = (ctypes.c_void_p * len(given))(*(ctypes.addressof(value) for value in given))
        x, y = self.grid
        _check(self.launch(self.function, x, y, 1, _THREADS, 1, 1, 0, None, arguments, None), "cuLaunchKernel")
        _synchronise()
