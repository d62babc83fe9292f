"""Careful draws in which one column or one slice is far above all others, and far beyond what other lone places hold.

What follows from all others alone, as a sum without an element's own, is lost there by whoever takes the far one in
first and out again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import bounds_of, size_of
from passnet.bench.draws.content.input_source import SPANS, Backgrounds, InputSource
from passnet.bench.draws.sizes.far_floats import largest_power
from passnet.bench.wire.generator import OddPlace
from passnet.graph.values.inputs import hardened

if TYPE_CHECKING:
    from passnet.graph import Graph

# Far elements are within a factor of two of these powers of two, in units of an input's usual size.
_POWERS = (19.0, 20.0)
# A place of fewer neighbours is one of the few elements that other draws have.
_LEAST = 2


def lone_columns(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """A draw with a far column in all inputs, the same one in those of as many columns, and one with a far column or
    slice in one input alone.
    """
    base = next(usual)
    chosen = [
        index
        for index in sorted(hardened(graph))
        if size_of(graph.specs[index], base[index]) and _axes(graph.specs[index].shape)
    ]
    if not chosen:
        return []
    last = [index for index in chosen if len(graph.specs[index].shape) - 1 in _axes(graph.specs[index].shape)]
    alone = rng.choice(chosen)
    axes = _axes(graph.specs[alone].shape)
    if len(chosen) == 1 and len(axes) > 1 and last:
        axes = axes[:-1]  # its column is in the other draw
    axis = rng.choice(axes)
    made = []
    for row, places in ((base, dict.fromkeys(last, -1)), (next(usual), {alone: axis})):
        found = _with_far(graph, row, places, rng)
        if any(each is not other for each, other in zip(found, row, strict=True)):
            made.append(found)
    return made


def _axes(shape: Sequence[int]) -> list[int]:
    """The dimensions with several places, each of several elements."""
    return [axis for axis, size in enumerate(shape) if size > 1 and math.prod(shape) // size >= _LEAST]


def _with_far(graph: Graph, row: Sequence[InputSource], places: dict[int, int], rng: Random) -> list[InputSource]:
    """The draw with one far place along a dimension of each of these inputs."""
    made, power = list(row), rng.uniform(*_POWERS)
    most = max((graph.specs[index].shape[axis] for index, axis in places.items()), default=0)
    for index, axis in places.items():
        spec, each = graph.specs[index], row[index]
        end = min(power + math.log2(size_of(spec, each) or 1.0), largest_power(graph, spec) - 1.0)
        values = _far(end, rng)
        low, high = bounds_of(graph, index) or (0.0, 0.0)
        values = values[(values >= low) & (values <= high)]
        if end > 0.0 and len(values):
            far = each.of_values(values.to(getattr(torch, spec.part_dtype)))
            size = spec.shape[axis]
            inner = math.prod(spec.shape[axis:]) // size if axis >= 0 else 1
            made[index] = replace(each, odd=far, at=OddPlace(inner, size, most))
    return made


def _far(power: float, rng: Random) -> torch.Tensor:
    """Numbers of both signs from a power of two on, within a factor of two."""
    values = torch.linspace(1.0, 2.0, SPANS, dtype=torch.float64).mul_(2.0**power)
    values[rng.randrange(2) :: 2].neg_()
    return values
