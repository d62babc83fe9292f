"""Compares results of a model with passes: with the model's own results, or else with those in float64.

In sixteen bits the roundings of many layers add up to more than any fixed tolerance. A kernel may round once where the
model rounds five times. It then differs from the model but is nearer to the truth. If results are not within the
tolerance of the model's own, both are compared with the same graph in float64. Passes may then be as far from it as the
model itself, times a factor. Indices that were chosen by value may differ if the chosen values are as good and the rest
follows from them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from passnet.bench.compare.closeness import MODEL, Errors
from passnet.bench.compare.comparison import Criteria
from passnet.bench.compare.due import instead_of_due
from passnet.bench.compare.errors import compare
from passnet.bench.compare.indices.follow import Followed
from passnet.bench.compare.measures import rms, sized
from passnet.graph.tensors.measure import dtype_name
from passnet.score.tolerances import tolerance
from passnet.use.model.traced import Values

Truth = Callable[[], Sequence[object] | None]
Follow = Callable[[Sequence[object]], Followed | None]


class Disagreement(Exception):
    """Results that are not the model's own. The message says which ones and how far they are off."""

    def __init__(self, place: int, expected: str, found: str) -> None:
        super().__init__(f"the passes change result {place} of the model; expected {expected}, found {found}")
        self.place, self.expected, self.found = place, expected, found


def require_agreement(expected: Values, found: Values, truth: Truth, follow: Follow | None = None) -> None:
    """Compare the leaves of two results. Raises `Disagreement`.

    `truth` is called at most once and returns float64's results or None. `follow` returns both for the indices that
    `found` shows, or None. Tensors must have the same shape, dtype and device. Integers and booleans must be equal,
    except for such indices.
    """
    try:
        _require(expected, found, truth)
    except Disagreement:
        followed = follow(found) if follow is not None and _alike(expected, found) else None
        if followed is None or any(level is None or level > MODEL.level for level in followed.levels.values()):
            raise
        _require(followed.eager, found, lambda: followed.wide)


def _alike(expected: Sequence[object], found: Sequence[object]) -> bool:
    """Whether the leaves have the same kinds and differ only in values."""
    kinds = [[_kind(leaf) if isinstance(leaf, torch.Tensor) else "" for leaf in leaves] for leaves in (expected, found)]
    return kinds[0] == kinds[1]


def _require(expected: Values, found: Values, truth: Truth) -> None:
    if len(found) != len(expected):
        raise Disagreement(min(len(found), len(expected)), f"{len(expected)} values", f"{len(found)}")
    far = [place for place, (own, ours) in enumerate(zip(expected, found, strict=True)) if not _near(place, own, ours)]
    wide = truth() if far else None
    for place in far:
        own, ours = expected[place], found[place]
        exact = wide[place] if wide is not None and own.is_floating_point() else None
        if not isinstance(exact, torch.Tensor) or exact.shape != own.shape or not _no_farther(own, ours, exact):
            raise Disagreement(place, _bounds(own), _distance(own, ours))


def _near(place: int, own: object, ours: object) -> bool:
    """Whether a value is the model's own within tolerance. Raises `Disagreement` for one of another kind."""
    if not isinstance(own, torch.Tensor):
        return True
    if not isinstance(ours, torch.Tensor):
        raise Disagreement(place, "a tensor", type(ours).__name__)
    if (own.shape, own.dtype, own.device) != (ours.shape, ours.dtype, ours.device):
        raise Disagreement(place, _kind(own), _kind(ours))
    if own.layout is not torch.strided or own.is_quantized:
        return True
    if not own.numel():
        return True
    level = compare([ours], [own], None, Criteria(MODEL.rms, MODEL.rms_cap)).correct_at
    return level is not None and level <= MODEL.level


def _no_farther(own: torch.Tensor, ours: torch.Tensor, exact: torch.Tensor) -> bool:
    """Whether our errors are about the model's own, see `MODEL`: on the whole, and the largest single one.

    Both are in units of the number's size plus the spread of all numbers.
    """
    if instead_of_due(ours, own, exact).numel():
        return False
    dtype = dtype_name(own.dtype)
    own, ours, exact = own.double(), ours.double(), exact.double()
    usable = own.isfinite() & exact.isfinite()
    if not bool(usable.any()) or not bool(ours[usable].isfinite().all()):
        return False
    own, ours, exact = own[usable], ours[usable], exact[usable]
    mine, theirs = (sized(values, exact, float(exact.std(correction=0))) for values in (ours, own))
    errors = Errors(rms(mine), rms(theirs), float(mine.max()), float(theirs.max()))
    return MODEL.holds([errors], [errors], dtype)


def _bounds(own: torch.Tensor) -> str:
    bound = tolerance(dtype_name(own.dtype), MODEL.level)
    if bound.exact:
        return "equal values"
    return f"the model's own within rtol {bound.rtol:g}, atol {bound.atol:g}, or as near to float64 as these"


def _distance(own: torch.Tensor, ours: torch.Tensor) -> str:
    return f"a largest difference of {(own.double() - ours.double()).abs().max().item():.3g}"


def _kind(value: torch.Tensor) -> str:
    return f"{dtype_name(value.dtype)} {list(value.shape)} on {value.device}"
