"""What inputs of integers may hold in draws: all of a recorded range, of a table, or of a dtype."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.input_source import InputSource
from passnet.graph.values.indexing import free_integers
from passnet.graph.values.integer_bits import integer_bits, takes_all, takes_lowest

if TYPE_CHECKING:
    from passnet.graph import Graph

Sources = Sequence[InputSource]
# The least and the largest number of an input.
Range = tuple[int, int]


def ranges_of(graph: Graph, usual: Sources) -> Mapping[int, Range]:
    """What each input of integers may hold, of those that are drawn and may hold more than two numbers."""
    free, found = _of_free(graph), dict[int, Range]()
    for index, (spec, each) in enumerate(zip(graph.specs, usual, strict=True)):
        if not spec.is_integer or not spec.numel or each.same or each.row.length:
            continue
        if spec.min_val is not None and spec.max_val is not None:
            found[index] = (int(spec.min_val), int(spec.max_val))
        elif index in graph.index_bounds():
            found[index] = (0, graph.index_bounds()[index] - 1)
        elif index in free:
            found[index] = free[index]
    return {index: (low, high) for index, (low, high) in found.items() if high - low > 1}


def _of_free(graph: Graph) -> dict[int, Range]:
    """The ranges of integers that only take part in arithmetic: all of a dtype, or as far as nothing overflows.

    What one of them may be depends on the others, so all that may not hold everything have equally many bits.
    """
    known, found = free_integers(graph), dict[int, Range]()
    bits = {index: integer_bits(graph, index) for index in known if not takes_all(graph, index)}
    for index, positive in known.items():
        spec = graph.specs[index]
        info = torch.iinfo(getattr(torch, spec.dtype))
        high = min(info.max, torch.iinfo(torch.int64).max, 2 ** min(bits.values()) - 1 if index in bits else info.max)
        low = info.min if index not in bits and takes_lowest(graph) else max(info.min, -high)
        low = max(low, 1 if positive else low, low if spec.min_val is None else int(spec.min_val))
        found[index] = (low, high if spec.max_val is None else min(high, int(spec.max_val)))
    return found


def all_of(size: int, dtype: torch.dtype) -> InputSource:
    """Indices into so many entries. One in four is the first or the last of them: few would meet these."""
    return InputSource.of_range(0, size - 1, dtype).mixed(torch.tensor([0, size - 1]).to(dtype), 4)
