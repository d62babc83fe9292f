"""The memory that the measurement of a graph may take, and what is given up first when not all of it fits.

`plan` is arithmetic: the free memory is its argument. It gives up in this order:
1. several places and slots in the shared buffers,
2. memory that stopped workers keep for their next call,
3. processes, down to two a side,
4. comparing on the device.

If it still does not fit, the result is `NoRoom`. It says how many bytes were needed and free.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from passnet.bench.wire.memory import NoRoom

_FEWEST_LANES = 2
# CUDA takes this much of the device for each process. A forked process takes this much of the host beside its heap.
_CONTEXT_BYTES = {"cuda": 512 << 20, "cpu": 16 << 20}
# A candidate may need a little more than eager does: its allocator rounds, and so does ours.
_SLACK = 1.25
# Float64 copies that a comparison makes of one output (`verify`), in bytes an element.
_COMPARED_BYTES = 96
# This much stays free for other processes.
_LEFT_FREE = 0.02


@dataclass(frozen=True)
class MemoryNeed:
    """Bytes that a graph's measurement takes, each counted once.

    `heap`: of one worker during a call, above what it holds anyway.
    `tables`: of the draws.
    `wide`: of the outputs in float64 and of the call that makes them.
    `elements`: the number of elements of the largest output, not bytes.
    `running`: this many processes have already taken their basic memory.
    """

    device: str
    inputs: int
    outputs: int
    tables: int
    wide: int
    heap: int
    elements: int
    running: int = 0

    @property
    def context(self) -> int:
        return _CONTEXT_BYTES[self.device]

    @property
    def worker(self) -> int:
        """The bytes of one worker that is awake."""
        return int(self.heap * _SLACK)

    @property
    def whole(self) -> int:
        """The bytes of everything once. Rounding alone never adds up to this much."""
        return self.inputs + self.outputs + self.tables + self.wide + self.worker

    def of(self, room: MemoryPlan) -> int:
        """The bytes at the worst moment: lent memory, processes, awake workers, and the judge's own copies."""
        buffers = room.places * self.inputs + room.slots * self.outputs + self.tables
        workers = 2 * room.pairs
        holding = 2 if room.release else workers
        kept = 3 * (self.inputs + self.outputs) + self.wide
        compared = 0 if room.on_host else _COMPARED_BYTES * self.elements
        contexts = max(0, workers - self.running) * self.context
        return workers * buffers + contexts + holding * self.worker + kept + compared


@dataclass(frozen=True)
class MemoryPlan:
    """The plan of a graph: `pairs` of processes, and at most this many `places` and `slots` in its buffers.

    `release`: workers give memory back after each block. `on_host`: outputs are compared in host memory, which is
    slow.
    """

    pairs: int
    places: int
    slots: int
    release: bool = False
    on_host: bool = False

    def given_up(self, pairs: int, places: int, slots: int) -> tuple[str, ...]:
        """In words, what it lacks compared with a graph that has enough memory."""
        rows = (
            (self.places < places or self.slots < slots, "several places for inputs and outputs"),
            (self.release, "memory kept between blocks"),
            (self.pairs < pairs, f"{pairs - self.pairs} of {pairs} processes a side"),
            (self.on_host, "comparing on the device"),
        )
        return tuple(words for lacks, words in rows if lacks)


def plan(need: MemoryNeed, free: int, pairs: int, places: int, slots: int, *, frugal: bool = False) -> MemoryPlan:
    """The first plan that fits, from the largest to the smallest. NoRoom when the smallest does not fit.

    `frugal`: begin with the smallest, for a graph that did not fit as planned.
    """
    usable = int(free * (1 - _LEFT_FREE))
    rooms = list(_rooms(pairs, places, slots, on_device=need.device != "cpu"))
    if frugal:
        rooms = [room for room in rooms if room.release and room.pairs == min(_FEWEST_LANES, pairs)]
    for room in rooms:
        if need.of(room) <= usable:
            return room
    raise NoRoom(
        f"the graph does not fit on {need.device}, even with {rooms[-1].pairs} processes a side and one place each",
        needed=need.of(rooms[-1]),
        free=free,
    )


def _rooms(pairs: int, places: int, slots: int, *, on_device: bool) -> Iterator[MemoryPlan]:
    yield MemoryPlan(pairs, places, slots)
    yield MemoryPlan(pairs, 1, 1)
    fewest = min(_FEWEST_LANES, pairs)
    for count in range(pairs, fewest - 1, -1):
        yield MemoryPlan(count, 1, 1, release=True)
    if on_device:
        yield MemoryPlan(fewest, 1, 1, release=True, on_host=True)
