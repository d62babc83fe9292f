"""The calls of a block as native code makes them: decided before, made due one after another, and timed.

Nothing is computed between one call's end and the order for the next one (`native/calls.h`). So a worker that goes on
after it has shown a call done has no free time.
"""

from __future__ import annotations

import ctypes
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import torch

from passnet.bench.wire import generator
from passnet.bench.wire.shared_buffers import SharedBuffers


class Now(IntEnum):
    """How the native code came back. The numbers are the same as in native/calls.h."""

    MADE = 0
    STILL = 1
    UNASKED = 2


class DueCall(NamedTuple):
    """One call, before it is due: where its inputs and outputs go, and how its inputs are drawn.

    `swept`: bytes that are run through before it.
    """

    place: int
    slot: int
    draw: int
    key: tuple[int, int]
    swept: int


class CallTimes(NamedTuple):
    """When a call was told to go and when it was done, by the clock of `time.perf_counter_ns`.

    `drawing`: nanoseconds from due to drawn. `drawer`: of these, those in which the drawer worked.
    """

    drawing: int
    drawer: int
    told: int
    done: int


class _Course(ctypes.Structure):
    """`struct Course` of native/calls.h."""

    _fields_ = (
        ("control", ctypes.c_void_p),
        ("page", ctypes.c_void_p),
        ("bell", ctypes.c_void_p),
        ("calls", ctypes.c_void_p),
        ("times", ctypes.c_void_p),
        ("looked_at", ctypes.c_void_p),
        ("seen", ctypes.c_void_p),
        ("looks", ctypes.c_int64),
        *((name, ctypes.c_int64) for name in ("call", "phase", "drawn", "ready", "done", "began", "rings")),
        ("patience_ns", ctypes.c_int64),
        ("yields", ctypes.c_int64),
    )


_WORDS_OF_CALL = 9
# A phase of a call, the same number as in native/calls.h.
_DRAWING = 1
# Bytes of kept outputs. A hundredth that is missing when a call is shown done is seen in half of the kept calls.
_LOOKS = 64


@dataclass
class Course:
    """The calls of one block, in one worker's memory. `crowded`: worker and controller share their only core."""

    buffers: SharedBuffers
    calls: Sequence[DueCall]
    crowded: bool = False
    _rows: np.ndarray = field(init=False, repr=False)
    _times: np.ndarray = field(init=False, repr=False)
    _native: _Course = field(init=False, repr=False)
    _looked_at: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint64), repr=False)
    _seen: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8), repr=False)

    def __post_init__(self) -> None:
        drawn, count = self.buffers.drawn, len(self.calls)
        marks = np.frombuffer(secrets.token_bytes(16 * count), np.int64).reshape(count, 2) & (2**62 - 1) | 1
        rows = [
            (*(c.place, c.slot, c.draw, *c.key, c.swept), -1 if drawn is None else drawn.job(c.draw, c.place))
            for c in self.calls
        ]
        self._rows = np.hstack([marks, np.array(rows, np.int64)])
        self._times = np.zeros((count, len(CallTimes._fields)), np.int64)
        assert self._rows.shape == (count, _WORDS_OF_CALL)
        self._native = _Course(
            control=self.buffers.address_of(0), calls=self._rows.ctypes.data, times=self._times.ctypes.data,
            yields=self.crowded,
        )  # fmt: skip
        if drawn is not None:
            page = drawn.page
            self._native.page, self._native.bell = page.address, page.bell.address
            self._native.patience_ns = int(page.patience_s * 1e9)

    def go_on(self, end: int, slice_s: float) -> Now:
        """Make the calls before `end`, or go on with them for this time."""
        function = generator.processor_library().passnet_make_calls
        function.restype = ctypes.c_int64
        return Now(function(ctypes.byref(self._native), ctypes.c_int64(end), ctypes.c_int64(int(slice_s * 1e9))))

    @property
    def waits_for_drawer(self) -> bool:
        """Whether the call that is due is not drawn yet, and it is the drawer that draws."""
        return int(self._native.phase) == _DRAWING

    def look_at(self, tensors: Sequence[torch.Tensor]) -> None:
        """Bytes of these, chosen by chance, are read at the end of `go_on`, at once when the last call is done."""
        spans = [(t.data_ptr(), t.untyped_storage().nbytes()) for t in tensors if t.numel()]
        each = -(-_LOOKS // len(spans)) if spans else 0
        chosen = [start + secrets.randbelow(size) for _ in range(each) for start, size in spans]
        self._looked_at, self._seen = np.array(chosen, np.uint64), np.zeros(len(chosen), np.uint8)
        self._native.looked_at, self._native.seen = self._looked_at.ctypes.data, self._seen.ctypes.data
        self._native.looks = len(chosen)

    def changed(self) -> int:
        """How many of these bytes are others now."""
        now = np.zeros_like(self._seen)
        look = generator.processor_library().passnet_look
        look.restype = None
        look(*map(ctypes.c_void_p, (self._looked_at.ctypes.data, len(now), now.ctypes.data)))
        self._native.looks = 0
        return int((now != self._seen).sum())

    def times(self) -> list[CallTimes]:
        """Of every call that was made."""
        return [CallTimes(*row) for row in self._times[: self._native.call].tolist()]
