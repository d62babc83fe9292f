"""Values of which there is no error to measure: integers, and what is due where eager has an infinity or NaN."""

from __future__ import annotations

import math

import torch

from passnet.bench.compare.comparison import Comparison, hopeless
from passnet.bench.compare.measures import HARD_ROOM, OVERFLOW, finite, real
from passnet.graph.tensors.equality import same, same_values
from passnet.graph.tensors.measure import dtype_name
from passnet.graph.tensors.stored_bytes import as_stored
from passnet.score import STRICT_T, tolerance

# Where eager's infinity is due, so is any value that lies so near to it, such as an exponential that saturates.
_SATURATED = 0.25
# Where eager overflows and float64 does not, a number is right that is off by so much of its size and the spread at
# most. It may come from a chain of roundings, as eager's others do.
_NEAR_TRUTH = 0.05


def without_error(
    number: int, output: torch.Tensor, eager: torch.Tensor, wide: torch.Tensor | None, *, hard: bool
) -> Comparison | None:
    """The comparison of an output that is exact, or that strays where an infinity or NaN is due. None for others."""
    dtype = dtype_name(eager.dtype)
    if tolerance(dtype, 0).exact:
        return _compare_exact(number, dtype, output, eager, wide, hard=hard)
    return _stray(number, dtype, output, eager, wide, hard)


def _stray(
    number: int, dtype: str, output: torch.Tensor, eager: torch.Tensor, wide: torch.Tensor | None, hard: bool
) -> Comparison | None:
    """The error where eager has an infinity or NaN, searched at all elements. None where there is no error.

    A finite number that is not right there is a wrong value. Another infinity or NaN is one that should not be there.
    """
    wrong = instead_of_due(output, eager, wide, hard=hard)
    if not wrong.numel():
        return None
    said = f"{wrong.numel()} elements are neither eager's infinities and NaN nor right; one is {float(wrong[0]):g}"
    return hopeless(number, dtype, said, hard=hard, non_finite=not bool(torch.isfinite(wrong).all()))


def stray_values(number: int, dtype: str, got: torch.Tensor, *, hard: bool) -> Comparison:
    """The comparison of an output with infinities or NaN where eager and float64 are finite. `got`: what is there."""
    stray = got[~torch.isfinite(got)]
    nan = int(torch.isnan(stray).sum())
    said = f"{nan} NaN and {stray.numel() - nan} infinities among {got.numel()} elements that eager has as numbers"
    return hopeless(number, dtype, said, hard=hard, non_finite=True)


def instead_of_due(
    output: torch.Tensor, eager: torch.Tensor, wide: torch.Tensor | None, *, hard: bool = False
) -> torch.Tensor:
    """The float64 values that a floating output has where eager has an infinity or NaN, and that are not right there.

    Where float64 agrees, eager's value is due. A saturated value is right too where the truth is a finite number, and
    on hard draws, where float64 overflows too. Where float64 has a number, that is right as well as eager's value.
    """
    if finite(eager):
        return torch.empty(0, dtype=torch.float64)
    odd = ~torch.isfinite(eager)
    if not bool(odd.any()):
        return torch.empty(0, dtype=torch.float64)
    got, base, truth = (real(tensor[odd]) for tensor in (output, eager, eager if wide is None else wide))
    largest = torch.finfo(eager.dtype).max
    infinite = torch.isinf(base) & (base.sign() == truth.sign()) & (truth.abs() / OVERFLOW > largest)
    due = infinite | (torch.isnan(base) & torch.isnan(truth))
    saturated = infinite & (got * base.sign() >= _SATURATED * largest) & (torch.isfinite(truth) | hard)
    wrong = due & ~same(got, base) & ~saturated
    apart = ~torch.isfinite(base) & torch.isfinite(truth) & ~due
    if wide is not None and bool(apart.any()):
        wrong |= apart & ~same(got, base) & ~_overflown_alike(got, base, eager) & ~_near_truth(got, truth, wide, eager)
    return got[wrong]


def _overflown_alike(got: torch.Tensor, base: torch.Tensor, eager: torch.Tensor) -> torch.Tensor:
    """Where a form may be infinite or NaN as eager is, by another step: eager's NaN comes from an infinity, and what a
    complex number has for one is open.
    """
    return ~torch.isfinite(got) & (torch.isnan(base) | eager.is_complex())


def _near_truth(got: torch.Tensor, truth: torch.Tensor, wide: torch.Tensor, eager: torch.Tensor) -> torch.Tensor:
    """Where values are near float64's. At the end of the dtype's range the infinity and saturated values are, too.

    The spread is that of all numbers which the dtype can hold.
    """
    largest = torch.finfo(eager.dtype).max
    every = real(wide)
    every = every[every.abs() <= largest]
    spread = float(every.std(correction=0)) if every.numel() else 0.0
    room = min(_NEAR_TRUTH, HARD_ROOM * tolerance(dtype_name(eager.dtype), STRICT_T).rtol)
    at_the_end = (truth.abs() * OVERFLOW > largest) & (got * truth.sign() >= _SATURATED * largest)
    return at_the_end | ((got - truth).abs() <= room * (truth.abs() + spread))


def _compare_exact(
    number: int, dtype: str, output: torch.Tensor, eager: torch.Tensor, wide: torch.Tensor | None, *, hard: bool
) -> Comparison:
    """Integers must be eager's. A truth value may be that of float64: whether x < 0.5 is a matter of eager's roundings,
    and a kernel that rounds less says what is true. It must be a byte of 0 or 1, as eager's are: who sums a mask up as
    bytes counts on that.
    """
    odd = odd_bytes(output)
    if odd.numel() and not odd_bytes(eager).numel():
        said = f"{odd.numel()} truth values are bytes other than 0 and 1, one is {int(odd[0])}"
        return hopeless(number, dtype, said, 1.0, hard=hard)
    if torch.equal(output, eager):
        return Comparison()
    if wide is not None and wide.dtype is output.dtype is torch.bool and bool((output ^ eager <= wide ^ eager).all()):
        return Comparison(published_at=None, max_abs=1.0)
    if eager.is_floating_point() and same_values(output.float(), eager.float()):  # NaN in eight bits
        return Comparison()
    distances = (output.double() - eager.double()).abs()
    distance = float(distances.max()) if output.numel() else math.inf
    differ = distances != 0.0 if eager.is_floating_point() else output != eager
    count = f"{int(differ.sum())} of {output.numel()} {dtype} values"
    return hopeless(number, dtype, f"{count} are not eager's, one is {distance:g} off", distance, hard=hard)


def odd_bytes(tensor: torch.Tensor) -> torch.Tensor:
    """The bytes of truth values that are neither 0 nor 1. None of other dtypes."""
    if tensor.dtype is not torch.bool:
        return torch.empty(0, dtype=torch.uint8)
    stored = as_stored(tensor)
    return stored[stored > 1]
