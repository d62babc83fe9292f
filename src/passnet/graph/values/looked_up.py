"""Whether a number beyond an input's recorded bounds is still within all that is indexed by what follows from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import torch

from passnet.graph.values.constants import folded
from passnet.graph.values.indexing import TakenIndex, carried, indices_of, is_counted, kept_indices, known_forms
from passnet.graph.values.writes import renewed

if TYPE_CHECKING:
    from passnet.graph.graph import Graph
    from passnet.graph.tensors.spec import TensorSpec

# Of a larger input nobody computes what follows from it.
_MOST_ELEMENTS = 1 << 20


def may_be(graph: Graph, index: int, number: int, *, behind: bool = False) -> bool:
    """Whether an input of integers may hold a number: no size and no count follows from it, and each index that does is
    among the entries. Who looks for a number may put another one in its place before anything is looked up.

    `behind`: at the end of a row alone, behind other numbers. These may be what is put in its place. Where no number is
    recorded below zero, none counts from the end: the bound says that.
    """
    return is_within(graph, index, lambda: _holding(graph.specs[index], number, behind=behind))


def is_within(
    graph: Graph,
    index: int,
    content: Callable[[], torch.Tensor],
    *,
    left_out: Mapping[int, Collection[int]] = MappingProxyType({}),
) -> bool:
    """Whether no size and no count follows from an input, and with this content each index that does is an entry.

    `left_out`: index -> numbers that are no entries, and that the lookup leaves out.
    """
    lookups = lookups_of(graph, index)
    spec = graph.specs[index]
    if is_counted(graph, index, lookups) or (lookups and spec.numel > _MOST_ELEMENTS):
        return False
    if not lookups:
        return True
    found = folded(graph, {index: content()}, _MOST_ELEMENTS)
    below = (spec.min_val or 0) < 0
    return all(
        _is_within(found.get(each.value), each, left_out.get(each.value, ()), below=below)
        for several in lookups.values()
        for each in several
    )


def _holding(spec: TensorSpec, number: int, *, behind: bool) -> torch.Tensor:
    """A tensor of this number, or of rows that end with it: all but the first element, none, and half of them."""
    dtype = getattr(torch, spec.dtype)
    given = torch.full(spec.shape, number, dtype=dtype)
    length = next((size for dims in range(1, len(spec.shape) + 1) if (size := math.prod(spec.shape[-dims:])) > 1), 0)
    if behind and length and spec.numel:
        low, high = int(spec.min_val or 0), int(spec.max_val or 0)
        rows, places = given.view(-1, length), torch.arange(length)
        own = (torch.arange(rows.numel()) % (high - low + 1) + low).to(dtype).view_as(rows)
        shown = torch.tensor([1, length, -(-length // 2)])[torch.arange(len(rows)) % 3]
        rows.copy_(torch.where(places < shown[:, None], own, rows))
    return given


def lookups_of(graph: Graph, index: int) -> dict[int, list[TakenIndex]]:
    """Statement -> those of its indices that follow from an input, other than by a truth value or another lookup. None
    that a clamp keeps within what is looked up.
    """
    shapes, found = [shape for shape, _ in known_forms(graph)], dict[int, list[TakenIndex]]()
    kept = kept_indices(graph)
    following = {place: place == index for place in range(len(graph.specs))}
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        indices = indices_of(op, shapes)
        if own := [each for each in indices if following[each.value] and each.value not in kept[place]]:
            found[place] = own
        following[place] = any(following[value] for value in carried(graph, place, op, indices))
    return found


def _is_within(value: object, index: TakenIndex, left_out: Collection[int], *, below: bool) -> bool:
    if not isinstance(value, torch.Tensor) or value.dtype == torch.bool:
        return False
    if left_out:
        value = value[~torch.isin(value, torch.tensor(sorted(left_out), dtype=value.dtype))]
    least = -index.entries if index.wraps and below else 0
    return not value.numel() or (int(value.min()) >= least and int(value.max()) < index.entries)
