"""Where the elements of strided tensors lie: how many places they have, and which tensors share one.

No memory is read here. Shapes, strides and addresses are whatever an untrusted process says of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from numpy import asarray, ndarray, shares_memory
from numpy.exceptions import TooHardError

# Steps of the search for an element that two tensors share. Slices and permutations of one tensor need a few.
_MOST_STEPS = 10_000


@dataclass(frozen=True)
class Footprint:
    """The elements of a tensor: their shape, their strides in elements, the address of the first one, their bytes."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    address: int
    itemsize: int


def places(shape: Sequence[int], strides: Sequence[int]) -> int:
    """An upper bound on how many different places elements have. It is their number where no two of them share one.

    Dimensions are taken in groups, by size of their strides. Those of a group reach over multiples of the divisor that
    they have in common, so these bound its places. The best grouping counts.
    """
    if 0 in shape:
        return 0
    steps = sorted((abs(step), size) for size, step in zip(shape, strides, strict=True) if size > 1)
    bounds = [1]  # of the first dimensions, none of them, one, and so on
    for end in range(1, len(steps) + 1):
        reach = divisor = 0
        found = []
        for first in range(end - 1, -1, -1):
            step, size = steps[first]
            reach, divisor = reach + (size - 1) * step, math.gcd(divisor, step)
            found.append(bounds[first] * (reach // divisor + 1 if divisor else 1))
        bounds.append(min(found))
    return bounds[-1]


def lie_alike(shape: Sequence[int], strides: Sequence[int], others: Sequence[int]) -> bool:
    """Whether elements with these strides lie as with the others. A dimension of one element may have any."""
    return 0 in shape or all(a == b for size, a, b in zip(shape, strides, others, strict=True) if size > 1)


def span(footprint: Footprint) -> tuple[int, int]:
    """The address of the first byte, and the one behind the last byte. The footprint has elements."""
    reach = [(size - 1) * step for size, step in zip(footprint.shape, footprint.strides, strict=True)]
    first = footprint.address + sum(min(0, each) for each in reach) * footprint.itemsize
    return first, footprint.address + (sum(max(0, each) for each in reach) + 1) * footprint.itemsize


def lies_within(footprint: Footprint, start: int, end: int) -> bool:
    """Whether every byte lies from `start` on and before `end`. Numbers have no bounds here, and addresses have: one
    that is 2^64 too large is another. So whatever else is reckoned here holds only for what lies within real memory.
    """
    if 0 in footprint.shape:
        return True
    first, last = span(footprint)
    return start <= first and last <= end


def close(footprints: Sequence[Footprint]) -> Iterator[tuple[int, int]]:
    """The pairs of footprints, each as their indices in order, of which the spans have a byte in common."""
    spans = sorted((*span(footprint), index) for index, footprint in enumerate(footprints) if 0 not in footprint.shape)
    for at, (_, end, index) in enumerate(spans):
        for start, _, other in spans[at + 1 :]:
            if start >= end:
                break
            yield min(index, other), max(index, other)


def share(one: Footprint, other: Footprint) -> bool:
    """Whether two footprints have a byte in common. So it is said, too, where the search for one takes too long."""
    if 0 in one.shape or 0 in other.shape:
        return False
    lowest = min(span(one)[0], span(other)[0])
    try:
        arrays = _array(one, lowest), _array(other, lowest)
        return bool(shares_memory(*arrays, max_work=_MOST_STEPS))  # type: ignore[arg-type]  # numpy takes any number
    except (TooHardError, OverflowError, ValueError):  # the last two: numbers that no memory has
        return True


def memories(footprints: Sequence[Footprint]) -> tuple[int, ...]:
    """For each footprint the first one that it shares memory with, directly or by others between them, or itself."""
    found = list(range(len(footprints)))
    for one, other in close(footprints):
        if found[one] != found[other] and share(footprints[one], footprints[other]):
            first, later = sorted((found[one], found[other]))
            found = [first if number == later else number for number in found]
    return tuple(found)


class _Shown:
    """What numpy takes for an array."""

    def __init__(self, interface: dict[str, Any]) -> None:
        self.__array_interface__ = interface


def _array(footprint: Footprint, lowest: int) -> ndarray:
    """An array that lies as the footprint does, from the address `lowest` on. Nobody may read it."""
    interface = {
        "version": 3,
        "typestr": f"|V{footprint.itemsize}",
        "data": (footprint.address - lowest + 1, True),  # not 0: numpy would replace that
        "shape": footprint.shape,
        "strides": tuple(
            step * footprint.itemsize if size > 1 else footprint.itemsize
            for size, step in zip(footprint.shape, footprint.strides, strict=True)
        ),
    }
    return asarray(_Shown(interface))
