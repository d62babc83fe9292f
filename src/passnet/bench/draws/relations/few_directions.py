"""Careful draws in which rows of data lie in a few directions, as activations, logits and tables of ratings nearly do.

Rows that are drawn by themselves are of full rank. The law of random matrices tells their singular values, and what
follows from all products of two of them. Where rows are near one centre, their mean tells so, and where rows are
equal, a look at two of them. These rows have a mean of zero, and the sizes of rows and columns are as usual.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import may_be_content, through_table, with_content
from passnet.graph.values.paired_rows import paired_rows
from passnet.graph.values.whole_matrices import whole_matrices

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import Backgrounds, InputSource
    from passnet.graph import Graph

Range = tuple[float, float]


@dataclass(frozen=True)
class _How:
    """The share of rows that have few directions, how many these are as a part of all that there are, and whether such
    rows are neighbours.
    """

    share: Range
    rank: Range
    neighbours: bool = False


# In one draw all rows have few directions. In four some neighbours have: no look at other rows sees these. In two a few
# have that are scattered, of which a look at some rows sees hardly two.
_NEIGHBOURS = _How((0.1, 0.35), (1e-9, 0.05), neighbours=True)
_SCATTERED = _How((0.04, 0.1), (1e-9, 0.02))
_DRAWS = (_How((1.0, 1.0), (0.01, 0.5)), *(_NEIGHBOURS, _SCATTERED, _NEIGHBOURS) * 2)
_LEAST_RANK = 2
# How much of each row is of no such direction, and how much less there is of each further direction.
_NOISE, _FALLS = (0.02, 0.3), (0.0, 1.0)
# So often rows and columns are made of one size, in turn.
_TURNS = 4
# Shorter rows, and fewer of them, have no few directions.
_LEAST = 8


def few_directions(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws, up to seven. None where a graph makes nothing of whole matrices, and multiplies no rows of data with
    each other. Inputs with rows of one length have the same directions.
    """
    dims = dict.fromkeys(whole_matrices(graph), 1) | paired_rows(graph)
    made: list[list[InputSource]] = []
    for how in _DRAWS if dims else ():
        base = list(next(usual))
        seed, values = rng.getrandbits(48), dict[int, torch.Tensor]()
        for index, dim in dims.items():
            spec = graph.specs[index]
            free = spec.is_inexact and not spec.is_complex and may_be_content(graph, index, base[index])
            if free and dim <= len(spec.shape) and spec.shape[-dim] >= _LEAST <= spec.numel // spec.shape[-dim]:
                found = _rows(spec.numel // spec.shape[-dim], spec.shape[-dim], how, Random(seed), rng)
                values[index] = _placed(through_table(base[index], found), spec.shape, dim)
                values[index] = values[index].to(getattr(torch, spec.dtype))
        if values:
            made.append(with_content(base, values))
    return made


def _rows(rows: int, length: int, how: _How, common: Random, rng: Random) -> torch.Tensor:
    """Rows of about normal numbers. `common`: what decides the directions, the same for all inputs of a draw."""
    share, noise, falls = (common.uniform(*each) for each in (how.share, _NOISE, _FALLS))
    rank = math.exp(common.uniform(*(math.log(part) for part in how.rank))) * min(rows, length)
    rank = max(_LEAST_RANK, min(round(rank), length))
    shared = torch.Generator().manual_seed(common.getrandbits(48))
    drawn = torch.Generator().manual_seed(rng.getrandbits(48))
    directions = torch.randn(rank, length, generator=shared)
    sizes = torch.arange(1, rank + 1) ** -falls
    made = torch.randn(rows, rank, generator=drawn) * sizes @ directions
    for _ in range(_TURNS):
        made = _of_one_size(_of_one_size(made, 0), 1)
    alone = torch.randn(rows, length, generator=drawn)
    made = _of_one_size(made + noise * alone, 1)
    begin, count = rng.randrange(rows), max(_LEAST_RANK + 1, round(share * rows))
    places = torch.arange(rows).roll(begin) if how.neighbours else torch.randperm(rows, generator=drawn)
    made[places[count:]] = alone[places[count:]]
    return made


def _of_one_size(values: torch.Tensor, dim: int) -> torch.Tensor:
    return values / values.square().mean(dim, keepdim=True).sqrt().clamp(min=1e-6)


def _placed(rows: torch.Tensor, shape: Sequence[int], dim: int) -> torch.Tensor:
    """These rows along a dimension of an input, counted from the end."""
    sizes = [size for at, size in enumerate(shape) if at != len(shape) - dim]
    return rows.view(*sizes, shape[-dim]).movedim(-1, len(shape) - dim).contiguous()
