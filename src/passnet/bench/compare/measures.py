"""The numbers that make a comparison of one output: errors, their units, and the first level that allows them."""

from __future__ import annotations

import math

import torch

from passnet.score.tolerances import T_MAX, T_MIN, tolerance

# Around a mean of 128 deviations a serial Welford sum in float32 errs by 5e-5 of a deviation, E[x^2] - E[x]^2 by 1e-3.
HARD_ROOM = 32.0
# Eager's infinity is due where the truth is beyond the dtype's range by this factor. Nearer to the range's end, on both
# of its sides, rounding decides.
OVERFLOW = 1.5
# Of the elements in which eager overflows, at most this share overflows in a candidate beside them.
_AT_THE_BRINK = 0.01
# Where the elements below this share of the largest are this far below it, the others are a mask's or outliers.
TOP, _FAR_BELOW = 0.25, 1e-3
# Of so many elements and more, one in so many is looked at first.
_MANY, _SOME = 1 << 16, 16
# A sigmoid of -128 is 1e-56. A kernel that has 1e-38 there is right.
NOTHING = 1e-12
# Elements that are far below others are those that a mask of -100 hides from a softmax. They end among the numbers that
# float32 has few digits for, and which many kernels take for zero. Their spread is at least this.
_VANISHED = 2.0**-106
# A row of elements of which the largest is looked at first.
BLOCK = 256
_SUMMED_IN = {torch.float16: torch.float32, torch.bfloat16: torch.float32, torch.complex32: torch.complex64}
# The elements of a hard draw, and those of them that a mask filled with a number of at least this size, as far as its
# share of the largest one tells. Probabilities near 1 are none.
HARD_GROUP, MASK_GROUP = "hard", "hard mask"
# Those of a usual draw that are far below others.
LOW_GROUP = "low"
# Parts of an output that are far smaller than the whole, on usual draws and on hard ones.
SMALL_PART, HARD_PART = "small part", "hard small part"
_MASK, _ALIKE, _MOST_MASKS = 8192.0, 0.99, 4


def precise(dtype: torch.dtype) -> torch.dtype:
    return torch.float64 if dtype in (torch.float64, torch.complex128) else torch.float32


def max_relative(difference: torch.Tensor, size: torch.Tensor) -> torch.Tensor:
    """The largest relative error of each row, over elements that should not be zero."""
    return (difference / size).nan_to_num_(nan=0.0, posinf=0.0).amax(-1)


def finite(*tensors: torch.Tensor) -> bool:
    """Whether all elements are surely finite. False says nothing: a sum may overflow."""
    return all(bool(torch.isfinite(sum_of(tensor))) for tensor in tensors)


def sum_of(tensor: torch.Tensor) -> torch.Tensor:
    """The sum of all elements, which is finite only if they are."""
    return tensor.sum(dtype=_SUMMED_IN.get(tensor.dtype))


def mean(size: torch.Tensor) -> float:
    """The mean of finite sizes."""
    total = float(size.sum())
    return total / size.numel() if math.isfinite(total) else float(size.mean(dtype=torch.float64))


def usable_of(got: torch.Tensor, base: torch.Tensor, truth: torch.Tensor, dtype: torch.dtype) -> torch.Tensor | None:
    """Which elements say something: those that are finite in eager and in float64. None where all are.

    Where eager overflows on the way in many elements, a few more that do so in a candidate say nothing either: just
    there rounding decides.
    """
    if finite(got, base, truth):
        return None
    usable = torch.isfinite(base) & torch.isfinite(truth) & ~overflown(got, base, truth, dtype)
    more = usable & ~torch.isfinite(got)
    eagers = torch.isfinite(truth) & ~torch.isfinite(base)
    if int(more.sum()) <= _AT_THE_BRINK * int(eagers.sum()):
        usable &= ~more
    return None if bool(usable.all()) else usable


def sums_of(table: torch.Tensor) -> torch.Tensor:
    """The sum of each row, which is finite only if all of the row is."""
    return table.sum(dim=1, dtype=_SUMMED_IN.get(table.dtype))


def largest(table: torch.Tensor, count: int) -> torch.Tensor:
    """The places of the largest values of each row, which are in those blocks that have the largest ones.

    From (rows, elements) to (rows, `count` or fewer).
    """
    width = table.shape[1]
    if width <= count * BLOCK:
        return table.topk(min(count, width), dim=1).indices
    blocks = width // BLOCK
    tops = (
        table[:, : blocks * BLOCK].view(len(table), blocks, BLOCK).amax(dim=2).topk(min(count, blocks), dim=1).indices
    )
    places = (tops[:, :, None] * BLOCK + torch.arange(BLOCK, device=table.device)).reshape(len(table), -1)
    rest = torch.arange(blocks * BLOCK, width, device=table.device).expand(len(table), -1)
    places = torch.cat([places, rest], dim=1)
    return places.gather(1, table.gather(1, places).topk(count, dim=1).indices)


def overflown(got: torch.Tensor, base: torch.Tensor, truth: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Where the output has an infinity, and eager stays finite by its roundings alone: the truth lies near the end of
    the dtype's range or beyond it. A number that eager has exactly is due, as the least one of a dtype in a mask.
    """
    near = truth.abs() * OVERFLOW > torch.finfo(dtype).max
    return torch.isinf(got) & (got.sign() == truth.sign()) & near & (base != truth)


def real(tensor: torch.Tensor) -> torch.Tensor:
    """Flat float64. A complex tensor as its real and imaginary parts."""
    plain = torch.view_as_real(tensor.to(torch.complex128)) if tensor.is_complex() else tensor
    return plain.to(torch.float64).reshape(-1)


def first_level(error: torch.Tensor, size: torch.Tensor, dtype: str, last: int = T_MAX) -> int | None:
    """Smallest t up to `last` at which every error is within the published tolerance. Both bounds grow with t."""
    if bool(error.max() == 0.0):
        return T_MIN
    room = torch.empty_like(error)

    def within(t: int) -> bool:
        bound = tolerance(dtype, t)
        return bool(torch.add(error, size, alpha=-bound.rtol, out=room).max() <= bound.atol)

    low, high = T_MIN, last + 1
    while low < high:
        middle = (low + high) // 2
        if within(middle):
            high = middle
        else:
            low = middle + 1
    return low if low <= last else None


def nearer_level(published: int | None, error: torch.Tensor, size: torch.Tensor, dtype: str) -> int | None:
    """The level of these errors against float64 where it is earlier than the one against eager, else that one."""
    if published == T_MIN:
        return published
    earlier = first_level(error, size, dtype, T_MAX if published is None else published - 1)
    return published if earlier is None else earlier


def in_units(values: torch.Tensor, unit: float) -> torch.Tensor:
    """The values over a unit, the same tensor where that is 1."""
    return values if unit == 1.0 else values / unit


def hard_unit(spread: float) -> float:
    """The unit of an absolute tolerance on a hard draw."""
    return HARD_ROOM * max(1.0, spread)


def spread_of(truth: torch.Tensor, *, hard: bool = False) -> float:
    """The truth's standard deviation, or its RMS where it has only one value.

    On a hard draw it is at least `NOTHING`: where all of an output vanishes, what is left of it is chance.
    """
    spread, magnitude = float(truth.std(correction=0)), rms(truth)
    found = magnitude if spread <= 1e-12 * magnitude else spread
    return max(found, NOTHING) if hard else found


def spread_of_group(truth: torch.Tensor, group: str, dtype: str) -> float:
    """The same for the elements of one group."""
    found = spread_of(truth, hard=is_of_hard_draw(group))
    return max(found, _VANISHED) if group == LOW_GROUP and dtype not in ("float64", "complex128") else found


def scaled_error(errors: torch.Tensor, spread: float) -> float:
    """RMS error in units of the truth's spread."""
    return in_spreads(rms(errors), spread)


def in_spreads(error: float, spread: float) -> float:
    """An error in units of the spread, infinite where there is no spread."""
    if spread == 0.0:
        return 0.0 if error == 0.0 else math.inf
    return error / spread


def sized(values: torch.Tensor, truth: torch.Tensor, spread: float) -> torch.Tensor:
    """Each element's error in units of the spread and of its own size, all in float64.

    Rounding errs in proportion to the rounded number, and the largest of many elements is many times the spread.
    Where all truths are zero any error is infinite.
    """
    return (values - truth).abs_().div_(truth.abs().add_(spread)).nan_to_num_(nan=0.0, posinf=math.inf)


def rms(values: torch.Tensor) -> float:
    """The root of the mean square of float64 values."""
    return float(torch.linalg.vector_norm(values) / math.sqrt(values.numel()))


def groups(size: torch.Tensor, *, hard: bool) -> list[tuple[str, torch.Tensor | slice]]:
    """The elements that are judged together, by their sizes. Beside a finite additive mask all others would be
    nothing. On a hard draw only a mask is told apart, for a few elements decide these anyway.
    """
    top = float(size.max())
    if _are_surely_near(size, top):
        return [(group_of_all(hard=hard), slice(None))]
    low = size < TOP * top
    if not are_told_apart(top, far=_are_far_below(size, low, top), hard=hard):
        return [(group_of_all(hard=hard), slice(None))]
    if not hard:
        return [(LOW_GROUP, low), ("high", ~low)]
    left = _beside_masks(size)
    return [(HARD_GROUP, left)] if bool(left.all()) else [(HARD_GROUP, left), (MASK_GROUP, ~left)]


def group_of_all(*, hard: bool) -> str:
    """The name of the group where all elements are judged together."""
    return HARD_GROUP if hard else ""


def are_told_apart(top: float, *, far: bool, hard: bool) -> bool:
    """Whether the largest elements are judged apart from those that are `far` below them."""
    return far and not (hard and top < _MASK)


def has_neighbours(group: str) -> bool:
    """Whether eager's errors on the neighbours of a draw tell anything of a group: those are errors of all elements."""
    return group in (group_of_all(hard=False), HARD_GROUP)


def is_of_hard_draw(group: str) -> bool:
    """Whether a group's elements are of a hard draw."""
    return group in (HARD_GROUP, MASK_GROUP, HARD_PART)


def _are_surely_near(size: torch.Tensor, top: float) -> bool:
    """Whether some of many elements show that those below the largest one are not far below: they alone are too large
    for that.
    """
    if size.numel() < _MANY:
        return False
    some = size[: size.numel() // _SOME]
    return float(torch.linalg.vector_norm(some * (some < TOP * top))) > _FAR_BELOW * top * math.sqrt(size.numel())


def _are_far_below(size: torch.Tensor, low: torch.Tensor, top: float) -> bool:
    count, norm = count_and_norm(size.reshape(-1), low.reshape(-1).to(size.dtype))
    return far_below(int(count), float(norm), top)


def count_and_norm(size: torch.Tensor, chosen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """How many elements of each row are chosen, and their Euclidean norm. `chosen`: ones and zeros, which are used up.

    They are floats, because a product with truth values takes six times as long.
    """
    count = chosen.sum(-1)
    return count, torch.linalg.vector_norm(chosen.mul_(size), dim=-1)


def far_below(count: int, norm: float, top: float) -> bool:
    """Whether so many elements of this Euclidean norm are far below the largest one."""
    return count > 0 and norm <= _FAR_BELOW * top * math.sqrt(count)


def _beside_masks(size: torch.Tensor) -> torch.Tensor:
    """The elements without those that masks filled: several numbers at most, each far above all that is left."""
    left = seen = torch.ones_like(size, dtype=torch.bool)
    for _ in range(_MOST_MASKS):
        top = float((size * seen).max())
        seen = seen & (size < _ALIKE * top)
        if top < _MASK:
            break
        if _are_far_below(size, seen, top):
            left = seen
    return left
