"""Which outputs of a careful draw are compared: those that eager computes well there, each by itself.

An output that eager computes poorly must not take the others with it. A sine of large numbers beside a mask is one.
Where both are in one output, the slices that eager computes well are compared.
Outputs have their numbers, and the inputs that a graph changes come behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import torch

from passnet.bench.compare.comparison import Comparison
from passnet.bench.compare.neighbours import is_exact, survived
from passnet.bench.compare.well_slices import Judged, WellSlices

Tensors = Sequence[torch.Tensor]
# What is compared: a candidate's, eager's, and float64's.
Sides = tuple[Tensors, Tensors, Tensors | None]


def well_parts(eager: Tensors, truths: Tensors, well: frozenset[int]) -> Judged:
    """What is judged of these outputs, of which those are computed well as a whole."""
    found: dict[int, WellSlices | None] = dict.fromkeys(well)
    for number, pair in enumerate(zip(eager, truths, strict=True)):
        slices = None if number in well else WellSlices.of(*pair)
        if slices is not None:
            found[number] = slices
    return found


def in_both(one: Judged, other: Judged) -> Judged:
    """What is judged in two looks."""
    found: dict[int, WellSlices | None] = {}
    for number in one.keys() & other.keys():
        here, there = one[number], other[number]
        slices = here.both(there) if here and there else here or there
        if slices is not None or (here is None and there is None):
            found[number] = slices
    return found


def well_computed(
    eager: Tensors, truths: Tensors, usual: Callable[[], Sequence[float]], *, roughly: bool = False
) -> frozenset[int]:
    """The numbers of these outputs that eager computes well, see `survived`.

    Of integers and truth values nobody knows how near they are. They are well if the truth has the same, or if all
    others are. `usual`: eager's errors on usual draws, which are asked for where one is too large otherwise.
    """
    pairs = list(zip(eager, truths, strict=True))
    well = {n for n, pair in enumerate(pairs) if not is_exact(pair[0]) and survived(*pair, roughly=roughly)}
    poor = [n for n, (base, _) in enumerate(pairs) if not is_exact(base) and n not in well]
    if poor:
        known = usual()
        well |= {n for n in poor if survived(*pairs[n], roughly=roughly, usual=known[n])}
    all_well = well.issuperset(poor)
    return frozenset(well).union(
        n
        for n, (base, truth) in enumerate(pairs)
        if is_exact(base) and (all_well or torch.equal(base.to(truth.dtype), truth))
    )


def only_judged(sides: Sides, judged: Judged, first: int) -> tuple[Sides, list[int]]:
    """The tensors that are compared, and their places. `first`: the number of the first one.

    What a pass makes of NaN is not compared, nor an infinity beside it: a form may have NaN for that.
    """
    places = [place for place in range(len(sides[1])) if first + place in judged]
    outputs, eager, wide = (
        [_judged_part(group[place], judged[first + place]) for place in places] if group is not None else None
        for group in sides
    )
    assert outputs is not None and eager is not None
    left = [_with_numbers_alone(got, base) for got, base in zip(outputs, eager, strict=True)]
    return (left, eager, wide), places


def _judged_part(tensor: torch.Tensor, slices: WellSlices | None) -> torch.Tensor:
    return tensor if slices is None else slices.chosen(tensor)


def _with_numbers_alone(got: torch.Tensor, base: torch.Tensor) -> torch.Tensor:
    """The output with eager's elements where that has no numbers, if any of them is NaN."""
    if is_exact(base) or not bool(torch.isnan(base).any()):
        return got
    return torch.where(torch.isfinite(base), got, base)


def renumbered(found: Comparison, places: Sequence[int], first: int) -> Comparison:
    """A comparison of some outputs, with the numbers that these have among all."""
    parts = tuple(replace(part, output=first + places[part.output - first]) for part in found.parts)
    return replace(found, parts=parts)
