"""Finds inputs that a graph compares with longer ones, as a text with all windows of another text."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from passnet.graph.values.arguments import plain_name
from passnet.graph.values.moves import MEETING
from passnet.graph.values.origins import given_to, origins
from passnet.graph.values.writes import renewed

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Contained:
    """Blocks of the input `short` may stand in blocks of the input `long`, at places that are `step` apart. The last
    `dims` dimensions of both are blocks, and the short one is shorter in the first of these.
    """

    short: int
    long: int
    dims: int
    step: int = 1

    @property
    def inputs(self) -> frozenset[int]:
        return frozenset((self.short, self.long))

    def rows(self, graph: Graph) -> int:
        """How many blocks may stand somewhere. None where the inputs are of two kinds."""
        short, long = graph.specs[self.short], graph.specs[self.long]
        blocks = (math.prod(each.shape[: len(each.shape) - self.dims]) for each in (short, long))
        return max(blocks) if short.dtype == long.dtype else 0


def contained_of(graph: Graph) -> list[Contained]:
    """All of them, each once."""
    return list(dict.fromkeys(_found(graph)))


def _found(graph: Graph) -> Iterator[Contained]:
    known = origins(graph)
    for op in renewed(graph).statements:
        refs = given_to(graph, op) if plain_name(op) in MEETING else []
        for one, other in itertools.permutations((known[ref] for ref in refs), 2):
            if one.own is None or other.own is None or one.own.index == other.own.index:
                continue
            short, long = one.own.index, other.own.index
            dims = _shorter(graph.specs[short].shape, graph.specs[long].shape)
            if dims and one.own.dim < 0 and other.own.dim < 0:
                yield Contained(short, long, dims, other.step)


def _shorter(short: Shape, long: Shape) -> int:
    """How many last dimensions are a block, of which some are shorter in one shape and none are longer. None where a
    block is no more than one element along the first of them: it is repeated there.
    """
    both = list(zip(short[::-1], long[::-1], strict=False))
    depth = max((dims for dims, (mine, its) in enumerate(both, start=1) if 1 < mine < its), default=0)
    return depth if all(mine <= its for mine, its in both[:depth]) else 0
