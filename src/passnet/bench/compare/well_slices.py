"""The slices of an output that eager computes well, where it does not compute the whole of it well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch

from passnet.bench.compare.measures import real
from passnet.bench.compare.neighbours import is_exact, most_error
from passnet.bench.compare.parts import Slices, slices_of

# So few elements, or so small a share of an output, may be near the truth by chance.
_FEW, _SHARE = 64, 1 / 8
# Of two looks at slices of which eager knows some, so small a share is of another kind in each.
_MOVED = 1 / 16
# So many elements beside each other are a slice too.
_BESIDE = 16


@dataclass(frozen=True)
class WellSlices:
    """The slices of an output that eager computes well: `kept` says which of them."""

    slices: Slices
    kept: torch.Tensor

    @classmethod
    def of(cls, eager: torch.Tensor, truth: torch.Tensor) -> WellSlices | None:
        """Those of the dimension in which they are the most, or of elements that lie beside each other.

        None where they are few, or where anything is not finite:
        near the end of a dtype's range it is chance which form overflows.
        """
        if is_exact(eager) or eager.is_complex() or eager.numel() < _FEW:
            return None
        base, exact = real(eager), real(truth)
        if not bool(torch.isfinite(base).all() and torch.isfinite(exact).all()):
            return None
        found: list[tuple[int, WellSlices]] = []
        most = most_error(eager.dtype)
        for slices in (*slices_of(tuple(eager.shape)), Slices(1, eager.numel() // _BESIDE, _BESIDE)):
            true = slices.cut(exact)
            room = true.abs() + true.square().mean(dim=(0, 2), keepdim=True).sqrt()
            kept = ((slices.cut(base) - true).abs() <= most * room).all(2).all(0)
            found.append((int(kept.sum()) * slices.outer * slices.inner, cls(slices, kept)))
        count, best = max(found, key=lambda each: each[0], default=(0, None))
        return best if count >= max(_FEW, _SHARE * eager.numel()) else None

    def both(self, other: WellSlices) -> WellSlices | None:
        """Those of two looks. None where it is chance which slices are well: many are in one look alone."""
        if self.slices != other.slices or float((self.kept ^ other.kept).double().mean()) > _MOVED:
            return None
        kept = self.kept & other.kept
        return replace(self, kept=kept) if bool(kept.any()) else None

    def chosen(self, tensor: torch.Tensor) -> torch.Tensor:
        """Their elements, flat."""
        return self.slices.cut(tensor.reshape(-1))[:, self.kept.to(tensor.device)].reshape(-1)


# The outputs that are judged on a draw: all of one, or some of its slices.
Judged = Mapping[int, WellSlices | None]
