"""How many input sets, output slots, calls and groups of blocks a graph gets: arithmetic only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from passnet.bench.arena import ArenaLayout, pack
from passnet.bench.blocks import MAX_CALLS
from passnet.bench.protocol import Protocol

Shapes = list[tuple[tuple[int, ...], str]]
# Sets that a lead-in keeps to where no set is used again under the clock.
LEAD_SETS = 4
_MUTATING_BYTES = 64 << 20
_PAD_BYTES = 16 << 20
_MAX_SETS = {"reused": 6, "fresh": 256}


@dataclass(frozen=True)
class GraphShape:
    """What the sizes depend on: shapes and dtypes of inputs and outputs, and whether eager changes its inputs."""

    device: str
    inputs: Shapes
    outputs: Shapes
    mutates: bool

    @property
    def fresh_sets(self) -> bool:
        """Whether every call of a block needs a set of its own: nothing can be patched or restored in between."""
        return self.mutates or self.device != "cpu"


def layout(shape: GraphShape, protocol: Protocol, calls: int, rng: Random | None = None) -> ArenaLayout:
    """An arena for blocks of up to `calls` calls.

    CPU: few sets that stay near the caches, patched when they come round again. A graph that changes its inputs, and
    every graph on a GPU, gets a set for each call as far as memory allows.
    """
    set_bytes, slot_bytes = pack(shape.inputs)[1], pack(shape.outputs)[1]
    if shape.device != "cpu":
        sets = _clamp(protocol.device_bytes // set_bytes, 2, calls)
        slots = _clamp(protocol.device_bytes // slot_bytes, 2, calls)
    elif shape.mutates:
        sets = _clamp(_MUTATING_BYTES // set_bytes, 4, _MAX_SETS["fresh"])
        slots = _clamp(protocol.input_bytes // 2 // slot_bytes, 2, 4)
    else:
        sets = _clamp(protocol.input_bytes // set_bytes, 2, _MAX_SETS["reused"])
        slots = _clamp(protocol.input_bytes // 2 // slot_bytes, 2, 4)
    return ArenaLayout.plan(shape.device, shape.inputs, shape.outputs, sets=sets, slots=slots, jitter=rng)


def pads(shape: GraphShape, rng: Random) -> list[int]:
    """Bytes of idle tensors to be held during a block, so that its outputs lie elsewhere than those of other blocks.

    Sizes near the outputs' own take the free places that the allocator would hand out again and again.
    """
    if shape.device != "cpu":
        return []
    sizes = [layout.nbytes for layout in pack(shape.outputs)[0]]
    near = [size + 64 * rng.randrange(64) for size in sizes for _ in range(rng.randrange(3)) if size < _PAD_BYTES]
    return near + [64 * rng.randrange(1, 64) for _ in range(rng.randrange(4))]


def block_calls(us_per_call: float, protocol: Protocol, most: int) -> int:
    """Clocked calls of a block of about the protocol's length, at most `most`."""
    return _clamp(round(protocol.block_us / max(us_per_call, 0.1)), 1, max(1, min(most, MAX_CALLS)))


def quads(calls: int, least: int, protocol: Protocol) -> int:
    """Groups of blocks per process so that each side reaches the protocol's calls; a group has two blocks a side."""
    return max(least, math.ceil(protocol.min_calls / (2 * calls * protocol.processes)))


def _clamp(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))
