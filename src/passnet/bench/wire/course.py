"""The calls of a block as native code makes them: decided before, made due one after another, and timed.

Nothing is computed between one call's end and the order for the next one (`native/calls.h`). So a worker that goes on
after it has shown a call done has no free time.
"""

from __future__ import annotations

import ctypes
import secrets
from collections.abc import Mapping, Sequence
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

    `drawing`: nanoseconds from due to ready. Of these, `drawer`: those in which the drawer worked, and `holding`:
    those after it, in which the worker had the inputs.
    """

    drawing: int
    drawer: int
    holding: int
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
        ("looks", ctypes.c_void_p),
        *((name, ctypes.c_int64) for name in ("call", "phase", "drawn", "ready", "done", "began", "had", "rings")),
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
    """The calls of one block, in one worker's memory. `crowded`: worker and controller share their only core.

    `watched`: tensors of calls that will be kept. Bytes of these, chosen by chance, are read at once when the call is
    done. Everything for that is made ready before the block. So nobody feels before a call that it will be kept.
    """

    buffers: SharedBuffers
    calls: Sequence[DueCall]
    crowded: bool = False
    watched: Mapping[int, Sequence[torch.Tensor]] = field(default_factory=dict)
    _rows: np.ndarray = field(init=False, repr=False)
    _times: np.ndarray = field(init=False, repr=False)
    _native: _Course = field(init=False, repr=False)
    _looked_at: np.ndarray = field(init=False, repr=False)
    _looks: np.ndarray = field(init=False, repr=False)
    _seen: np.ndarray = field(init=False, repr=False)

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
        at = [_chosen_bytes(self.watched.get(call, ())) for call in range(count)]
        self._looks = np.concatenate([[0], np.cumsum([len(chosen) for chosen in at], dtype=np.int64)])
        self._looked_at = np.concatenate([np.zeros(0, np.uint64), *at])
        self._seen = np.zeros(len(self._looked_at), np.uint8)
        self._native = _Course(
            control=self.buffers.address_of(0), calls=self._rows.ctypes.data, times=self._times.ctypes.data,
            looked_at=self._looked_at.ctypes.data, seen=self._seen.ctypes.data, looks=self._looks.ctypes.data,
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

    def changed(self, call: int) -> int:
        """How many of the bytes that were read when this call was done are others now."""
        mine = slice(self._looks[call], self._looks[call + 1])
        at, seen = self._looked_at[mine], self._seen[mine]
        now = np.zeros_like(seen)
        look = generator.processor_library().passnet_look
        look.restype = None
        look(*map(ctypes.c_void_p, (at.ctypes.data, len(now), now.ctypes.data)))
        return int((now != seen).sum())

    def times(self) -> list[CallTimes]:
        """Of every call that was made."""
        return [CallTimes(*row) for row in self._times[: self._native.call].tolist()]


def _chosen_bytes(tensors: Sequence[torch.Tensor]) -> np.ndarray:
    """Addresses of bytes of these, chosen by chance: about `_LOOKS` together, and at least one of each."""
    spans = [(t.data_ptr(), t.untyped_storage().nbytes()) for t in tensors if t.numel()]
    if not spans:
        return np.zeros(0, np.uint64)
    starts, sizes = np.array(spans * -(-_LOOKS // len(spans)), np.uint64).T
    chance = np.frombuffer(secrets.token_bytes(8 * len(starts)), np.uint64)
    return np.asarray(starts + chance % sizes)
