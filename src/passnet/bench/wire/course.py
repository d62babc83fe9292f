"""The calls of a block as native code makes them: decided before, made due one after another, and timed.

Nothing is computed between one call's end and the order for the next one (`native/calls.h`). So a worker that goes on
after it has shown a call done has no free time.
"""

from __future__ import annotations

import ctypes
import math
import os
import secrets
import time
import weakref
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import torch

from passnet.bench.wire import generator, staying
from passnet.bench.wire.shared_buffers import SharedBuffers
from passnet.graph.tensors.stored_bytes import bytes_of_storage


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

    `drawing`: nanoseconds from the end of the call before, or from due after a kept one, to ready. Of these, `drawer`:
    those in which the drawer worked, and `holding`: those after it, in which the worker had the inputs.
    """

    drawing: int
    drawer: int
    holding: int
    told: int
    done: int


class _Course(ctypes.Structure):
    """`struct Course` of native/calls.h."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("control", "page", "bell", "calls", "times")),
        *((name, ctypes.c_void_p) for name in ("outputs", "shown", "looked_at", "seen", "looks", "foreign")),
        *((name, ctypes.c_void_p) for name in ("pieces", "copied", "copies", "taken")),
        *((name, ctypes.c_int64) for name in ("count", "words", "pid", "unread", "pages")),
        *((name, ctypes.c_int64) for name in ("call", "phase", "drawn", "ready", "done", "began", "had", "rings")),
        ("patience_ns", ctypes.c_int64),
        ("yields", ctypes.c_int64),
        *((name, ctypes.c_int64) for name in ("stops", "busy", "thread")),
    )


_WORDS_OF_CALL = 9
# A phase of a call, the same number as in native/calls.h.
_DRAWING = 1
# Bytes of kept outputs. A fiftieth that is missing when a call is shown done is seen in half of the kept calls.
_LOOKS = 32
# Bytes of each output that are copied at once. To read more takes longer than to stop a process.
_PIECE_BYTES = 64 << 10


@dataclass
class Course:
    """The calls of one block, in one worker's memory. `crowded`: worker and controller share their only core.

    `watched`: of the calls that will be kept, tensors in our own memory. Bytes of these and of outputs in the memory of
    the process `pid`, chosen by chance, are read at once when the call is done. Everything for that is made ready
    before the block. So nobody feels before a call that it will be kept. `kept`: the calls of which whole pieces are
    copied then.
    """

    buffers: SharedBuffers
    calls: Sequence[DueCall]
    crowded: bool = False
    watched: Mapping[int, Sequence[torch.Tensor]] = field(default_factory=dict)
    pid: int = 0
    kept: Collection[int] = ()
    _rows: np.ndarray = field(init=False, repr=False)
    _times: np.ndarray = field(init=False, repr=False)
    _native: _Course = field(init=False, repr=False)
    _outputs: np.ndarray = field(init=False, repr=False)
    _sizes: np.ndarray = field(init=False, repr=False)
    _shown: np.ndarray = field(init=False, repr=False)
    _looked_at: np.ndarray = field(init=False, repr=False)
    _looks: np.ndarray = field(init=False, repr=False)
    _seen: np.ndarray = field(init=False, repr=False)
    _foreign: np.ndarray = field(init=False, repr=False)
    _pieces: np.ndarray = field(init=False, repr=False)
    _copied: np.ndarray = field(init=False, repr=False)
    _copies: np.ndarray = field(init=False, repr=False)
    _taken: np.ndarray = field(init=False, repr=False)

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
        shown = self.buffers.layout.shown
        self._sizes = np.array([size for output in shown for size in output.shape], np.int64)
        ends = np.cumsum([0, *(len(output.shape) for output in shown)])
        self._outputs = np.array([
            (output.word, len(output.shape), output.dtype.itemsize, self._sizes.ctypes.data + 8 * first)
            for output, first in zip(shown, ends.tolist(), strict=False)
        ], np.int64)  # fmt: skip
        words = len(staying.words_of(shown))
        self._shown = np.zeros((count, words), np.int64)
        self._looked_at, self._looks = _looks([self.watched.get(call) for call in range(count)], shown)
        self._seen, self._foreign = np.zeros((2, len(self._looked_at)), np.uint8)
        self._pieces, self._copied = _pieces_of(
            [self.watched.get(call) if call in self.kept else None for call in range(count)], shown
        )
        self._copies = np.empty(int((self._pieces[:, 2] + self._pieces[:, 3]).max(initial=0)), np.uint8)
        self._taken = np.zeros(len(self._pieces), np.uint8)
        self._native = _Course(
            control=self.buffers.address_of(0), calls=self._rows.ctypes.data, times=self._times.ctypes.data,
            outputs=self._outputs.ctypes.data, shown=self._shown.ctypes.data, looked_at=self._looked_at.ctypes.data,
            seen=self._seen.ctypes.data, looks=self._looks.ctypes.data, foreign=self._foreign.ctypes.data,
            pieces=self._pieces.ctypes.data, copied=self._copied.ctypes.data, copies=self._copies.ctypes.data,
            taken=self._taken.ctypes.data,
            count=len(shown), words=words, pid=self.pid, pages=self._pages() if shown else -1, yields=self.crowded,
        )  # fmt: skip
        if drawn is not None:
            page = drawn.page
            self._native.page, self._native.bell = page.address, page.bell.address
            self._native.patience_ns = int(page.patience_s * 1e9)

    def _pages(self) -> int:
        """The table of the worker's pages, as long as this object lives. -1 where the system has none to read."""
        try:
            pages = os.open(f"/proc/{self.pid}/pagemap", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return -1
        weakref.finalize(self, os.close, pages)
        return pages

    def go_on(self, end: int, slice_s: float, stops: int = 0) -> Now:
        """Make the calls before `end`, or go on with them for this time. `stops`: a group of processes that is sent
        SIGSTOP as soon as the last of them is done. A thread of ours runs on its core then, until `leave_core`.
        """
        self._native.stops = stops
        function = generator.processor_library().passnet_make_calls
        function.restype = ctypes.c_int64
        return Now(function(ctypes.byref(self._native), ctypes.c_int64(end), ctypes.c_int64(int(slice_s * 1e9))))

    def leave_core(self) -> None:
        """The worker's core is its own again. Safe to call twice."""
        generator.processor_library().passnet_leave_core(ctypes.byref(self._native))

    def is_copied_whole(self, call: int) -> bool:
        """Whether all that is kept of a call lies in our own memory and is copied at its end, every byte of it."""
        own = self.watched.get(call, ())
        return not self.buffers.layout.shown and all(t.untyped_storage().nbytes() <= _PIECE_BYTES for t in own)

    @property
    def awaits_drawer_s(self) -> float:
        """Seconds since the draw of the call that is due was ordered. 0 where it is drawn, or a worker draws it."""
        if self._native.phase != _DRAWING:
            return 0.0
        return (time.perf_counter_ns() - int(self._native.began)) / 1e9

    @property
    def drawer_s(self) -> float:
        """Seconds in which an order of this block was with the drawer. Asked while a call is under way."""
        if self.buffers.drawn is None:
            return 0.0
        made = self._times[: self._native.call]
        spans = made[:, CallTimes._fields.index("drawing")] - made[:, CallTimes._fields.index("holding")]
        until = time.perf_counter_ns() if self._native.phase == _DRAWING else int(self._native.had)
        return (int(spans.sum()) + until - int(self._native.began)) / 1e9

    def outputs(self, call: int) -> list[torch.Tensor]:
        """Copies of the outputs that stay in the worker's memory, of the call that was just done.

        staying.Unreadable where they do not lie where the worker showed them.
        """
        if self._native.unread:
            raise staying.Unreadable(f"{self._native.unread} bytes of outputs")
        return [staying.read(self.pid, *where) for where in self.places(call)]

    def places(self, call: int) -> Iterator[tuple[staying.ShownOutput, int, list[int]]]:
        """The outputs that stay in the worker's memory, with the address and the strides that it showed."""
        words = self._shown[call].tolist()
        for output in self.buffers.layout.shown:
            address, *strides = words[: 1 + len(output.shape)]
            words = words[1 + len(output.shape) :]
            yield output, address, strides

    def in_foreign_pages(self, call: int) -> frozenset[int]:
        """The outputs of which a byte that was looked at lay in a page of a file, or in a shared one, when the call was
        done. What the worker has mapped can be asked only afterwards, when it may have moved them.
        """
        mine = slice(self._looks[call], self._looks[call + 1])
        return frozenset(self._looked_at[mine][self._foreign[mine].astype(bool), 0].tolist())

    def changed(self, call: int, outputs: Sequence[torch.Tensor], own: Sequence[torch.Tensor]) -> int:
        """How many of the bytes that were read when this call was done are others in these copies: of outputs that stay
        with the worker, and of the watched tensors. What lies in memory now says nothing: it may have been put back.
        """
        copies = [_bytes_of(tensor) for tensor in outputs] if self.buffers.layout.shown else []
        ours = [bytes_of_storage(tensor) for tensor in own]
        starts = [tensor.data_ptr() for tensor in self.watched[call]]
        looks, pieces = slice(*self._looks[call : call + 2]), slice(*self._copied[call : call + 2])
        changed = 0
        for (number, at, byte), seen in zip(self._looked_at[looks].tolist(), self._seen[looks].tolist(), strict=True):
            now = ours[~number][at - starts[~number]] if number < 0 else copies[number][at, byte]
            changed += int(now) != seen
        taken = self._taken[pieces].astype(bool)
        for number, at, count, to in self._pieces[pieces][taken].tolist():
            whole = ours[~number] if number < 0 else copies[number].reshape(-1)
            first = at - starts[~number] if number < 0 else at
            changed += int(np.count_nonzero(whole[first : first + count] != self._copies[to : to + count]))
        return changed

    def times(self) -> list[CallTimes]:
        """Of every call that was made."""
        return [CallTimes(*row) for row in self._times[: self._native.call].tolist()]


def _looks(
    watched: Sequence[Sequence[torch.Tensor] | None], shown: Sequence[staying.ShownOutput]
) -> tuple[np.ndarray, np.ndarray]:
    """Bytes of our own tensors and of outputs that stay, chosen by chance, and the number of each call's first one.

    Of each call that is watched there are about `_LOOKS`, and one of each tensor. A row is a `struct Look` of
    native/calls.h. Of our own tensors, number n is ~n there.
    """
    stay = [
        (at, count, output.dtype.itemsize, 0) for at, output in enumerate(shown) if (count := math.prod(output.shape))
    ]
    staying_spans = _repeated(stay)
    spans = [_NO_SPANS]
    for own in watched:
        mine = [(~at, t.untyped_storage().nbytes(), 1, t.data_ptr()) for at, t in enumerate(own or ()) if t.numel()]
        spans.append(_NO_SPANS if own is None else _repeated([*mine, *stay]) if mine else staying_spans)
    rows = np.concatenate(spans)
    chance = np.frombuffer(secrets.token_bytes(16 * len(rows)), np.uint64).reshape(-1, 2)
    element, byte = (chance % rows[:, 1:3].astype(np.uint64)).astype(np.int64).T
    return np.stack([rows[:, 0], rows[:, 3] + element, byte], axis=1), np.cumsum([len(each) for each in spans])


def _pieces_of(
    watched: Sequence[Sequence[torch.Tensor] | None], shown: Sequence[staying.ShownOutput]
) -> tuple[np.ndarray, np.ndarray]:
    """Pieces of our own tensors and of outputs that stay, and the number of each call's first one.

    A row is a `struct Piece` of native/calls.h. A piece lies anywhere in a large tensor, and is copied in two parts of
    any size, the last one first: nobody knows what is read late. The copies of two calls lie in the same place.
    """
    stay = [(at, 0, math.prod(output.shape) * output.dtype.itemsize) for at, output in enumerate(shown)]
    rows, firsts = list[tuple[int, int, int, int]](), [0]
    for own in watched:
        mine = [(~at, t.data_ptr(), t.untyped_storage().nbytes()) for at, t in enumerate(own or ())]
        to = 0
        for number, at, whole in [] if own is None else [*mine, *stay]:
            count = min(whole, _PIECE_BYTES)
            if count:
                first, cut = secrets.randbelow(whole - count + 1), secrets.randbelow(count)
                rows += [(number, at + first + cut, count - cut, to), (number, at + first, cut, to + count - cut)]
                to += count
        firsts.append(len(rows))
    return np.array(rows, np.int64).reshape(-1, 4), np.array(firsts, np.int64)


_NO_SPANS = np.zeros((0, 4), np.int64)


def _repeated(spans: list[tuple[int, int, int, int]]) -> np.ndarray:
    """The spans, as often as makes `_LOOKS`."""
    return np.array(spans * -(-_LOOKS // len(spans)), np.int64) if spans else _NO_SPANS


def _bytes_of(tensor: torch.Tensor) -> np.ndarray:
    """The bytes of a contiguous tensor, a row for each element."""
    return tensor.reshape(-1).view(torch.uint8).numpy().reshape(max(1, tensor.numel()), -1)
