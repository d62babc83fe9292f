"""A careful draw for few elements that meet a floor or its like: all of them are halfway between whole numbers.

Among few numbers of all kinds hardly one of these is there, and forms of a rounding differ there alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import within
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.indexing import is_fraction, known_forms
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from collections.abc import Collection

    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph

# Of more elements some are halfway in the draw of few numbers.
_MOST = 32
# Numbers halfway up to this size: of either sign, above an even or an odd number. An input has some of each.
_SIZE = 8
_SIDES = tuple([sign * (first + 0.5) for first in range(start, _SIZE, 2)] for sign in (1, -1) for start in (0, 1))
_ROUNDING = word_set("floor ceil round trunc fix frac floor_divide fmod remainder int long short char byte")
_CASTS = word_set("to type")


def halfway(
    graph: Graph, usual: Sequence[InputSource], chosen: Collection[int], rng: Random
) -> list[InputSource] | None:
    """The draw, or None where no input of these has few elements, or nothing rounds."""
    if not _rounds(graph):
        return None
    row = list(usual)
    for index in chosen:
        spec = graph.specs[index]
        sides = [within(spec, side).tolist() for side in rng.sample(_SIDES, len(_SIDES))]
        sides = [side for side in sides if side]
        if 0 < spec.numel <= _MOST and len(sides) > 1 and not spec.is_complex:
            values = [rng.choice(sides[number % len(sides)]) for number in range(spec.numel)]
            table = torch.tensor(rng.sample(values, len(values)), dtype=getattr(torch, spec.part_dtype))
            row[index] = usual[index].of_content(table, held=False)
    return row if any(each is not other for each, other in zip(row, usual, strict=True)) else None


def _rounds(graph: Graph) -> bool:
    """Whether a graph makes whole numbers of others."""
    known = known_forms(graph)
    for place, op in enumerate(graph.statements(), start=len(graph.specs)):
        dtype = known[place][1]
        casts = op.leaf in _CASTS and dtype is not None and not is_fraction(dtype) and dtype != torch.bool
        if plain_name(op) in _ROUNDING or casts or dict(op.kwargs).get("rounding_mode"):
            return True
    return False
