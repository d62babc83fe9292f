"""Careful draws in which inputs lie on a grid: they are whole numbers once the program has multiplied them.

An image of eight bits holds multiples of 1/255. Where floats are drawn from between others, next to none are on such a
grid, and a few numbers are seen in a sample.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import content_of, draws_for, mark, may_be_content, rows_in_turn
from passnet.bench.draws.content.held_values import bounds_of
from passnet.bench.draws.content.input_source import Backgrounds, InputSource
from passnet.graph.text.program import Ref, TorchConstant
from passnet.graph.values.arguments import plain_name
from passnet.graph.values.inputs import hardened
from passnet.graph.values.solving import InputForm
from passnet.graph.values.thresholds import forms_of
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph import Graph

_TO_WHOLE = word_set("round floor ceil trunc frac byte char short int long")
_CASTS = frozenset(("to", "type", "_to_copy"))
# A grid has up to so many numbers, and at least so many.
_MOST, _LEAST = 256, 16
# An input's values are so many deviations from its mean at most, or as far as a draw has them.
_DEVIATIONS = 4.0
# What a dtype rounds of such a number is no more than this, and so is on no other side of a step.
_ROUNDED = 1 / 16


@dataclass(frozen=True)
class _Grid:
    """Where an input meets whole numbers, or halves between them: `factor` * input + `shift` is `beside` one."""

    factor: float
    shift: float
    beside: float


def fine_grid(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """The draws: one, or up to three where there are few rows. None where a graph makes no multiples whole."""
    if not (grids := _grids(graph)):
        return []
    base = next(usual)
    numbers = {
        index: values
        for index, some in grids.items()
        if may_be_content(graph, index, base[index]) and graph.specs[index].shape
        if (values := _on_grid(graph, index, base[index], rng.choice(some))) is not None
    }
    if not numbers:
        return []
    made = []
    for turn in range(draws_for(min(_rows(graph, index) for index in numbers))):
        row = list(next(usual) if turn else base)
        for index, values in numbers.items():
            spec, rows = graph.specs[index], _rows(graph, index)
            content = content_of(spec, base[index], (0.0, 0.0), rng)
            drawn = torch.Generator().manual_seed(rng.getrandbits(48))
            on_grid = values[torch.randint(len(values), spec.shape, generator=drawn)]
            marks = torch.zeros(rows, spec.shape[-1], dtype=torch.bool)
            for at, kind in rows_in_turn(rows, (0, 1, turn), rng):
                mark(marks[at], kind, rng)
            row[index] = row[index].of_content(torch.where(marks.reshape(spec.shape), on_grid, content), held=False)
        made.append(row)
    return made


def _rows(graph: Graph, index: int) -> int:
    return math.prod(graph.specs[index].shape[:-1])


def _grids(graph: Graph) -> dict[int, list[_Grid]]:
    """Input -> the grids that a program makes whole numbers of, by a factor of its own."""
    found = dict[int, dict[_Grid, None]]()
    for index, form, nearest in _made_whole(graph):
        if form.linear and abs(form.factor) != 1.0 and graph.specs[index].is_inexact:
            # What a product rounds decides a floor on the grid itself, but for powers of two.
            exact = math.frexp(abs(form.factor))[0] == 0.5 and not form.shift
            found.setdefault(index, {})[_Grid(form.factor, form.shift, 0.0 if nearest or exact else 0.5)] = None
    return {index: list(each) for index, each in found.items() if index in hardened(graph)}


def _made_whole(graph: Graph) -> Iterator[tuple[int, InputForm, bool]]:
    """Inputs as they are where a program rounds them to whole numbers, and whether it is to the nearest one."""
    forms = forms_of(graph)
    for op in renewed(graph).statements:
        name = plain_name(op)
        kinds = [each.name for each in (*op.args[1:], *dict(op.kwargs).values()) if isinstance(each, TorchConstant)]
        whole = name in _TO_WHOLE or (op.leaf in _CASTS and any(each.startswith(("int", "uint")) for each in kinds))
        if whole and op.args and isinstance(op.args[0], Ref):
            for index, form in forms.get(op.args[0].index, {}).items():
                yield index, form, name == "round"


def _on_grid(graph: Graph, index: int, source: InputSource, grid: _Grid) -> torch.Tensor | None:
    """The numbers of an input that are on a grid: as far as its bounds and its usual values reach. None where its dtype
    is too narrow, or where too few are.
    """
    spec, bounds = graph.specs[index], bounds_of(graph, index)
    kind = getattr(torch, spec.dtype)
    if bounds is None:
        return None
    mean, std = (abs(each) if each is not None and math.isfinite(each) else 0.0 for each in (spec.mean, spec.std))
    reach = max(mean + _DEVIATIONS * std, float(source.values.abs().max()))
    low, high = max(bounds[0], -reach), min(bounds[1], reach)
    ends = sorted(end * grid.factor + grid.shift for end in (low, high))
    if not all(map(math.isfinite, ends)):
        return None
    most = _ROUNDED / torch.finfo(kind).eps
    first, last = math.ceil(max(ends[0], -most)), math.floor(min(ends[1], most))
    whole = torch.linspace(first, last, min(_MOST, max(1, last - first + 1)), dtype=torch.float64).round()
    values = ((whole + grid.beside - grid.shift) / grid.factor).to(kind)
    values = values[(values >= bounds[0]) & (values <= bounds[1])]
    return values if len(values) >= _LEAST else None
