"""Elements of which eager itself knows nothing: there no form is judged by them, and all others are judged as ever.

The direction of two vectors that are parallel, or the solution of a system without one, is what rounding makes of it.
Eager is as far off there as any other form. An element is lost where eager is far from float64, on the draw or on a
neighbour of it. A short row or a small matrix is lost as a whole, for it is normalised or solved for as one.

What is lost says nothing of other rows. So it must be left out before errors are added up: else one lost row hides what
is wrong elsewhere, or refuses what is right. A candidate must still be a number there, and not much farther off than
eager's farthest one. On usual draws few elements may be lost, or nothing is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from passnet.bench.compare.closeness import GRAPH, HARD, Errors
from passnet.bench.compare.measures import spread_of
from passnet.bench.compare.neighbours import is_exact, luckless

# An element is lost where eager is so far off, in units of the spread and of its size: there a fixed limit would hold.
_LOST = HARD.peak_cap
# Rows of so many elements, or matrices, are lost as a whole.
_BLOCK = 16
# On usual draws so large a share may be lost.
_FEW = 1 / 8
Tensors = Sequence[torch.Tensor]


def without_lost(
    outputs: Tensors, eager: Tensors, wide: Tensors, near: Sequence[Errors], *, hard: bool
) -> tuple[list[torch.Tensor], list[torch.Tensor]] | None:
    """A candidate's outputs and eager's with float64's values for all that is lost. None where nothing is.

    `near`: eager's errors on the neighbours of the draw, with its outputs there where they are known.
    """
    left = [_left(*row, hard=hard) for row in zip(outputs, eager, wide, near, strict=True)]
    if not any(pair is not None for pair in left):
        return None
    rows = [pair or sides for pair, sides in zip(left, zip(outputs, eager, strict=True), strict=True)]
    return [got for got, _ in rows], [base for _, base in rows]


def _left(
    output: torch.Tensor, eager: torch.Tensor, wide: torch.Tensor, near: Errors, *, hard: bool
) -> tuple[torch.Tensor, torch.Tensor] | None:
    # With the three digits of bfloat16 single elements are far off in any form: they have their own limits.
    if is_exact(eager) or eager.is_complex() or eager.dtype == torch.bfloat16 or not eager.numel():
        return None
    known = torch.isfinite(eager) & torch.isfinite(wide)
    if not bool(known.any()):
        return None
    eagers = _off(eager, wide, known, hard=hard)
    beside = torch.zeros_like(eagers)
    for base, truth in near.neighbours:
        if base.shape != eager.shape:
            return None
        finite = torch.isfinite(base) & torch.isfinite(truth)
        if bool(finite.any()):
            beside = torch.maximum(beside, _off(base, truth, finite, hard=hard))
    eagers = luckless(eagers, beside)
    lost = eagers > _LOST
    block = _block(eager.shape)
    lost = lost.reshape(-1, block).any(-1, keepdim=True).expand(-1, block).reshape(eager.shape) & known
    if not bool(lost.any()) or not (hard or float(lost.double().mean()) <= _FEW):
        return None
    most = (HARD if hard else GRAPH).far_peak * float(eagers.max())
    free = lost & torch.isfinite(output) & (_off(output, wide, known, hard=hard) <= most)
    due = wide.to(eager.dtype)
    return torch.where(free, due.to(output.dtype), output), torch.where(free, due, eager)


def _block(shape: torch.Size) -> int:
    """How many elements at the end of a tensor belong together: a short row, or a small matrix."""
    block = 1
    for size in reversed(shape[1:]):
        if block * size > _BLOCK:
            break
        block *= size
    return block


def _off(values: torch.Tensor, truth: torch.Tensor, known: torch.Tensor, *, hard: bool) -> torch.Tensor:
    """Each element's error in units of the spread and of its size. None where it is not known."""
    exact = truth.double()
    spread = spread_of(exact[known], hard=hard)
    room = (exact.abs() + spread).clamp(min=torch.finfo(torch.float64).tiny)
    return torch.where(known, (values.double() - exact).abs() / room, 0.0)
