"""How far eager is from float64 near a draw: its errors there and on inputs that differ a little.

Of a hard draw a few elements make the error: two logits that are one number, a sum that almost cancels. Where outputs
hardly vary, the sums of a few rows make it. In a single call it is chance how eager rounds just these. A lucky eager is
nearer to the truth than any other form could be. Inputs that are moved by less than a percent are as hard, and eager
rounds them anew.

What is exactly 0 or 1 is not moved, since it may mark something, and nothing grows, since it may be the largest number
there is. Luck has a bound: neighbours on which eager errs far more are not as hard as the draw, they are harder.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from random import Random

import torch

from passnet.bench.compare.closeness import Errors
from passnet.bench.compare.measures import groups, real, scaled_error, sized, spread_of, usable_of
from passnet.bench.compare.on_host import placed
from passnet.graph import dtype_name
from passnet.graph.tensors.equality import same
from passnet.score import tolerance

# Measured on 3,000 hard draws of a softmax in float32: an honest kernel is refused on 1.4 % of them by eager's error on
# the draw alone, on none by the largest of five.
_NEIGHBOURS = 4
_MOVED = 2.0**-7
# Of these 42 calls the neighbours' largest error was at most 22 times the draw's own, and 8 times would have done.
_MOST_LUCK = 16.0
# A well computed element is off by so many steps of its dtype at most, and by no more than this.
_WELL_STEPS, _WELL = 64.0, 0.05
# On a hard draw eager may err so many times as much as on usual ones, and by no more than this in any case.
_AS_USUAL, _KNOWS_LITTLE = 2.0, 0.25
_NARROW_BYTES = 2
Tensors = Sequence[torch.Tensor]


def errors_near(
    inputs: Tensors, expected: Callable[[Tensors], tuple[Tensors, Tensors]], rng: Random
) -> tuple[Errors, ...]:
    """Eager's largest errors on the neighbours of these inputs, for each output. No errors for integers.

    `expected`: eager's outputs and float64's for some inputs.
    """
    rows = [_eagers(*expected(_moved(inputs, rng))) for _ in range(_NEIGHBOURS)]
    return tuple(map(_largest, zip(*rows, strict=True)))


def without_luck(eagers: float, near: float, step: float = 0.0) -> float:
    """Eager's error on a draw, where it errs by `near` on the neighbours. To err by less than a `step` may be luck."""
    return max(eagers, min(near, max(_MOST_LUCK * eagers, step)))


def luckless(eagers: torch.Tensor, near: torch.Tensor) -> torch.Tensor:
    """The same of each element."""
    return torch.maximum(eagers, torch.minimum(near, _MOST_LUCK * eagers))


def _moved(inputs: Tensors, rng: Random) -> list[torch.Tensor]:
    """The inputs with each floating value moved towards zero by chance, in proportion to its size."""
    return [_of_parts(tensor, lambda parts: _nearer_zero(parts, rng)) for tensor in inputs]


def _nearer_zero(tensor: torch.Tensor, rng: Random) -> torch.Tensor:
    if not tensor.dtype.is_floating_point or tensor.dtype.itemsize == 1:
        return tensor
    generator = torch.Generator(tensor.device).manual_seed(rng.getrandbits(48))
    # In bfloat16 there are two such factors, by both of which most numbers become the same one.
    factor = torch.empty_like(tensor, dtype=torch.promote_types(tensor.dtype, torch.float32))
    factor.uniform_(1.0 - _MOVED, 1.0, generator=generator)
    return torch.where((tensor == 0.0) | (tensor.abs() == 1.0), tensor, (tensor * factor).to(tensor.dtype))


def _of_parts(tensor: torch.Tensor, change: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    """A tensor that is changed as real numbers are: a complex one as pairs of these."""
    return torch.view_as_complex(change(torch.view_as_real(tensor))) if tensor.is_complex() else change(tensor)


def _eagers(eager: Tensors, wide: Tensors) -> list[Errors]:
    return [
        replace(_error(base, truth), neighbours=() if is_exact(base) else ((base, truth),))
        for base, truth in zip(eager, wide, strict=True)
    ]


def _error(eager: torch.Tensor, wide: torch.Tensor) -> Errors:
    if is_exact(eager):
        return Errors()
    base, truth = real(placed(eager)), real(placed(wide))
    usable = usable_of(base, base, truth, eager.dtype.to_real())
    if usable is not None:
        base, truth = base[usable], truth[usable]
    if base.numel() == 0:
        return Errors()
    beside_masks = groups(truth.abs(), hard=True)[0][1]
    base, truth = base[beside_masks], truth[beside_masks]
    spread = spread_of(truth, hard=True)
    return Errors(eagers=scaled_error(base - truth, spread), eagers_farthest=float(sized(base, truth, spread).max()))


def is_exact(tensor: torch.Tensor) -> bool:
    """Whether an output has no roundings to measure."""
    return tolerance(dtype_name(tensor.dtype), 0).exact


def error_of(eager: torch.Tensor, wide: torch.Tensor) -> float:
    """How far eager's farthest element is from float64's, in units of the spread and of its size."""
    return _error(eager, wide).eagers_farthest


def survived(eager: torch.Tensor, wide: torch.Tensor, *, roughly: bool = False, usual: float = 0.0) -> bool:
    """Whether eager computes an output well: no element is far from float64's for its size, and where one is an
    infinity or NaN, float64 has the same. Some elements are numbers or infinities.

    `roughly`: well enough for a narrow dtype, whatever the output's is. `usual`: eager's error on usual draws. A chain
    of roundings may err much everywhere.
    """
    if is_exact(eager):
        return True
    eager, wide = placed(eager), placed(wide)
    odd = ~(torch.isfinite(eager) & torch.isfinite(wide))
    if bool(odd.any()):
        values = eager.to(wide.dtype)
        if not bool((same(values, wide) | ~odd).all()) or bool(torch.isnan(values).all()):
            return False
    return error_of(eager, wide) <= max(most_error(eager.dtype, roughly=roughly), min(_AS_USUAL * usual, _KNOWS_LITTLE))


def most_error(dtype: torch.dtype, *, roughly: bool = False) -> float:
    """The error of a well computed element at most, see `survived`."""
    return _WELL if roughly else min(_WELL, _WELL_STEPS * torch.finfo(dtype).eps)


def nudged(inputs: Tensors, rng: Random, steps: float = 1.0) -> list[torch.Tensor]:
    """The inputs with each floating value one step of its dtype larger or smaller, or so many. Zeros stay."""
    return [_of_parts(tensor, lambda parts: _moved_by(parts, _moves(parts, rng).sign() * steps)) for tensor in inputs]


def shaken(inputs: Tensors, rng: Random, steps: float) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """The inputs with each floating value up to so many steps of its dtype larger or smaller, and the same the other
    way. In a narrow dtype it is one step at most. Zeros stay.
    """
    seeds = [rng.getrandbits(48) for _ in inputs]

    def one_way(sign: float) -> list[torch.Tensor]:
        rows = zip(inputs, seeds, strict=True)
        return [_of_parts(each, partial(_shaken, seed=seed, most=sign * steps)) for each, seed in rows]

    return one_way(1.0), one_way(-1.0)


def is_narrow(tensor: torch.Tensor) -> bool:
    """Whether a tensor holds floats of at most 16 bits."""
    return tensor.dtype.is_floating_point and tensor.dtype.itemsize <= _NARROW_BYTES


def _shaken(tensor: torch.Tensor, seed: int, most: float) -> torch.Tensor:
    if is_narrow(tensor):
        most = math.copysign(1.0, most)
    return _moved_by(tensor, _moves(tensor, Random(seed)) * most)


def _moves(tensor: torch.Tensor, rng: Random) -> torch.Tensor:
    """A random number between -1 and 1 for each floating value, and nothing for others."""
    if not tensor.dtype.is_floating_point or tensor.dtype.itemsize == 1:
        return torch.zeros(())
    generator = torch.Generator(tensor.device).manual_seed(rng.getrandbits(48))
    return torch.empty_like(tensor).uniform_(-1.0, 1.0, generator=generator)


def _moved_by(tensor: torch.Tensor, steps: torch.Tensor) -> torch.Tensor:
    if not tensor.dtype.is_floating_point or tensor.dtype.itemsize == 1:
        return tensor.clone()
    return tensor + tensor * (steps * torch.finfo(tensor.dtype).eps)


def _largest(errors: Iterable[Errors]) -> Errors:
    rows = list(errors)
    return Errors(
        eagers=max(each.eagers for each in rows),
        eagers_farthest=max(each.eagers_farthest for each in rows),
        neighbours=tuple(pair for each in rows for pair in each.neighbours),
    )
