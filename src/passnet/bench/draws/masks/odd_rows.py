"""Where the odd elements of a draw may lie: in a row, a block of rows, a column, or in one element.

If all rows of an input were hard alike, its first row would tell. So each hard draw has siblings, in which one place is
hard and all others are ordinary.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from passnet.bench.wire.generator import OddPlace

Shape = tuple[int, ...]
# Elements that are neighbours, and how many such places there are before they repeat.
Place = tuple[int, int]
# Of so many elements some are above zero and some below, but for one call in 128.
_FEW = 8


def places(shapes: Sequence[Shape], rng: Random, *, together: bool = False) -> list[list[OddPlace | None]]:
    """For each sibling of a hard draw the odd place in each input of these shapes. None: its elements are alike.

    The first has a row of each input. The second has a block of rows of each, if any input has such. In half of the
    calls one input alone is odd, the largest or in the second any one: another input must not tell that there is
    something odd. `together`: never so.
    """
    sizes = [math.prod(shape) for shape in shapes]
    found = []
    for dims in (1, 2):
        blocks = [_block(shape, dims) for shape in shapes]
        odd = [index for index, block in enumerate(blocks) if block]
        alone = (max(odd, key=sizes.__getitem__) if dims == 1 else rng.choice(odd)) if odd and not together else None
        found.append(_together(blocks, shapes, alone))
    return [each for each in found if any(each)]


def lone_place(shapes: Sequence[Shape], rng: Random) -> list[OddPlace | None]:
    """Another odd place, in one input of these shapes. Nones where there is none.

    It is a column or a slice, or it is single elements. Of these there are a few, so that some are far above zero and
    some far below.
    """
    others = [(index, place) for index, shape in enumerate(shapes) for place in _others(shape)]
    if not others:
        return [None] * len(shapes)
    chosen, place = rng.choice(others)
    if place == (1, math.prod(shapes[chosen])) and place[1] >= _FEW**2:
        place = (1, place[1] // _FEW)
    return _together([place if index == chosen else None for index in range(len(shapes))])


def _block(shape: Shape, dims: int) -> Place | None:
    """The elements of the last dimensions. None where they are the whole input."""
    inner = math.prod(shape[-dims:])
    return (inner, math.prod(shape) // inner) if len(shape) >= dims and 0 < inner < math.prod(shape) else None


def _others(shape: Shape) -> list[Place]:
    """One element, or one index of a dimension, with all of the other dimensions or with none before it."""
    count = math.prod(shape)
    inners = [(math.prod(shape[axis + 1 :]), shape[axis]) for axis in range(len(shape))]
    found = {place for inner, size in inners if inner for place in ((inner, size), (inner, count // inner))}
    return sorted(place for place in found if place[1] > 1 and place != _block(shape, 1))


def _together(
    found: Sequence[Place | None], shapes: Sequence[Shape] = (), alone: int | None = None
) -> list[OddPlace | None]:
    """The places, if there is any. Those of these inputs that have no rows may be added to every row of others. Such an
    input is hard or ordinary as a whole, by chance. So is the odd place of any other input than `alone`: twice as many
    places are drawn from as it has.
    """
    most = max((place[1] for place in found if place), default=0)
    whole = [
        (math.prod(shape), 2) if most and math.prod(shape) > 1 and not _block(shape, 1) else None for shape in shapes
    ]
    several = alone is not None and sum(map(bool, found)) > 1
    made: list[OddPlace | None] = []
    for index, (one, other) in enumerate(zip(found, whole or found, strict=True)):
        if one and several and index != alone:
            made.append(OddPlace(one[0], 2 * one[1], 2 * most))
        else:
            place = one or other
            made.append(OddPlace(*place, 2 * most if several else most) if place else None)
    return made
