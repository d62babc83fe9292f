"""Outputs that stay in the worker's memory, and that the controller reads there when it keeps a call.

Delivering outputs by a copy would be part of every timed call. Its cost is the same for all programs, so it would be
subtracted. But code that took a worker over needs no copy, and what is subtracted would then be its gain. So the
worker only shows where its outputs lie: address and strides, on the control page. It holds them until the next call is
due. Nothing of what it shows is believed. What is not there cannot be read.
"""

from __future__ import annotations

import bisect
import ctypes
import errno
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
import torch

from passnet.bench.wire.places import Footprint, lies_within, span
from passnet.graph.tensors.stored_bytes import as_stored

# How the memory that the controller lends is called where a process says what it has mapped. A candidate may make none.
LENT = "passnet-buffers"
# The first word of the control page for outputs. The others are in shared_buffers.py. The end of the page.
_FIRST_WORD, _END_WORD = 64, 512
# Strided memory is read whole where it is at most so many times what is wanted of it. Else it is read in parts.
_LOOSE = 4
_MOST_PARTS, _MOST_BYTES = 1 << 22, 1 << 40
# Of one system call: pieces, and bytes of a piece.
_PIECES, _PIECE_BYTES = 1024, 128 << 20
# No process has memory from here on.
_END_OF_MEMORY = 1 << 63
# A row of what a process has mapped: first address, end, rights, inode, name.
_ROW = re.compile(rb"^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ (\d+) *(.*)$", re.DOTALL)


class Unreadable(Exception):
    """What a worker showed is no place of such outputs."""


@dataclass(frozen=True)
class ShownOutput:
    """An output as it must be, and the word of the control page where its address stands, before its strides.

    `order`: the strides that eager gave it. Who shows others has left out a part of the work. None where any will do.
    """

    shape: tuple[int, ...]
    dtype: torch.dtype
    word: int
    order: tuple[int, ...] | None = None

    def footprint(self, address: int, strides: Sequence[int]) -> Footprint:
        """Where its elements lie."""
        return Footprint(self.shape, tuple(strides), address, self.dtype.itemsize)


class Memory(StrEnum):
    """Whose memory something lies in. A process's own has one address: nobody can map its pages a second time."""

    OWN = "memory of its own"
    LENT = "memory lent to it"
    OTHER = "memory that is shared or a file's"
    NONE = "no memory"


@dataclass(frozen=True)
class MappedPart:
    """A part of a process's memory that is of one kind: its first address, and the one behind it."""

    start: int
    end: int
    memory: Memory


def shown_outputs(
    outputs: Sequence[tuple[tuple[int, ...], torch.dtype]], orders: Mapping[int, tuple[int, ...]] | None = None
) -> tuple[ShownOutput, ...]:
    """The outputs with their words, side by side. `orders`: the strides that are due, by index."""
    found, word = [], _FIRST_WORD
    for index, (shape, dtype) in enumerate(outputs):
        found.append(ShownOutput(shape, dtype, word, (orders or {}).get(index)))
        word += 1 + len(shape)
    return tuple(found)


def words_of(outputs: Sequence[ShownOutput]) -> range:
    """The words of the control page that these take."""
    return range(_FIRST_WORD, outputs[-1].word + 1 + len(outputs[-1].shape)) if outputs else range(0)


def fit(shapes: Sequence[tuple[int, ...]]) -> bool:
    """Whether outputs of these shapes can be shown on one page."""
    return _FIRST_WORD + sum(1 + len(shape) for shape in shapes) <= _END_WORD


def may_read(pid: int) -> bool:
    """Whether this system lets us read the memory of a process, and what it has mapped. It asks for the right before it
    looks for the bytes.
    """
    if not os.access(f"/proc/{pid}/maps", os.R_OK):
        return False
    local = ctypes.create_string_buffer(1)
    pieces = np.array([[ctypes.addressof(local), 1], [0, 1]], np.uint64)
    return _read_pieces(pid, pieces[:1], pieces[1:]) >= 0 or ctypes.get_errno() == errno.EFAULT


def may_lie(footprint: Footprint) -> bool:
    """Whether a process may have memory wherever the elements lie, and between them."""
    return lies_within(footprint, 0, _END_OF_MEMORY)


def read(pid: int, output: ShownOutput, address: int, strides: Sequence[int]) -> torch.Tensor:
    """The output that lies there in the memory of a process, contiguous. Unreadable where nothing does."""
    if math.prod(output.shape) == 0:
        return torch.empty(output.shape, dtype=output.dtype)
    if not may_lie(output.footprint(address, strides)):
        raise Unreadable(f"an output at {address:#x} with the strides {tuple(strides)}")
    order = sorted((d for d, size in enumerate(output.shape) if size > 1), key=lambda d: strides[d])
    inner: list[int] = []
    extent = count = 1
    for dim in order:
        further = extent + (output.shape[dim] - 1) * strides[dim]
        if strides[dim] < 0 or further > _LOOSE * count * output.shape[dim]:
            break
        extent, count = further, count * output.shape[dim]
        inner.append(dim)
    outer = order[len(inner) :]
    parts = math.prod(output.shape[dim] for dim in outer)
    if parts > _MOST_PARTS or parts * extent * output.dtype.itemsize > _MOST_BYTES:
        raise Unreadable(f"an output at {address:#x} with the strides {tuple(strides)}")
    # The parts lie one after another in the copy. Among themselves they are ordered as the outer dimensions are.
    starts, own = np.zeros((), np.int64), dict.fromkeys(range(len(output.shape)), 0)
    step = extent
    for dim in outer:
        starts = np.add.outer(np.arange(output.shape[dim], dtype=np.int64) * strides[dim], starts)
        own[dim], step = step, step * output.shape[dim]
    own |= {dim: strides[dim] for dim in inner}
    copy = torch.empty(parts * extent, dtype=output.dtype)
    item = output.dtype.itemsize
    _fill(copy, pid, (address + starts.reshape(-1) * item).astype(np.uint64), extent * item)
    laid = as_stored(copy).as_strided(output.shape, [own[dim] for dim in range(len(output.shape))])
    return laid.contiguous().view(output.dtype)


@dataclass(frozen=True)
class MemoryMap:
    """What a process has mapped: a row of text for each range of addresses, in order."""

    rows: Sequence[bytes]

    @classmethod
    def of(cls, pid: int) -> MemoryMap:
        """What it has mapped now, nothing where it has ended. OSError where nobody may look."""
        return cls([row for row in Path(f"/proc/{pid}/maps").read_bytes().split(b"\n") if row])

    def between(self, first: int, end: int) -> list[MappedPart]:
        """The parts that reach into this range. Neighbours of one kind are one part."""
        found: list[MappedPart] = []
        behind = bisect.bisect_left(self.rows, end, key=_start)
        for text in self.rows[max(0, bisect.bisect_right(self.rows, first, key=_start) - 1) : behind]:
            row = _ROW.match(text)
            if row is None or int(row[2], 16) <= first:
                continue
            start, stop, memory = int(row[1], 16), int(row[2], 16), _memory(row[3], row[4], row[5])
            if found and found[-1].end == start and found[-1].memory is memory:
                start = found.pop().start
            found.append(MappedPart(start, stop, memory))
        return found


def _start(row: bytes) -> int:
    """The first address of a row."""
    return int(row.partition(b"-")[0], 16)


def _memory(rights: bytes, inode: bytes, name: bytes) -> Memory:
    """The kind of a row. What the system maps for itself has a name too."""
    if name.startswith(f"/memfd:{LENT}".encode()):
        return Memory.LENT
    private = rights.startswith(b"r") and rights.endswith(b"p") and inode == b"0"
    return Memory.OWN if private and (name in (b"", b"[heap]") or name.startswith(b"[anon:")) else Memory.OTHER


def lies_in(mapped: MemoryMap, output: ShownOutput, address: int, strides: Sequence[int]) -> frozenset[Memory]:
    """The kinds of memory between the first byte of an output that lies there and its last one."""
    if 0 in output.shape:
        return frozenset()
    first, end = span(output.footprint(address, strides))
    met = mapped.between(first, end)
    covered = sum(min(end, part.end) - max(first, part.start) for part in met)
    gaps = {Memory.NONE} if covered < end - first else set()
    return frozenset({part.memory for part in met} | gaps)


def _fill(copy: torch.Tensor, pid: int, starts: np.ndarray, nbytes: int) -> None:
    """Fill a tensor with as many bytes from each of these addresses."""
    offsets = np.arange(0, nbytes, _PIECE_BYTES, dtype=np.uint64)
    sizes = np.minimum(np.uint64(nbytes) - offsets, np.uint64(_PIECE_BYTES))
    theirs = np.stack([np.add.outer(starts, offsets).reshape(-1), np.tile(sizes, len(starts))], axis=1)
    at = copy.data_ptr()
    for first in range(0, len(theirs), _PIECES if nbytes <= _PIECE_BYTES else 1):
        some = np.ascontiguousarray(theirs[first : first + (_PIECES if nbytes <= _PIECE_BYTES else 1)])
        size = int(some[:, 1].sum())
        if _read_pieces(pid, np.array([[at, size]], np.uint64), some) != size:
            raise Unreadable(f"an output at {int(some[0, 0]):#x}: {os.strerror(ctypes.get_errno() or errno.EFAULT)}")
        at += size


def _read_pieces(pid: int, ours: np.ndarray, theirs: np.ndarray) -> int:
    """The bytes that were read, or -1 with `errno`."""
    call = ctypes.CDLL(None, use_errno=True).process_vm_readv
    call.restype = ctypes.c_ssize_t
    ctypes.set_errno(0)
    return int(call(
        ctypes.c_int(pid), ctypes.c_void_p(ours.ctypes.data), ctypes.c_ulong(len(ours)),
        ctypes.c_void_p(theirs.ctypes.data), ctypes.c_ulong(len(theirs)), ctypes.c_ulong(0),
    ))  # fmt: skip
