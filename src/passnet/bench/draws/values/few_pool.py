"""The numbers of which a draw of few values is made: a small table that all know, and others that are drawn in secret.

All inputs share halves and whole numbers up to 5. Where nothing rounds before a step, a form could tell these from
others. So such an input has more: larger halves, what its steps turn at, some numbers of its own size, and next to one
of these others that are nearly equal.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import within
from passnet.bench.wire.generator import BLENDS
from passnet.graph.text.program import Ref
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import TensorForm, known_values
from passnet.graph.values.indexing import REPEATING
from passnet.graph.values.steps import is_nearest
from passnet.graph.values.thresholds import EXPONENTIALS, forms_of
from passnet.graph.values.writes import renewed
from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import InputSource
    from passnet.graph import Graph, TensorSpec

# Up to so many halves.
HALVES = 10
TABLE = (0.0, -0.0, *(sign * half / 2 for half in range(1, HALVES + 1) for sign in (1, -1)))
# Larger ones lie between these powers of two. Beyond, half a unit is little beside the spread of the outputs.
_LARGER, _LARGER_POWERS = 8, (2.5, 6.5)
# So many numbers of an input's own size, and so many about the steps of an operation.
_OWN, _TURNS, _FARTHEST_TURN = 6, 6, 12
# How far a nearly equal number is from another one, as a power of two of its size. Tolerances of `isclose` are larger.
_NEAR = (-22.0, -18.0)
# So many numbers of ordinary size, between these powers of two, have nearly equal ones too: an input's own may all be
# large.
_ORDINARY, _ORDINARY_POWERS = 2, (-5.0, 2.0)
# At whole numbers, and at multiples of their divisor.
_AT_WHOLE = word_set("floor ceil trunc fix round frac int long short char byte floor_divide")
_AT_MULTIPLES = word_set("remainder fmod mod floor_divide floordiv")
# Of these the result is a float, and whole numbers far from zero have a certain one.
_WHOLE_FLOATS = word_set("floor ceil trunc fix round frac")
# Halves about a far number: how many of them, and from which power of two on it lies. Each dtype holds halves, and some
# between them, up to a power of its own. What repeats at every turn is known to few forms beyond the nearest power.
_ABOUT, _FAR_FROM, _FAR_TO, _NEAR_TO = 33, 6.5, 20.0, 9.5
# So many turns have a neighbour on each side.
_BESIDE = 4


@dataclass
class Secrets:
    """Numbers that are drawn for one graph. `own`: of the inputs' own sizes. `nearly`: nearly equal to some of these
    or to each other. `larger`: halves. `turns`: for an input, where its steps turn.
    """

    own: list[float] = field(default_factory=list)
    nearly: list[float] = field(default_factory=list)
    larger: list[float] = field(default_factory=list)
    turns: dict[int, list[float]] = field(default_factory=dict)

    @property
    def ends(self) -> list[float]:
        """The largest and the least of the own ones, and what is nearly equal to the largest."""
        if not self.own:
            return []
        top, least = max(self.own), min(self.own)
        return [top, least, *sorted(self.nearly, key=lambda each: abs(each - top))[:1]]

    def of(self, index: int, *, near: bool) -> list[float]:
        """All that one input may take."""
        return [*self.own, *self.larger, *self.turns.get(index, ()), *(self.nearly if near else ())]


def secrets(
    graph: Graph, usual: Mapping[int, InputSource], free: Collection[int], near: Collection[int], rng: Random
) -> Secrets:
    """What is drawn for these inputs. `near`: those that may hold numbers that are nearly equal."""
    found = Secrets()
    if not free:
        return found
    low, high = _LARGER_POWERS
    found.larger = [
        rng.choice((1, -1)) * (int(2 ** rng.uniform(low, high)) + number % 2 / 2) for number in range(_LARGER)
    ]
    for index in sorted(free):
        values = usual[index].table.double().flatten().tolist()
        known = [each for each in rng.sample(values, min(len(values), 8 * _OWN)) if math.isfinite(each)]
        dtype = getattr(torch, graph.specs[index].part_dtype)
        exact = torch.tensor(known, dtype=torch.float64).to(dtype).double().tolist()
        found.own += [each for each in exact if each * 2 != round(each * 2)][:_OWN]
    turning, direct, _ = _turns(graph, rng)
    for index in turning.keys() & free:
        some = rng.sample(turning[index], min(len(turning[index]), _FARTHEST_TURN))
        if index in near and index in direct:
            eps = torch.finfo(getattr(torch, graph.specs[index].part_dtype)).eps
            some += [each + sign * _step(each, eps) for each in some[:_BESIDE] for sign in (1, -1)]
        found.turns[index] = some
    dtypes = [getattr(torch, graph.specs[index].part_dtype) for index in near]
    for dtype in dict.fromkeys(each for each in dtypes if each in BLENDS):
        eps = torch.finfo(dtype).eps
        ordinary = [rng.choice((1, -1)) * 2.0 ** rng.uniform(*_ORDINARY_POWERS) for _ in range(_ORDINARY)]
        ordinary = torch.tensor(ordinary, dtype=torch.float64).to(dtype).double().tolist()
        found.nearly += ordinary
        for value in (max(found.own, default=0.0), min(found.own, default=0.0), *ordinary):
            step = _step(value, eps)
            apart = abs(value) * max(2 * eps, 2.0 ** rng.uniform(*_NEAR))
            moved = (value - step, value + step, value - apart, value + apart)
            found.nearly += [float(torch.tensor(each, dtype=dtype)) for each in moved if step]
    return found


def _step(value: float, eps: float) -> float:
    """The distance to the next number of a dtype."""
    return math.ldexp(eps, math.frexp(value)[1] - 1) if value else 0.0


def _turns(graph: Graph, rng: Random) -> tuple[dict[int, list[float]], set[int], set[int]]:
    """Input -> numbers at which a step of the program turns, on both sides of zero: where a floor is the next one,
    where a remainder is zero again, where another pixel is nearest.

    Also the inputs whose own numbers meet whole ones, and those of them that may lie far from zero.
    """
    forms, known = forms_of(graph), known_values(graph)
    found, direct, floored = dict[int, list[float]](), set[int](), set[int]()
    for op in renewed(graph).statements:
        name, given = plain_name(op), arguments(op)
        value = given.get("input", op.args[0] if op.args else None)
        divisor = given.get("other", op.args[1] if len(op.args) > 1 else None)
        numbers: list[float] = []
        whole = False
        if is_nearest(op):
            image, value = value, given.get("grid")
            form = known[image.index] if isinstance(image, Ref) else None
            sizes = (form.shape or ())[2:] if isinstance(form, TensorForm) else ()
            aligned = bool(given.get("align_corners"))
            numbers = [turn for size in sizes for turn in _between_pixels(size, rng, aligned=aligned)]
        elif name == "histc":
            numbers = _edges(given.get("min"), given.get("max"), given.get("bins"), rng)
        elif name == "round" and given.get("decimals"):
            numbers = _with_decimals(given["decimals"], rng)
        elif name in _AT_MULTIPLES or op.leaf in _AT_MULTIPLES or given.get("rounding_mode") is not None:
            if isinstance(divisor, int | float) and divisor:
                numbers = [sign * divisor * each for each in _counts(rng) for sign in (1, -1)]
        elif name in _AT_WHOLE or op.leaf in _AT_WHOLE or op.leaf in ("to", "type"):
            shift = 0.5 if name == "round" else 0.0
            numbers = [sign * (each + shift) for each in _counts(rng) for sign in (1, -1)]
            whole = True
        if not numbers or not isinstance(value, Ref):
            continue
        for index, form in forms.get(value.index, {}).items():
            if graph.specs[index].is_inexact and form.steps is not None:
                found.setdefault(index, []).extend(each for number in numbers for each in form.inputs(number, rng)[:1])
                if whole and form.linear and form.exact:
                    direct.add(index)
                    floored |= {index} if name in _WHOLE_FLOATS else set()
    return {index: [each for each in dict.fromkeys(some) if each] for index, some in found.items()}, direct, floored


def far_halves(graph: Graph, usual: Mapping[int, InputSource], rng: Random) -> dict[int, InputSource]:
    """Sources of halves about one far number, for the inputs of which a floor or its like is taken. There, half a unit
    is much beside the spread of all numbers.
    """
    leaves = {op.leaf for op in graph.program.ops}
    if not leaves & _WHOLE_FLOATS or leaves & EXPONENTIALS:
        return {}
    top = _NEAR_TO if leaves & REPEATING else _FAR_TO
    found: dict[int, InputSource] = {}
    centre = rng.choice((1, -1)) * 2.0 ** rng.uniform(_FAR_FROM, top)
    for index in sorted(_turns(graph, rng)[2] & usual.keys()):
        spec = graph.specs[index]
        most = 0.25 / torch.finfo(getattr(torch, spec.part_dtype)).eps
        middle = round(centre if abs(centre) < most else math.copysign(most, centre))
        values = within(spec, [middle + each / 2 for each in range(_ABOUT)])
        if len(values) == _ABOUT:
            found[index] = usual[index].of_these(values.to(getattr(torch, spec.part_dtype)))
    return found


def _between_pixels(size: int, rng: Random, *, aligned: bool) -> list[float]:
    """Places of a grid that are halfway between two pixels, of those that no form rounds: such as -1 + m / 2^a, where
    2^a divides the number of pixels, or of steps between them.
    """
    count = size - 1 if aligned else size
    if count < 1:
        return []
    most = count & -count
    places = range(1, 2 * most, 2) if aligned else range(2, 2 * most, 2)
    return [each / most - 1.0 for each in rng.sample(places, min(len(places), _TURNS))]


def _edges(low: object, high: object, bins: object, rng: Random) -> list[float]:
    """Edges between the bins of a histogram, where their width is a power of two: no form rounds there."""
    if not (isinstance(low, int | float) and isinstance(high, int | float) and isinstance(bins, int) and low < high):
        return []
    width = (high - low) / bins
    places = range(1, bins) if math.frexp(width)[0] == 0.5 and (low / width).is_integer() else range(0)
    return [low + each * width for each in rng.sample(places, min(len(places), _TURNS))]


def _with_decimals(decimals: object, rng: Random) -> list[float]:
    """Where a rounding to so many decimals turns, of the numbers that no form rounds."""
    if not isinstance(decimals, int) or abs(decimals) > HALVES:
        return []
    halves = [each + 0.5 for each in (0, *_counts(rng))]
    unit = 10.0**-decimals if decimals < 0 else 2.0**-decimals
    return [sign * half * unit for half in halves for sign in (1, -1)]


def _counts(rng: Random) -> list[int]:
    return [1, 2, *(int(2 ** rng.uniform(1, 5)) for _ in range(_TURNS - 2))]


def is_bounded(spec: TensorSpec) -> bool:
    """Whether an input has a bound of its own."""
    return spec.min_val is not None or spec.max_val is not None
