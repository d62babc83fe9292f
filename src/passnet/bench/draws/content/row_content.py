"""What each row of an input holds somewhere, such as the least and the largest of its values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import bits_of
from passnet.bench.draws.content.input_source import InputSource
from passnet.bench.wire.generator import ALL_UNEVEN, KEPT, MIXED, UNEVEN, DrawnRow
from passnet.graph import Graph
from passnet.graph.values.indexing import free_integers
from passnet.graph.values.inputs import INTEGER_DISTRIBUTIONS, RowStructure, row_structures
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph import Distribution

# Operations by which a graph hides elements itself.
_HIDING = word_set("masked_fill masked_fill_ masked_scatter masked_scatter_ where tril triu tril_ triu_")


def rows_of(graph: Graph, structures: Sequence[RowStructure]) -> list[DrawnRow | None]:
    """The structure that is drawn into the rows of each input. Of what hides amid ordinary elements a part of each row
    is shown: a run, a few or nearly all. Where something else may hide these, all are shown but for one.
    """
    rows = [_row(spec.shape, spec.dtype, each) for spec, each in zip(graph.specs, structures, strict=True)]
    hiding = MIXED | KEPT if _hides_alone(graph, structures) else 0
    return [
        replace(row, uneven=hiding) if row and each.hides else row for row, each in zip(rows, structures, strict=True)
    ]


def uneven_rows(graph: Graph, name: Distribution, samples: Sequence[torch.Tensor]) -> list[DrawnRow | None]:
    """The same on a hard draw. Masks get uneven rows, and so do integers, but for those that are drawn wide: a walk
    over a row of which any part tells what all of it does could end early.
    """
    structures = row_structures(graph, name)
    rows = rows_of(graph, structures)
    wide = free_integers(graph) if name in INTEGER_DISTRIBUTIONS else {}
    made = []
    for index, (spec, each, row, values) in enumerate(zip(graph.specs, structures, rows, samples, strict=True)):
        marks = spec.is_integer or spec.dtype == "bool" or (spec.is_floating and are_two(values))
        uneven = row or (extremes(spec.shape, values) if marks and not each.literal and index not in wide else None)
        # Where a mask hides a whole row by infinities, eager may have no number: a careful draw has such rows.
        whole = isinstance(each.last, float) and math.isinf(each.last)
        free = each.far or each.hides or whole
        made.append(replace(uneven, uneven=UNEVEN) if uneven and not free else uneven)
    return made


def extremes(shape: tuple[int, ...], values: torch.Tensor) -> DrawnRow | None:
    """Rows of the least and the largest of the values that an input of integers or marks takes. None of one element.

    A row is as many of the last dimensions as have two elements together.
    """
    length = next((size for dims in range(1, len(shape) + 1) if (size := math.prod(shape[-dims:])) > 1), 0)
    if not length or not values.numel():
        return None
    exact = values.flatten().tolist()
    return DrawnRow(length, *(_bits(value, values.dtype) for value in (min(exact), max(exact))))


def _row(shape: tuple[int, ...], dtype: str, structure: RowStructure) -> DrawnRow | None:
    """The content that each row holds somewhere, as bits. Of complex inputs it is of one part, and what looks like a
    mask is left free, because none is made of them.
    """
    kind: torch.dtype = getattr(torch, dtype)
    if structure.first is None or structure.last is None or (kind.is_complex and not structure.far):
        return None
    kind = kind.to_real() if kind.is_complex else kind
    first, last = (_bits(float(value.real), kind) for value in (structure.first, structure.last))
    return DrawnRow(math.prod(shape) if structure.whole else shape[-1], first, last)


def _hides_alone(graph: Graph, structures: Sequence[RowStructure]) -> bool:
    """Whether nothing else in a graph hides elements, as far as its inputs and operations tell: not one is left where
    two hide what the other one shows.
    """
    may = [
        each.first is not None or spec.dtype == "bool" or (spec.is_integer and spec.max_val in (None, 1))
        for spec, each in zip(graph.specs, structures, strict=True)
    ]
    return sum(may) == 1 and not any(op.leaf in _HIDING for op in graph.program.ops)


def alike_as_whole(graph: Graph, usual: Sequence[InputSource], hard: Sequence[InputSource]) -> list[list[InputSource]]:
    """A sibling in which all elements of a mask or of integers are alike but for one, at a drawn place. None where a
    hard draw has no uneven rows. What is reduced over other dimensions than the last is decided by one element too.
    """
    made = [
        replace(each, row=DrawnRow(spec.numel, other.row.first, other.row.last, ALL_UNEVEN))
        if other.row.uneven == UNEVEN
        else each
        for spec, each, other in zip(graph.specs, usual, hard, strict=True)
    ]
    return [made] if any(each.row.uneven for each in made) else []


def are_two(values: torch.Tensor) -> bool:
    """Whether these are two different finite numbers. Those of eight bits, and unsigned ones, cannot be sorted
    themselves.
    """
    if not values.numel():
        return False
    wide = torch.float32 if values.dtype.itemsize == 1 else torch.int64
    known = values if values.dtype.is_floating_point and wide is torch.int64 else values.to(wide)
    low, high = known.aminmax()
    return (
        math.isfinite(low)
        and math.isfinite(high)
        and bool(low < high)
        and bool(((known == low) | (known == high)).all())
    )


def _bits(value: int | float, dtype: torch.dtype) -> int:
    return bits_of(torch.tensor([value], dtype=dtype))
