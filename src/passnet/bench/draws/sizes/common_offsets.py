"""Careful draws of data whose mean is a few to a hundred of its deviations.

So are temperatures in kelvin, logits of a language model, and hidden states with a common bias. Usual draws lie about
zero, and hard ones beyond a hundred deviations. Between these a form could take a row for a constant.
"""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import bounds_of, size_of
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.graph.values.inputs import hardened

if TYPE_CHECKING:
    from passnet.graph import Graph

# The mean of each draw lies within a share of these powers of two, in deviations.
_DRAWS, _LEAST, _MOST = 3, 1.5, 6.5
# So many digits of two are left for what varies.
_DIGITS = 5.0
# How often all inputs lie on one side.
_ONE_SIDE = 0.75


def common_offsets(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws, each of another size of mean. None where no input may have one."""
    made: list[list[InputSource]] = []
    for number in range(_DRAWS):
        base, share = next(usual), (number + rng.random()) / _DRAWS
        row, sign, alike = list(base), rng.choice((1.0, -1.0)), rng.random() < _ONE_SIDE
        for index in sorted(hardened(graph)):
            side = sign if alike else rng.choice((1.0, -1.0))
            row[index] = _about(graph, index, base[index], side, share) or base[index]
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def _about(graph: Graph, index: int, source: InputSource, side: float, share: float) -> InputSource | None:
    """The input about a mean: on one side of zero if it may be there, or else on the other."""
    spec = graph.specs[index]
    if not size_of(spec, source):
        return None
    own = source.table.flatten().double()
    most = min(_MOST, -math.log2(torch.finfo(getattr(torch, spec.part_dtype)).eps) - _DIGITS)
    mean = 2.0 ** (_LEAST + share * (most - _LEAST)) * float(own.std())
    low, high = bounds_of(graph, index) or (0.0, 0.0)
    for each in (side, -side):
        values = own - own.mean() + each * mean
        if low <= float(values.min()) and float(values.max()) <= high:
            return source.of_values(values.to(getattr(torch, spec.part_dtype)))
    return None
