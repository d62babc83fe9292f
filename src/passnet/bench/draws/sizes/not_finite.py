"""Careful draws of numbers that are not finite, where a graph asks for such: whole rows of them, and some in weights
and beside bounds.

A hard draw has some of them, one by one, in data without bounds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import MANY_ROWS, bits_of
from passnet.bench.wire.generator import ALL_UNEVEN, BLENDS, UNEVEN, DrawnRow
from passnet.graph.values.finite import asked
from passnet.graph.values.inputs import hardened
from passnet.graph.values.roles import Role, roles_of

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph, TensorSpec

Sources = Sequence["InputSource"]
# One element of so many is not finite.
_SHARE = 64


def not_finite(graph: Graph, usual: Iterator[Sources]) -> list[list[InputSource]]:
    """The draws: one for rows of each number that is not finite, one with bounded data, and one with weights.

    In the first ones the largest input alone has such rows, since another one would tell that they are there. The first
    number has two of them: two backgrounds differ. One more has rows in all inputs.
    """
    known, flows, first = asked(graph), hardened(graph), next(usual)
    roles = roles_of(graph.program, graph.specs)
    found = {index: _allowed(graph.specs[index], numbers) for index, numbers in known.items()}
    free = {
        index: numbers
        for index, numbers in found.items()
        if numbers and getattr(torch, graph.specs[index].part_dtype) in BLENDS
        if not first[index].same and not first[index].row.length and graph.specs[index].numel > 1
    }
    largest = max((index for index in free if index in flows), key=lambda index: graph.specs[index].numel, default=None)
    alone = len(free[largest]) + 1 if largest is not None else 0
    together = alone and sum(index in flows for index in free) > 1
    bases = [first, *(next(usual) for _ in range(alone + together + 1))]
    *rows, beside, weights = (list(base) for base in bases)
    for index, numbers in free.items():
        spec, dtype = graph.specs[index], getattr(torch, graph.specs[index].part_dtype)
        if index in flows:
            for number, row in enumerate(rows):
                if index == largest or number == alone:
                    odd = torch.tensor(numbers[(number if number < alone else -1) % len(numbers)], dtype=dtype)
                    row[index] = _rows_of(spec, row[index], odd)
        if index not in flows or roles[index] is not Role.DATA or (spec.min_val, spec.max_val) != (None, None):
            target = beside if index in flows else weights
            own = target[index].table.to(dtype).flatten()
            odd = torch.tensor(numbers, dtype=dtype).repeat(max(1, len(own) // (_SHARE * len(numbers))))
            target[index] = target[index].of_these(torch.cat([own, odd]))
    made = zip((*rows, beside, weights), bases, strict=True)
    return [row for row, base in made if any(each is not other for each, other in zip(row, base, strict=True))]


def _allowed(spec: TensorSpec, numbers: Sequence[float]) -> list[float]:
    """Those that an input's bounds allow. Nothing forbids NaN."""
    low, high = (spec.min_val, spec.max_val) if spec.is_inexact else (0.0, 0.0)
    return [
        each
        for each in numbers
        if math.isnan(each) or ((low is None or each >= low) and (high is None or each <= high))
    ]


def _rows_of(spec: TensorSpec, source: InputSource, odd: torch.Tensor) -> InputSource:
    """An input of which some rows are of one number that is not finite, in half of these but for one element."""
    length = next((size for dims in range(1, len(spec.shape) + 1) if (size := math.prod(spec.shape[-dims:])) > 1), 0)
    own = source.table.flatten()[source.table.numel() // 3].to(odd.dtype)
    many = spec.numel >= MANY_ROWS * length
    row = DrawnRow(length, bits_of(odd), bits_of(odd if many else own), UNEVEN if many else ALL_UNEVEN)
    return replace(source, row=row) if length > 1 else source
