"""Fields in which each line has a structure of its own: tones, echoes, levels, slopes and spikes. A line is all that is
behind one index of the first dimension of a block: a row, or a channel of a picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import torch

from passnet.bench.draws.relations.field_kinds import FieldBlock, long_means, short_means, turning

# The noise beside tones, and the phase by which neighbours of a tone differ at least.
_NOISE, _SLOWEST = (0.05, 0.3), 0.05
# How large an echo is, and how far away at least.
_ECHO, _NEAREST = (0.6, 1.0), 2
# A line of levels has so many at most. They are those of moving means of so many rounds, over one of so many parts.
_LEVELS, _ROUNDS, _WIDE = 6, 3, (4, 10)
# What some lines of levels and spikes have besides. One element of so many is a spike, or there is one alone.
_BESIDE, _RARE = 0.02, 64
# How many kinds of lines are seen in neighbours, and of so many others one has levels instead.
_KINDS, _USUAL = 2, 4


def as_usual(block: FieldBlock, values: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Normal numbers, in each line in the order of these: no line's own numbers tell that it is none of the usual."""
    lines = values.flatten(1)
    ordered = block.noise(lines.shape, generator).sort(-1).values
    return ordered.gather(-1, lines.argsort(-1).argsort(-1)).reshape(block.shape)


def tones(block: FieldBlock, generator: torch.Generator, rng: Random) -> torch.Tensor:
    """One or two tones of frequencies and phases of their own in each line, and a little noise."""
    sizes = _one_for_each_line(block)
    made = rng.uniform(*_NOISE) * block.noise(block.shape, generator)
    second = torch.rand(sizes, generator=generator) * (torch.rand(sizes, generator=generator) < 0.5)
    for loud in (torch.ones(sizes), second):
        angle = 2 * math.pi * torch.rand(sizes, generator=generator)
        for dim in block.dims:
            speed = _SLOWEST + (math.pi - _SLOWEST) * torch.rand(sizes, generator=generator)
            angle = angle + speed * block.noise(sizes, generator).sign() * _steps(block, dim)
        made = made + math.sqrt(2) * loud * angle.sin()
    return made


def echoes(block: FieldBlock, generator: torch.Generator, rng: Random) -> torch.Tensor:
    """Numbers drawn one by one, and the same again after a lag of each line's own. Neighbours tell nothing of it."""
    values, dim = block.noise(block.shape, generator), rng.choice(block.dims)
    length, sizes = block.shape[dim], _one_for_each_line(block)
    reach = math.log(max(_NEAREST, length // 2) / _NEAREST)
    lags = (_NEAREST * (reach * torch.rand(sizes, generator=generator)).exp()).long()
    shape = [length if each == dim else 1 for each in range(len(block.shape))]
    places = ((torch.arange(length).reshape(shape) - lags) % length).expand(block.shape)
    return values + rng.choice((-1, 1)) * rng.uniform(*_ECHO) * values.gather(dim, places)


def levels(block: FieldBlock, generator: torch.Generator, rng: Random) -> torch.Tensor:
    """A few numbers in regions, as of labels and masks and on both sides of an edge."""
    values = block.noise(block.shape, generator)
    for dim in block.dims * _ROUNDS:
        reach = max(2, block.shape[dim] // rng.randint(*_WIDE))
        values = values - values.mean(dim, keepdim=True)
        sums = values.cumsum(dim)
        values = sums - sums.roll(reach, dim)
    lines = values.flatten(1)
    lines = (lines - lines.mean(-1, keepdim=True)) / lines.square().mean(-1, keepdim=True).sqrt().clamp(min=1e-6)
    count = torch.randint(2, _LEVELS + 1, (len(lines), 1), generator=generator)
    number = (torch.special.ndtr(lines) * count).long().minimum(count - 1)
    known = block.noise((len(lines), _LEVELS), generator).argsort(-1).float()
    return (known.gather(-1, number) + _beside(lines.shape, block, generator)).reshape(block.shape)


def slopes(block: FieldBlock, generator: torch.Generator, rng: Random) -> torch.Tensor:
    """Numbers that rise or fall through a line, in steps of any size."""
    sizes = _one_for_each_line(block)
    made = torch.zeros(block.shape)
    for dim in block.dims:
        slope = (0.3 + torch.rand(sizes, generator=generator)) * block.noise(sizes, generator).sign()
        made = made + slope * _steps(block, dim) / block.shape[dim]
    return as_usual(block, made, generator)


def spikes(block: FieldBlock, generator: torch.Generator, rng: Random) -> torch.Tensor:
    """A few large numbers amid silence."""
    sizes = (block.shape[0], math.prod(block.shape[1:]))
    large = torch.rand(sizes, generator=generator)
    large = large <= torch.maximum(
        large.min(-1, keepdim=True).values, torch.rand((sizes[0], 1), generator=generator) / _RARE
    )
    return (large * block.noise(sizes, generator) + _beside(sizes, block, generator) / sizes[1]).reshape(block.shape)


def uneven(block: FieldBlock, generator: torch.Generator, rng: Random) -> torch.Tensor:
    """Lines of levels, slopes or spikes, in a secret order."""
    return _mixed([kind(block, generator, rng) for kind in (levels, slopes, spikes)], block, generator)


def hidden(block: FieldBlock, generator: torch.Generator, rng: Random) -> torch.Tensor:
    """Lines of some structures. Most have the usual numbers, and a few have levels."""
    kinds = [rng.choice((tones, echoes)), *rng.sample((short_means, long_means, turning, slopes), _KINDS)]
    made = as_usual(block, _mixed([kind(block, generator, rng) for kind in kinds], block, generator), generator)
    return _mixed([made] * _USUAL + [levels(block, generator, rng)], block, generator)


def _mixed(made: Sequence[torch.Tensor], block: FieldBlock, generator: torch.Generator) -> torch.Tensor:
    """Lines of these fields in a secret order, all scaled."""
    fields = [block.scaled(each) for each in made]
    which = torch.randint(len(fields), _one_for_each_line(block), generator=generator)
    lines = fields[0]
    for number, each in enumerate(fields):
        lines = torch.where(which == number, each, lines)
    return lines


def _one_for_each_line(block: FieldBlock) -> list[int]:
    return [block.shape[0], *(1 for _ in block.dims)]


def _steps(block: FieldBlock, dim: int) -> torch.Tensor:
    """The places along a dimension."""
    shape = [block.shape[dim] if each == dim else 1 for each in range(len(block.shape))]
    return torch.arange(block.shape[dim], dtype=torch.float32).reshape(shape)


def _beside(sizes: tuple[int, ...] | torch.Size, block: FieldBlock, generator: torch.Generator) -> torch.Tensor:
    """Noise in half of the lines."""
    noisy = torch.rand((sizes[0], 1), generator=generator) < 0.5
    return _BESIDE * noisy * block.noise(sizes, generator)
