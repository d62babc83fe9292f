"""The number of input places, output slots, calls and groups of blocks that a graph gets: arithmetic only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.isolation.memory_plan import MemoryNeed, MemoryPlan
from passnet.bench.record.protocol import Protocol
from passnet.bench.wire.shared_buffers import BufferLayout, pack, widen

Shapes = list[tuple[tuple[int, ...], str]]
MOST_CALLS = 48
# What a block costs beside its calls is wasted on a single one.
_LEAST_CALLS = 3
# With drawing, a block takes at most this many times its length, unless it has very few calls.
_DRAWN_BLOCKS, _FEW_CALLS = 5.0, 8
_PAD_BYTES = 16 << 20
_MOST_PLACES, _MOST_SLOTS = 4, 4
_MORE_COMPARED, _LITTLE_BYTES = 2, 8 << 20
# Of so many timed calls of a block there is one sibling amid them, but no fewer and no more than these.
_AMID_ONE, _AMID = 10, (3, 6)
# Siblings of a verified block keep no more than the first. All that are compared read and write no more than the
# second.
_SIBLINGS_BYTES, _ALL_SIBLINGS_BYTES = 64 << 20, 8 << 30
_MOST_KEPT, _KEPT_BYTES = 4, 256 << 20
# Answers lie in lent memory and are copied from it: twice this share of what is free, and no more than these bytes.
_MOST_ANSWERS, _ANSWERS_SHARE = 16, 64
_ANSWERS_BYTES = {"cpu": 16 << 20, "cuda": 512 << 20}
# Longer calls find the caches as they leave them, so one call before the clock is enough.
_LONG_US = 5000.0


@dataclass(frozen=True)
class GraphShape:
    """The facts that the sizes depend on: shapes and dtypes of inputs and outputs, and the inputs that eager changes.

    `strides`: the order in which the elements of eager's outputs lie. Without it they are contiguous.
    `overwritten`: outputs whose memory must not come to the next call as it is. None where the candidate is trusted.
    `ordered`: outputs of which the order is a part of eager's work, see `OutputForm`.
    """

    device: str
    inputs: Shapes
    outputs: Shapes
    changed: tuple[int, ...] = ()
    strides: tuple[tuple[int, ...], ...] = ()
    overwritten: tuple[int, ...] = ()
    ordered: tuple[int, ...] = ()


def most(shape: GraphShape, protocol: Protocol) -> tuple[int, int]:
    """Places and slots of the buffers when memory is no problem: a few that stay near the caches, else one of each."""
    room = protocol.input_bytes if shape.device == "cpu" else protocol.device_bytes
    places = _clamp(room // pack(shape.inputs)[1], 1, _MOST_PLACES)
    return places, _clamp(room // 2 // pack(shape.outputs)[1], 1, _MOST_SLOTS)


def need(shape: GraphShape, given: SecretInputs, *, wide: bool, peak: int, twin: int, swept: int = 0) -> MemoryNeed:
    """The memory that a graph takes where its tensors live.

    `peak`, `twin`: bytes that a call of eager and of the float64 twin take for themselves. `swept`: bytes of the
    memory that empties the caches.
    """
    plain = BufferLayout.plan(
        shape.device,
        shape.inputs,
        shape.outputs,
        places=1,
        slots=1,
        wides=int(wide),
        changed=shape.changed,
        draws=given.layout(),
    )
    tensors = [*shape.outputs, *(shape.inputs if shape.changed else [])]
    return MemoryNeed(
        device=shape.device,
        inputs=plain.input_bytes,
        outputs=plain.output_bytes,
        tables=plain.table_bytes,
        wide=plain.wide_bytes + twin,
        heap=max(peak, swept),
        elements=max((math.prod(size) for size, _ in tensors), default=0),
    )


def layout(
    shape: GraphShape,
    protocol: Protocol,
    given: SecretInputs,
    rng: Random | None = None,
    room: MemoryPlan | None = None,
) -> BufferLayout:
    """The layout of buffers for timed and verified calls. They are as large as `most` says, or as the room allows.

    Each place is drawn into anew for every call. There are several places only to make their position a matter of
    chance. Slots are laid out like eager's outputs, so delivering is no extra work for a side.
    """
    places, slots = (room.places, room.slots) if room is not None else most(shape, protocol)
    return BufferLayout.plan(
        shape.device,
        shape.inputs,
        shape.outputs,
        places=places,
        slots=slots,
        jitter=rng,
        draws=given.layout(),
        strides=shape.strides,
        release=room is not None and room.release,
        overwritten=shape.overwritten,
        ordered=shape.ordered,
    )


def pads(shape: GraphShape, rng: Random) -> list[int]:
    """Bytes of idle tensors held during a block, so that its outputs lie elsewhere than those of other blocks.

    Sizes near the outputs' own take the free places that the allocator would use again and again.
    """
    if shape.device != "cpu":
        return []
    sizes = [layout.nbytes for layout in pack(shape.outputs)[0]]
    near = [size + 64 * rng.randrange(64) for size in sizes for _ in range(rng.randrange(3)) if size < _PAD_BYTES]
    return near + [64 * rng.randrange(1, 64) for _ in range(rng.randrange(4))]


def more_compared(shape: GraphShape) -> int:
    """The number of calls of a verification block that are compared beyond the usual two, where keeping them takes
    little.
    """
    size = sum(pack(each)[1] for each in (shape.inputs, shape.outputs))
    return _MORE_COMPARED if size <= _LITTLE_BYTES else 0


def most_siblings(shape: GraphShape) -> tuple[int, int]:
    """The number of siblings that a verification block takes, and that a whole verification takes."""
    inputs, outputs = (pack(each)[1] for each in (shape.inputs, shape.outputs))
    if inputs + outputs <= _LITTLE_BYTES:
        return _ALL_SIBLINGS_BYTES, _ALL_SIBLINGS_BYTES
    kept = outputs + inputs  # `BlockPlan.inputs` is set there
    return max(1, _SIBLINGS_BYTES // max(1, kept)), _ALL_SIBLINGS_BYTES // (inputs + outputs)


def siblings_amid(timed: int, shape: GraphShape) -> int:
    """The number of siblings amid the timed calls of a block. More take time in which nothing is measured."""
    return min(_clamp(round(timed / _AMID_ONE), *_AMID), max(1, _kept_at_once(shape)))


def most_kept(shape: GraphShape) -> int:
    """The number of calls of a timed block of which outputs stay kept, at most. With them stay inputs that eager
    changes.
    """
    return _clamp(_kept_at_once(shape), 1, _MOST_KEPT)


def _kept_at_once(shape: GraphShape) -> int:
    kept = [*shape.outputs, *(shape.inputs if shape.changed else [])]
    return _KEPT_BYTES // pack(kept)[1]


def block_calls(us_per_call: float, protocol: Protocol, draw_us: float = 0.0) -> int:
    """Timed calls of a block of about the protocol's length, or longer where this would be very few. They are fewer
    where drawing inputs takes far longer.
    """
    us = max(us_per_call, 0.1)
    few = max(_FEW_CALLS, round(_DRAWN_BLOCKS * protocol.block_us / (us + draw_us)))
    least = _LEAST_CALLS if us + draw_us < _LONG_US else 1
    return min(_clamp(round(protocol.block_us / us), least, MOST_CALLS), few)


def lead_calls(us_per_call: float, protocol: Protocol, draw_us: float = 0.0) -> int:
    """The calls of a block before the timed ones, in which a process that slept finds its caches again."""
    if us_per_call > _LONG_US:
        return 1
    half = max(protocol.lead_calls, block_calls(us_per_call, protocol, draw_us) // 2)
    return _clamp(round(protocol.lead_us / max(us_per_call, 0.1)), protocol.lead_calls, half)


def answered_at_once(shape: GraphShape, free: int) -> int:
    """The number of calls for which a reference answers at once. A GPU takes 0.15 ms to turn to another process.

    `free`: bytes of the device that nobody uses. Answers take a small part of them.
    """
    wide = [(size, widen(dtype)) for size, dtype in shape.outputs]
    taken = sum(pack(each)[1] for each in (shape.inputs, shape.outputs, wide))
    return _clamp(min(_ANSWERS_BYTES[shape.device], free // _ANSWERS_SHARE) // taken, 1, _MOST_ANSWERS)


def _clamp(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))
