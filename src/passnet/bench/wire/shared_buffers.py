"""The memory that the controller owns and lends to one worker: control page, places of inputs, output slots, tables.

A place holds the inputs of one call. The worker's own trusted code draws them when the call is due, from tables
that the controller wrote. The control words always live in host memory (a memfd). On the CPU the tensors live there
too. On a GPU they live in a device buffer shared by CUDA IPC. A layout is plain data, so both sides build the same
tensor views from it.
"""

from __future__ import annotations

import ctypes
import fcntl
import functools
import mmap
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Protocol

import numpy as np
import torch

from passnet.bench.wire import cuda_ipc, generator, staying
from passnet.bench.wire.orders import Bell, OrderPage

# Words of the control page. Words that one side writes and the other reads have their own cache lines.
# The controller writes these: the call that is due and how to draw its inputs, then that it may be made.
DUE, GO = 0, 8
PLACE, SLOT, DRAW, KEY, SWEEP = 1, 2, 3, 4, 6
# The worker writes these: inputs drawn, call done, or that it cannot go on.
READY, DONE, FAILED = 16, 24, 32
STOP = -1
_USED = [DUE, PLACE, SLOT, GO, READY, DONE, FAILED]
# Only a worker that draws itself is told these.
_USED_TO_DRAW = [DRAW, KEY, KEY + 1, SWEEP]
_CONTROL_BYTES = 4096
_ALIGN, _PAGE = 64, 4096
_LARGE_BYTES = 64 << 10


@dataclass(frozen=True)
class TensorLayout:
    """Shape and dtype (short name) of one tensor, and its byte offset in a set or slot.

    `stride`: how its elements lie. No two of them share memory. None: contiguous.
    """

    shape: tuple[int, ...]
    dtype: str
    offset: int
    nbytes: int
    stride: tuple[int, ...] | None = None

    @property
    def torch_dtype(self) -> torch.dtype:
        dtype: torch.dtype = getattr(torch, self.dtype)
        return dtype

    @property
    def steps(self) -> tuple[int, ...]:
        """Its strides, also where it is contiguous."""
        return torch.empty(self.shape, device="meta").stride() if self.stride is None else self.stride

    @property
    def flat_shape(self) -> tuple[int, ...]:
        """The shape before it is strided."""
        return self.shape if self.stride is None else (self.nbytes // self.torch_dtype.itemsize,)


def pack(
    tensors: Sequence[tuple[tuple[int, ...], str]], jitter: Random | None = None
) -> tuple[tuple[TensorLayout, ...], int]:
    """Lay tensors out one after another, each 64-byte aligned as torch's own allocator does. Also returns the total
    bytes.

    With `jitter`, each tensor and each repetition of the whole starts at another place within its page. The
    relative places of operands can change a time by several percent. So the places must be random.
    """
    layouts, offset = [], 0
    for shape, dtype in tensors:
        nbytes = getattr(torch, dtype).itemsize
        for size in shape:
            nbytes *= size
        layouts.append(TensorLayout(tuple(shape), dtype, offset, nbytes))
        offset += -(-max(nbytes, 1) // _ALIGN) * _ALIGN
        if jitter is not None:
            offset += jitter.randrange(_PAGE // _ALIGN) * _ALIGN
    return tuple(layouts), max(offset, _ALIGN)


@dataclass(frozen=True)
class SourceLayout:
    """The values from which one input is drawn in one draw.

    `kind`: how it is drawn, as `generator.DrawKind`. The table has `entries` entries. `row`: its structure as
    `generator.DrawnRow`. A length of 0 means none. `held`: it is not drawn at all.
    `odd`: the draw from whose table of this input the elements at the odd place come, which is `at`, as
    `generator.OddPlace`. `sizes`: of its rows, as `generator.RowSizes`. `lines`: as `generator.AlikeLines`.
    `related`: as `generator.RelatedRows`. `runs`: as `generator.OddRuns`. `names`: as `generator.NamedRows`.
    """

    kind: int
    table: TensorLayout
    entries: int
    row: tuple[int, int, int, int, int] = (0, 0, 0, 0, 1)
    held: bool = False
    odd: int | None = None
    at: tuple[int, int, int] | None = None
    sizes: tuple[int, float, float] | None = None
    lines: tuple[int, int, float, float, int, bool, int, int, int, int] | None = None
    related: tuple[int, int, float, float | None, int] | None = None
    runs: tuple[int, int, bool] | None = None
    names: tuple[int, int, int, float, int, int, int] | None = None


@dataclass(frozen=True)
class BufferLayout:
    """The layout: `places` for inputs, `slots` for outputs, `wides` for these and changed inputs in float64, tables of
    the draws.

    `release`: a worker gives its unused memory back after every block. `overwritten`: outputs whose memory it
    overwrites after every call. `stays`: outputs are not delivered into slots. The worker shows where they lie
    (`staying.py`), and puts those into their order first that are `ordered`.
    """

    device: str
    inputs: tuple[TensorLayout, ...]
    input_bytes: int
    places: int
    outputs: tuple[TensorLayout, ...]
    output_bytes: int
    slots: int
    wide: tuple[TensorLayout, ...] = ()
    wide_bytes: int = 0
    wides: int = 0
    draws: tuple[tuple[SourceLayout, ...], ...] = ()
    table_bytes: int = 0
    release: bool = False
    overwritten: tuple[int, ...] = ()
    stays: bool = False
    ordered: tuple[int, ...] = ()

    @classmethod
    def plan(
        cls,
        device: str,
        inputs: Sequence[tuple[tuple[int, ...], str]],
        outputs: Sequence[tuple[tuple[int, ...], str]],
        *,
        places: int,
        slots: int,
        wides: int = 0,
        changed: Sequence[int] = (),
        jitter: Random | None = None,
        draws: tuple[tuple[tuple[SourceLayout, ...], ...], int] = ((), 0),
        strides: Sequence[tuple[int, ...]] = (),
        release: bool = False,
        overwritten: tuple[int, ...] = (),
        ordered: tuple[int, ...] = (),
    ) -> BufferLayout:
        """Plan a layout.

        `wides`: so many copies of the outputs have room with every floating dtype as float64 (complex as complex128),
        and of the inputs that are `changed`.
        `draws`: sources by draw and input, and the bytes of their tables.
        `strides`: of the outputs, where known.
        """
        packed_inputs, input_bytes = pack(inputs, jitter)
        if strides:
            flat = [((_extent(shape, stride),), dtype) for (shape, dtype), stride in zip(outputs, strides, strict=True)]
            packed_outputs, output_bytes = pack(flat, jitter)
            packed_outputs = tuple(map(_laid_over, packed_outputs, outputs, strides))
        else:
            packed_outputs, output_bytes = pack(outputs, jitter)
        doubled = [*outputs, *(inputs[index] for index in changed)] if wides else []
        packed_wide, wide_bytes = pack([(s, widen(d)) for s, d in doubled]) if wides else ((), 0)
        return cls(
            device,
            packed_inputs,
            input_bytes,
            places,
            packed_outputs,
            output_bytes,
            slots,
            packed_wide,
            wide_bytes,
            wides,
            *draws,
            release,
            overwritten,
            ordered=ordered,
        )

    def parted(self) -> tuple[BufferLayout, BufferLayout]:
        """The layout without its tables, for a worker, and that of the tables alone, for the drawer."""
        return (
            replace(self, draws=(), table_bytes=0),
            replace(self, places=0, slots=0, wide=(), wide_bytes=0, wides=0),
        )

    def outputs_staying(self) -> BufferLayout:
        """The same with outputs that stay in the worker's memory, where they are large and the control page has room.

        Delivering small ones takes no longer than looking at them there.
        """
        fit = staying.fit([output.shape for output in self.outputs])
        return replace(self, stays=fit and self.output_bytes >= _LARGE_BYTES)

    @functools.cached_property
    def shown(self) -> tuple[staying.ShownOutput, ...]:
        """The outputs that are shown on the control page."""
        forms = [(t.shape, t.torch_dtype) for t in self.outputs] if self.stays else []
        return staying.shown_outputs(forms, {index: self.outputs[index].steps for index in self.ordered})

    @property
    def tensor_bytes(self) -> int:
        return self.tables_start + self.table_bytes

    @property
    def tables_start(self) -> int:
        end = self.places * self.input_bytes + self.slots * self.output_bytes + self.wides * self.wide_bytes
        return -(-end // _ALIGN) * _ALIGN


def _extent(shape: tuple[int, ...], stride: tuple[int, ...]) -> int:
    """Elements from the first to the last, gaps included."""
    return 1 + sum((size - 1) * step for size, step in zip(shape, stride, strict=True)) if 0 not in shape else 0


def _laid_over(layout: TensorLayout, output: tuple[tuple[int, ...], str], stride: tuple[int, ...]) -> TensorLayout:
    return replace(layout, shape=output[0], stride=stride)


def widen(dtype: str) -> str:
    """The float64 (or complex128) counterpart of a floating dtype name. Other dtypes are unchanged."""
    if dtype.startswith("complex"):
        return "complex128"
    return "float64" if dtype.startswith(("float", "bfloat")) else dtype


class DrawnPlaces(Protocol):
    """Draws into the places of a worker from outside it, by orders on a page."""

    @property
    def page(self) -> OrderPage: ...

    def job(self, draw: int, place: int) -> int:
        """The number by which a draw into a place is ordered."""

    def close(self) -> None: ...


@dataclass
class SharedBuffers:
    """Tensor views and control words over one piece of lent memory, on either side.

    `drawn`: who draws into the places. None where the worker does so itself. `bell`: the worker's, to call the drawer.
    """

    layout: BufferLayout
    control: memoryview
    places: list[list[torch.Tensor]]
    slots: list[list[torch.Tensor]]
    wide: list[list[torch.Tensor]]
    tables: list[list[torch.Tensor]]
    fd: int
    device_handle: str | None = None
    host: mmap.mmap | None = None
    _device: cuda_ipc.DeviceBuffer | None = field(default=None, repr=False)
    drawn: DrawnPlaces | None = None
    bell: Bell | None = None
    _drawers: dict[tuple[int, int], generator.Draw] = field(default_factory=dict, repr=False)
    _every_slot: torch.Tensor | None = field(default=None, repr=False)

    @classmethod
    def create(cls, layout: BufferLayout) -> SharedBuffers:
        """Controller side: allocate the memory. The caller passes `fd` and `device_handle` to the worker."""
        on_host = layout.device == "cpu"
        fd = os.memfd_create(staying.LENT, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(fd, _CONTROL_BYTES + (layout.tensor_bytes if on_host else 0))
        # Without seals a worker could shrink the file and so end the controller by SIGBUS.
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
        buffer = None if on_host else cuda_ipc.DeviceBuffer.allocate(layout.tensor_bytes)
        return cls._over(layout, fd, buffer)

    @classmethod
    def open(cls, layout: BufferLayout, fd: int, device_handle: str | None) -> SharedBuffers:
        """Worker side: map what the controller lent."""
        buffer = cuda_ipc.DeviceBuffer.open(device_handle, layout.tensor_bytes) if device_handle is not None else None
        return cls._over(layout, fd, buffer)

    @classmethod
    def _over(cls, layout: BufferLayout, fd: int, buffer: cuda_ipc.DeviceBuffer | None) -> SharedBuffers:
        host = mmap.mmap(fd, _CONTROL_BYTES + (layout.tensor_bytes if buffer is None else 0))

        def views(tensors: tuple[TensorLayout, ...], start: int) -> list[torch.Tensor]:
            if buffer is not None:
                flat = [buffer.tensor(t.torch_dtype, t.flat_shape, start + t.offset, t.nbytes) for t in tensors]
            else:
                flat = [_host_tensor(host, t, _CONTROL_BYTES + start + t.offset) for t in tensors]
            return list(map(_laid_out, flat, tensors))

        after_places = layout.places * layout.input_bytes
        after_slots = after_places + layout.slots * layout.output_bytes
        return cls(
            layout,
            memoryview(host)[:_CONTROL_BYTES].cast("q"),
            [views(layout.inputs, i * layout.input_bytes) for i in range(layout.places)],
            [views(layout.outputs, after_places + i * layout.output_bytes) for i in range(layout.slots)],
            [views(layout.wide, after_slots + i * layout.wide_bytes) for i in range(layout.wides)],
            [views(tuple(source.table for source in draw), layout.tables_start) for draw in layout.draws],
            fd,
            buffer.handle if buffer is not None else None,
            host,
            buffer,
            _every_slot=_bytes_of_slots(layout, after_places, views) if _filled_alike(layout) else None,
        )

    def drawer(self, draw: int, place: int) -> generator.Draw:
        """The function that draws the inputs of a call into a place, from this memory's own tables."""
        if (draw, place) not in self._drawers:
            self._drawers[draw, place] = generator.drawer(self.filled(self.places[place], draw), self.layout.device)
        return self._drawers[draw, place]

    def filled(self, place: Sequence[torch.Tensor], draw: int) -> list[generator.Filled]:
        """The inputs of one draw from these tables, at a place that may lie in other memory."""
        sources = self.layout.draws[draw]
        return [self._filled(out, draw, number) for number, out in enumerate(place) if not sources[number].held]

    def _filled(self, out: torch.Tensor, draw: int, number: int) -> generator.Filled:
        source = self.layout.draws[draw][number]
        odd = self._filled(out, source.odd, number) if source.odd is not None else None
        at = generator.OddPlace(*source.at) if source.at else None
        sizes = generator.RowSizes(*source.sizes) if source.sizes else None
        kind, row = generator.DrawKind(source.kind), generator.DrawnRow(*source.row)
        lines = generator.AlikeLines(*source.lines) if source.lines else None
        related = generator.RelatedRows(*source.related) if source.related else None
        runs = generator.OddRuns(*source.runs) if source.runs else None
        names = generator.NamedRows(*source.names) if source.names else None
        how = (row, odd, at, sizes, lines, related, runs, names)
        return generator.Filled(out, self.tables[draw][number], kind, source.entries, number, *how)

    def address_of(self, word: int) -> ctypes.c_void_p:
        """The address of a control word."""
        return ctypes.c_void_p(ctypes.addressof(ctypes.c_int64.from_buffer(self.control, 8 * word)))

    def poison(self, slot: int) -> None:
        """Overwrite one output slot with bytes that are NaN in every floating dtype and implausible elsewhere."""
        for tensor in self.slots[slot]:
            if tensor.numel():
                in_order = (
                    tensor.as_strided((_extent(tensor.shape, tensor.stride()),), (1,)) if tensor.dim() else tensor
                )
                in_order.view(_poison_dtype(tensor)).fill_(_poison_value(tensor))

    def poison_all(self) -> None:
        """Poison every output slot that is used, by one fill where the same bytes do for all outputs."""
        if self.layout.stays:
            return
        if self._every_slot is not None:
            self._every_slot.fill_(0xFF)
            return
        for slot in range(len(self.slots)):
            self.poison(slot)

    def reset(self) -> None:
        """Clear the control words before a block."""
        for word in (DUE, GO, READY, DONE, FAILED, SWEEP, *staying.words_of(self.layout.shown)):
            self.control[word] = 0

    def is_scribbled_on(self) -> bool:
        """Whether something stands on the control page where neither side writes."""
        words = np.frombuffer(self.control, np.int64)
        used = [*_USED, *staying.words_of(self.layout.shown)]
        return bool(np.delete(words, used if self.drawn is not None else used + _USED_TO_DRAW).any())

    def close(self) -> None:
        if self.drawn is not None:
            self.drawn.close()
            self.drawn = None
        if self.bell is not None:
            self.bell.close()
        self.places, self.slots, self.wide, self.tables, self._every_slot = [], [], [], [], None
        self._drawers.clear()
        if self._device is not None:
            self._device.close()
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def _filled_alike(layout: BufferLayout) -> bool:
    """Whether bytes of 0xFF poison all outputs. A boolean has no such value, and a single integer would be -1."""
    return all(tensor.shape and tensor.dtype != "bool" for tensor in layout.outputs)


def _bytes_of_slots(
    layout: BufferLayout, start: int, views: Callable[[tuple[TensorLayout, ...], int], list[torch.Tensor]]
) -> torch.Tensor | None:
    """All slots side by side."""
    size = layout.slots * layout.output_bytes
    return views((TensorLayout((size,), "uint8", 0, size),), start)[0] if size else None


def _laid_out(tensor: torch.Tensor, layout: TensorLayout) -> torch.Tensor:
    return tensor if layout.stride is None else tensor.as_strided(layout.shape, layout.stride)


def _poison_dtype(tensor: torch.Tensor) -> torch.dtype:
    return torch.uint8 if tensor.dim() and tensor.dtype is not torch.bool else tensor.dtype


def _poison_value(tensor: torch.Tensor) -> float:
    if tensor.dim() and tensor.dtype is not torch.bool:
        return 0xFF
    if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
        return float("nan")
    return True if tensor.dtype is torch.bool else torch.iinfo(tensor.dtype).max


def _host_tensor(host: mmap.mmap, layout: TensorLayout, start: int) -> torch.Tensor:
    """A tensor with its own storage over the mapped memory. Inputs must not look like views of one base."""
    dtype = layout.torch_dtype
    if layout.nbytes == 0:
        return torch.empty(layout.flat_shape, dtype=dtype)
    count = layout.nbytes // dtype.itemsize
    return torch.frombuffer(host, dtype=dtype, count=count, offset=start).reshape(layout.flat_shape)
