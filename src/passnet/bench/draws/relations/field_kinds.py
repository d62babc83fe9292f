"""Fields in which numbers resemble their neighbours along some dimensions: moving means, waves, and turning signs. They
go through the table of the input that holds them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.drawn_content import through_table
from passnet.bench.draws.content.input_source import InputSource
from passnet.bench.wire.generator import DrawKind

if TYPE_CHECKING:
    from passnet.graph import TensorSpec

# A mean of so many neighbours at most makes a field smooth: of few in one draw, of any number in the next.
_LEAST_MEAN, _FEW_MEAN, _MOST_MEAN = 3, 6, 16
# Waves of a field, and how long they are at least and at most.
_WAVES, _SHORTEST, _LONGEST = 6, 6.0, 40.0
# How far a channel is from what all have in common.
_OWN = (0.05, 0.3)
# So many elements of an input are made, and then the same ones come again.
_MOST = 1 << 18
# In fields of so many elements each channel has the usual mean and deviation.
_MANY = 256
# Fields are as large in one of so many stretches as in the next, and a stretch has so many elements at least.
_STRETCHES, _LEAST_STRETCH = 8, 12
_FLOOR = 0.05
Field = Callable[["FieldBlock", torch.Generator, Random], torch.Tensor]


@dataclass(frozen=True)
class FieldBlock:
    """The part of an input that is made: its sizes, the dimensions that are mixed, and one that may count channels."""

    shape: tuple[int, ...]
    dims: tuple[int, ...]
    channels: int | None

    @classmethod
    def of(cls, shape: Sequence[int], dims: Sequence[int]) -> FieldBlock:
        left, sizes = _MOST, list[int]()
        for size in reversed(shape):
            sizes.insert(0, max(1, min(size, left)))
            left //= sizes[0]
        mixed = tuple(dim for dim in dims if sizes[dim] > 1)
        others = [dim for dim, size in enumerate(sizes) if dim not in mixed and size > 1]
        return cls(tuple(sizes), mixed, others[-1] if others else None)

    def noise(self, shape: Sequence[int], generator: torch.Generator) -> torch.Tensor:
        """Normal numbers, one by one."""
        return torch.randn(tuple(shape), generator=generator)

    def scaled(self, values: torch.Tensor) -> torch.Tensor:
        """The same with a mean of 0 and a deviation of 1: of each channel, where a field has many elements."""
        many = math.prod(self.shape[dim] for dim in self.dims) >= _MANY
        dims = self.dims if many else tuple(range(len(self.shape)))
        centred = values - values.mean(dims, keepdim=True)
        return centred / centred.square().mean(dims, keepdim=True).sqrt().clamp(min=1e-6)

    def levelled(self, values: torch.Tensor) -> torch.Tensor:
        """The same, as large in one stretch of each dimension as in the next. A look at some stretches, or at halves,
        sees nothing unusual in it.
        """
        for dim in self.dims:
            others = [each for each in self.dims if each != dim]
            squares = values.square().mean(others, keepdim=True) if others else values.square()
            reach = max(_LEAST_STRETCH, self.shape[dim] // _STRETCHES) // 2
            places = torch.arange(self.shape[dim])
            first, end = (places - reach).clamp(min=0), (places + reach + 1).clamp(max=self.shape[dim])
            sums = squares.double().cumsum(dim)
            sums = torch.cat([torch.zeros_like(sums.narrow(dim, 0, 1)), sums], dim)
            counts = (end - first).reshape([-1 if each == dim else 1 for each in range(len(self.shape))])
            means = (sums.index_select(dim, end) - sums.index_select(dim, first)) / counts
            sizes = (means + _FLOOR * squares.mean()).sqrt().to(values.dtype)
            values = values / sizes.clamp(min=1e-6)
        return values


def is_drawn_freely(spec: TensorSpec, source: InputSource) -> bool:
    """Whether an input is drawn one by one, from a table of numbers or from between these."""
    return spec.data is None and source.kind is not DrawKind.RANGE and source.is_plain and not source.same


def field_source(spec: TensorSpec, source: InputSource, dims: Sequence[int], kind: Field, rng: Random) -> InputSource:
    """An input of such a field, through its own table. The input as it is where it has no neighbours."""
    block, generator = FieldBlock.of(spec.shape, dims), torch_generator(rng)
    if not block.dims:
        return source
    values = block.scaled(block.levelled(kind(block, generator, rng)))
    return content_source(spec, source, through_table(source, values), spec.numel)


def content_source(spec: TensorSpec, source: InputSource, values: torch.Tensor, count: int) -> InputSource:
    """An input of `count` elements: these, again and again."""
    return source.of_repeated(values.to(getattr(torch, spec.dtype)), count)


def torch_generator(rng: Random) -> torch.Generator:
    """A generator whose seed nobody knows."""
    return torch.Generator().manual_seed(rng.getrandbits(48))


def signs_in_turn(shape: Sequence[int], dim: int) -> torch.Tensor:
    """1 and -1 in turn along a dimension."""
    signs = 1 - 2 * (torch.arange(shape[dim]) % 2)
    return signs.reshape([shape[dim] if each == dim else 1 for each in range(len(shape))])


def _means(block: FieldBlock, dims: Sequence[int], most: int, generator: torch.Generator, rng: Random) -> torch.Tensor:
    """Moving means of as many neighbours as is secret, along one of these dimensions after another."""
    counts = {}
    for dim in dims:
        high = max(2, min(most, block.shape[dim] // 4))
        counts[dim] = round(math.exp(rng.uniform(math.log(min(_LEAST_MEAN, high)), math.log(high))))
    shape = [size + counts.get(dim, 1) - 1 for dim, size in enumerate(block.shape)]
    values = block.noise(shape, generator)
    for dim, count in counts.items():
        length = block.shape[dim]
        total = sum((values.narrow(dim, at, length) for at in range(1, count)), values.narrow(dim, 0, length))
        values = total * count**-0.5
    return values


def short_means(block: FieldBlock, generator: torch.Generator, rng: Random) -> torch.Tensor:
    """Of a few neighbours."""
    return _means(block, block.dims, _FEW_MEAN, generator, rng)


def long_means(block: FieldBlock, generator: torch.Generator, rng: Random) -> torch.Tensor:
    """Along all dimensions, or along some."""
    dims = rng.sample(block.dims, rng.choice((len(block.dims), rng.randint(1, len(block.dims)))))
    return _means(block, dims, _MOST_MEAN, generator, rng)


def waves(block: FieldBlock, generator: torch.Generator, rng: Random) -> torch.Tensor:
    """A sum of a few waves of secret lengths and directions. Each channel has them with phases and sizes of its own."""
    lines = [1 if dim in block.dims else size for dim, size in enumerate(block.shape)]
    made = torch.zeros(block.shape)
    for _ in range(_WAVES):
        angle = torch.zeros([1] * len(block.shape))
        direction = [rng.gauss(0, 1) for _ in block.dims]
        size = math.hypot(*direction) or 1.0
        length = math.exp(rng.uniform(math.log(_SHORTEST), math.log(_LONGEST)))
        for dim, part in zip(block.dims, direction, strict=True):
            shape = [block.shape[dim] if each == dim else 1 for each in range(len(block.shape))]
            steps = torch.arange(block.shape[dim], dtype=torch.float32).reshape(shape)
            angle = angle + steps * (2 * math.pi * part / size / min(length, max(_SHORTEST, block.shape[dim] / 2)))
        made += block.noise(lines, generator) * angle.cos() + block.noise(lines, generator) * angle.sin()
    return made


def of_one_channel(kind: Field) -> Field:
    """Such fields in which all channels are nearly one."""

    def made(block: FieldBlock, generator: torch.Generator, rng: Random) -> torch.Tensor:
        if block.channels is None:
            return kind(block, generator, rng)
        sizes = [1 if dim == block.channels else size for dim, size in enumerate(block.shape)]
        common = block.scaled(kind(FieldBlock(tuple(sizes), block.dims, None), generator, rng))
        return common + rng.uniform(*_OWN) * block.scaled(kind(block, generator, rng))

    return made


def turning(block: FieldBlock, generator: torch.Generator, rng: Random) -> torch.Tensor:
    """Numbers of any size that are above the middle and below it in turn, along one dimension or along some."""
    values = block.noise(block.shape, generator).abs()
    for dim in rng.sample(block.dims, rng.randint(1, len(block.dims))):
        values = values * signs_in_turn(block.shape, dim)
    return values
