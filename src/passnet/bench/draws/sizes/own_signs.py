"""A careful draw in which what a root or a logarithm is taken of has both signs: a graph may ask for them first.

Elsewhere such an input is never below zero, for eager would have no numbers. Here that decides whether the draw counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import size_of
from passnet.graph.values.roles import Role, roles_of
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph, TensorSpec

_OF_POSITIVE = word_set("sqrt rsqrt log")
_ENTRIES = 2048
# Where fewer normal numbers of an input's moments are below zero, half of its usual numbers are.
_SELDOM = 1 / 8
# So many of the numbers below zero have sizes of their own, up to so many powers of two to both sides.
_SIZED, _POWERS = 1 / 8, 10


def own_signs(graph: Graph, usual: Sequence[InputSource], rng: Random) -> list[list[InputSource]]:
    """The draw, or none where no such input may be below zero."""
    if not {op.leaf for op in graph.program.ops} & _OF_POSITIVE:
        return []
    row = list(usual)
    for index, role in enumerate(roles_of(graph.program, graph.specs)):
        spec, each = graph.specs[index], usual[index]
        if role is Role.VARIANCE and (spec.min_val is None or spec.min_val < 0) and size_of(spec, each):
            row[index] = each.of_values(_of_both_signs(spec, each.table.double(), rng))
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def _of_both_signs(spec: TensorSpec, own: torch.Tensor, rng: Random) -> torch.Tensor:
    generator = torch.Generator().manual_seed(rng.getrandbits(48))
    normal = torch.randn(_ENTRIES, generator=generator, dtype=torch.float64)
    values = normal * (spec.std or 1.0) + (spec.mean or 0.0)
    if float((values < 0).double().mean()) < _SELDOM:
        values = own[torch.linspace(0, len(own) - 1, _ENTRIES).long()]
        values[::2] *= -1.0
    sized = int(_ENTRIES * _SIZED)
    powers = torch.rand(sized, generator=generator, dtype=torch.float64) * (2 * _POWERS) - _POWERS
    values[:sized] = -powers.exp2() * values.square().mean().sqrt()
    return values.clamp(spec.min_val, torch.inf if spec.max_val is None else spec.max_val).to(
        getattr(torch, spec.dtype)
    )
