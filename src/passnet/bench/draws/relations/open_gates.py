"""Careful draws in which gates stay open for long: of a few rows, channels or series, and of about half of all.

A gate that is drawn by itself is half open, so that of many none lets anything through: a few steps are all that a
scan remembers. Gates of a trained model are nearly open for hundreds of steps. Where all are, a look at any one shows
it (`level_blocks`).
"""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import Content, content_of, may_be_content, with_content
from passnet.bench.draws.content.held_values import bounds_of
from passnet.graph.values.gates import Gates, gates, kept_by_biases

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import Backgrounds, InputSource, Sources
    from passnet.graph import Graph

# Of each draw: the share of open series, and of which kind they are. One or a few, or about half.
_ROWS, _CHANNELS, _ANY = range(3)
_FEW, _HALF = (1e-9, 0.02), (0.3, 0.6)
_DRAWS = ((_FEW, _ROWS), *((_FEW, _CHANNELS), (_FEW, _ANY)) * 2, (_HALF, _ANY))
# So many are open at least, rows or channels, or else series. What opens a gate is a high number or a low one.
_LEAST = 2
# How far a logit is from zero beyond the logarithm of the count of steps: of so many gates at most a part is lost.
_BEYOND = (-0.5, 4.0)
# How far a plain gate is from being open, in one of so many steps.
_LOST = (0.02, 2.0)
# Gates are open for this part of all steps at least.
_LONG = 0.6


def open_gates(graph: Graph, usual: Backgrounds, plain: Sources, rng: Random) -> list[list[InputSource]]:
    """The draws, up to six. None where no state is multiplied step by step.

    `plain`: a draw of which gates have their sizes elsewhere.
    """
    found, biases = gates(graph), kept_by_biases(graph)
    made: list[list[InputSource]] = []
    for shares, kind in _DRAWS if found or biases else ():
        base, share = list(next(usual)), math.exp(rng.uniform(*map(math.log, shares)))
        values = dict[int, torch.Tensor]()
        for each in found:
            own = _content(graph, each.index, plain, rng) if each.index not in values else None
            if own is not None and own.values.dim() >= each.dim:
                values[each.index] = _opened(own, each, (share, kind), rng)
        for index, count in biases.items():
            own = _content(graph, index, plain, rng)
            if own is not None:
                values[index] = _kept(own, count, share, rng)
        if values:
            made.append(with_content(base, values))
    return made


def _content(graph: Graph, index: int, plain: Sources, rng: Random) -> Content | None:
    """An input as it usually is. None where it may not be made so."""
    ends = bounds_of(graph, index)
    if ends is None or not may_be_content(graph, index, plain[index]):
        return None
    values = content_of(graph.specs[index], plain[index], ends, rng)
    return Content(values, ends) if bool(torch.isfinite(values).all()) else None


def _opened(own: Content, each: Gates, how: tuple[float, int], rng: Random) -> torch.Tensor:
    """Gates of which a share of all series are open for long: whole rows of them, channels, or any."""
    drawn = torch.Generator().manual_seed(rng.getrandbits(48))
    made = own.values.double().movedim(-each.dim, -1).clone()
    steps = made.shape[-1]
    series = _some(made.shape[:-1], *how, drawn)
    count = int(series.sum())
    at = torch.arange(steps)
    longest = max(1, int(steps * (1.0 - _LONG)))
    begins = torch.randint(longest, (count, 1), generator=drawn)
    ends = steps - (torch.randint(longest, (count, 1), generator=drawn) if rng.random() < 0.3 else 0)
    part = torch.rand((count, steps), generator=drawn, dtype=torch.float64)
    if each.plain:
        lost = torch.rand((count, 1), generator=drawn, dtype=torch.float64) * (_LOST[1] - _LOST[0]) + _LOST[0]
        levels = 1.0 - lost / steps * part
    else:
        beyond = torch.rand((count, 1), generator=drawn, dtype=torch.float64) * (_BEYOND[1] - _BEYOND[0]) + _BEYOND[0]
        signs = 1 - 2 * ((torch.arange(count).unsqueeze(1) + rng.getrandbits(1)) % 2)  # what is open may be low
        levels = signs * (math.log(steps) + 1.0 + beyond + part)
    low, high = own.ends
    run = (at >= begins) & (at < ends)
    made[series] = torch.where(run, levels.clamp(low, high), made[series])
    return made.movedim(-1, -each.dim).to(own.values.dtype).contiguous()


def _some(shape: torch.Size, share: float, kind: int, drawn: torch.Generator) -> torch.Tensor:
    """Which of all series are open: all of some rows, all of some channels, or some anywhere. A few at least."""
    sizes = list(shape)
    if len(sizes) > 1 and kind != _ANY:
        sizes = [size if at == (0 if kind == _ROWS else len(sizes) - 1) else 1 for at, size in enumerate(sizes)]
    chances = torch.rand(sizes, generator=drawn)
    least = chances.flatten().kthvalue(min(_LEAST, chances.numel())).values
    return (chances <= least.clamp(min=share)).expand(shape)


def _kept(own: Content, count: int, share: float, rng: Random) -> torch.Tensor:
    """A bias by which a share of the numbers of a state are kept for long."""
    drawn = torch.Generator().manual_seed(rng.getrandbits(48))
    made = own.values.double().clone()
    chances = torch.rand(count, generator=drawn)
    some = chances <= chances.min().clamp(min=share)
    levels = rng.uniform(4.0, 8.0) + torch.rand(count, generator=drawn, dtype=torch.float64)
    made[count : 2 * count] = torch.where(some, levels.clamp(*own.ends), made[count : 2 * count])
    return made.to(own.values.dtype)
