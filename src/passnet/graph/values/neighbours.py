"""Finds by how much neighbours of a row have to differ for a program: the numbers with which it compares a difference
of two slices of one input, as `torch.diff` makes it.

Where elements are drawn one by one, hardly any two neighbours differ by such a number, and no row is evenly spaced.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.text.program import Op, Ref, SliceValue
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.solving import InputForm
from passnet.graph.values.thresholds import COMPARING, Forms, comparisons, followed
from passnet.graph.values.writes import renewed

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# Nearer to a number than this part of it, it is chance on which side an honest form is if something rounds.
_BESIDE = 1e-3
# So many steps of one dimension at most, and those that are exact or between two numbers first.
_MOST = 8


@dataclass(frozen=True)
class Neighbours:
    """A dimension of an input along which a program takes differences of elements.

    `steps`: by how much neighbours may differ so that it makes something else of them, those that matter most first.
    Nothing where it compares no difference with a number.
    """

    dim: int
    steps: tuple[float, ...]


@dataclass(frozen=True)
class _Part:
    """A slice of an input, perhaps scaled and shifted. `starts`: for each dimension of the slice that of the input and
    the place from which on it is taken. `fixed`: dimensions of which one place is taken.
    """

    index: int
    starts: tuple[tuple[int, int], ...]
    fixed: frozenset[tuple[int, int]] = frozenset()

    def apart(self, other: _Part) -> tuple[int, int] | None:
        """The dimension in which two slices of an input begin at different places, and how far from each other."""
        if (self.index, self.fixed, len(self.starts)) != (other.index, other.fixed, len(other.starts)):
            return None
        pairs = list(zip(self.starts, other.starts, strict=True))
        differing = [(mine[0], mine[1] - theirs[1]) for mine, theirs in pairs if mine != theirs]
        return differing[0] if len(differing) == 1 and all(mine[0] == theirs[0] for mine, theirs in pairs) else None


@dataclass
class _Walk:
    """Follows slices of inputs and their differences. `sources`: of each difference the input, the dimension, and how
    many places its elements are apart. In `forms` they are numbered behind the inputs.
    """

    graph: Graph
    parts: dict[int, _Part]
    forms: dict[int, Forms]
    specs: list[TensorSpec]
    sources: list[tuple[int, int, int]] = field(default_factory=list)
    # Source -> the differences that matter, and whether they are exact.
    found: dict[tuple[int, int], dict[float, bool]] = field(default_factory=dict)

    @classmethod
    def of(cls, graph: Graph) -> _Walk:
        known, view = constants(graph), renewed(graph)
        inputs = [index for index in range(len(graph.specs)) if index not in known]
        parts = {i: _Part(i, tuple((dim, 0) for dim in range(len(graph.specs[i].shape)))) for i in inputs}
        forms: dict[int, Forms] = {i: {i: InputForm(whole=graph.specs[i].is_integer)} for i in inputs}
        walk = cls(graph, parts, forms, list(graph.specs))
        for place, op in enumerate(view.statements, start=len(graph.specs)):
            made = Forms() if place in known else walk._difference(op, known)
            if made is None:
                made = followed(op, forms, walk.specs, known) | forms.get(view.partly.get(place, -1), {})
                if plain_name(op) == "roll" and op.args and isinstance(op.args[0], Ref):
                    made = forms[op.args[0].index]
                if place not in view.writes and (part := walk._part(op, place, made)) is not None:
                    parts[place] = part
            forms[place] = made
        return walk

    def _difference(self, op: Op, known: Mapping[int, Sequence[float]]) -> Forms | None:
        """What an operation makes of two slices of an input that are some places apart, or of an input's neighbours."""
        given, name = arguments(op), plain_name(op)
        one, other = given.get("input"), given.get("other")
        if name == "diff" and isinstance(one, Ref) and one.index in self.parts:
            part, dim = self.parts[one.index], given.get("dim", -1)
            if isinstance(dim, int) and part.starts and -len(part.starts) <= dim < len(part.starts):
                self.sources.append((part.index, part.starts[dim][0], 1))
                factor = self.forms[one.index][part.index].factor
                return self._form(part.index, factor, 0.0) if given.get("n", 1) == 1 else None
        if not isinstance(one, Ref) or not isinstance(other, Ref) or given.get("alpha", 1) != 1:
            return None
        mine, theirs = self.parts.get(one.index), self.parts.get(other.index)
        apart = mine.apart(theirs) if mine and theirs else None
        if mine is None or apart is None or name not in ("sub", *COMPARING):
            return None
        left, right = self.forms[one.index][mine.index], self.forms[other.index][mine.index]
        if left.factor != right.factor:
            return None
        if name == "sub":
            self.sources.append((mine.index, *apart))
            return self._form(mine.index, left.factor, left.shift - right.shift)
        number = (right.shift - left.shift) / left.factor
        if number:
            exact = left.exact and right.exact
            self.found.setdefault((mine.index, apart[0]), {})[number / apart[1]] = exact
        return None

    def _form(self, index: int, factor: float, shift: float) -> Forms:
        """The form of a difference of elements that was scaled and shifted, of the last source."""
        whole, number = self.graph.specs[index].is_integer, len(self.specs)
        self.specs.append(self.graph.specs[index])
        form = InputForm(whole=whole)
        form = form.after("mul", (factor,)) if factor != 1.0 else form
        return {number: form.after("add", (shift,)) if shift else form}

    def _part(self, op: Op, place: int, made: Forms) -> _Part | None:
        """The slice that a result is. None where it is not a linear function of one."""
        value = next((each for each in op.args if isinstance(each, Ref) and each.index in self.parts), None)
        part = self.parts[value.index] if value is not None else None
        if value is None or part is None or len(made) != 1 or part.index not in made or not made[part.index].linear:
            return None
        shapes, name = known_forms(self.graph), plain_name(op)
        before, after = shapes[value.index][0], shapes[place][0]
        if before is None or after is None:
            return None
        if name == "getitem":
            return _sliced(part, op.args[1], before)
        if name in ("narrow", "roll"):
            names = ("dim", "start") if name == "narrow" else ("shifts", "dims")
            given = dict(zip(names, op.args[1:], strict=False)) | dict(op.kwargs)
            one = {key: each[0] if isinstance(each, tuple | list) and each else each for key, each in given.items()}
            dim, by = one.get("dim", one.get("dims")), one.get("start", one.get("shifts"))
            if not isinstance(dim, int) or not isinstance(by, int) or not -len(before) <= dim < len(before):
                return None
            return _moved(part, dim % len(before), by if name == "narrow" else -by)
        return (
            part if before == after and name not in ("flip", "t", "transpose", "permute", "view", "reshape") else None
        )


def _moved(part: _Part, dim: int, by: int) -> _Part:
    starts = list(part.starts)
    starts[dim] = starts[dim][0], starts[dim][1] + by
    return _Part(part.index, tuple(starts), part.fixed)


def _sliced(part: _Part, key: object, shape: Sequence[int]) -> _Part | None:
    """The slice of a slice by the keys of a subscript. None of others than slices and places."""
    keys = list(key) if isinstance(key, tuple) else [key]
    if keys.count(Ellipsis) > 1 or any(each is None for each in keys):
        return None
    if Ellipsis in keys:
        at = keys.index(Ellipsis)
        keys[at : at + 1] = [SliceValue(None, None, None)] * (len(shape) - len(keys) + 1)
    keys += [SliceValue(None, None, None)] * (len(shape) - len(keys))
    starts, fixed = list[tuple[int, int]](), set(part.fixed)
    for (dim, start), size, each in zip(part.starts, shape, keys, strict=True):
        first = each.start or 0 if isinstance(each, SliceValue) and each.step in (None, 1) else each
        if not isinstance(first, int) or isinstance(first, bool):
            return None
        place = start + (first + size if first < 0 else first)
        if isinstance(each, SliceValue):
            starts.append((dim, place))
        else:
            fixed.add((dim, place))
    return _Part(part.index, tuple(starts), frozenset(fixed))


def neighbours(graph: Graph, rng: Random) -> dict[int, tuple[Neighbours, ...]]:
    """Input of integers or floats -> the dimensions along which a program takes differences of its elements."""
    walk = _Walk.of(graph)
    found = {(index, dim): dict[float, bool]() for index, dim, _ in walk.sources}
    found |= walk.found
    for each in comparisons(graph, forms=walk.forms):
        for source, form in each.forms.items():
            if source >= len(graph.specs):
                index, dim, apart = walk.sources[source - len(graph.specs)]
                for number in form.inputs(each.number, rng):
                    if math.isfinite(number):
                        numbers = found[index, dim]
                        numbers[number / apart] = numbers.get(number / apart, True) and form.exact
    made: dict[int, tuple[Neighbours, ...]] = {}
    for (index, dim), numbers in found.items():
        spec = graph.specs[index]
        if spec.is_integer or spec.is_floating:
            steps = _steps(numbers, rng, whole=spec.is_integer)
            made[index] = (*made.get(index, ()), Neighbours(dim, steps))
    return made


def _steps(numbers: Mapping[float, bool], rng: Random, *, whole: bool) -> tuple[float, ...]:
    """Steps that are exactly such numbers, that lie between two of them, and that lie beyond all."""
    ordered = sorted(numbers)
    exact = [number for number in ordered if numbers[number]]
    first = [*exact, *((one + other) / 2 for one, other in itertools.pairwise(ordered))]
    others = [end * times for end in (*ordered[:1], *ordered[-1:]) for times in (0.5, 1.5)]
    if whole:
        first = [float(round(each)) for each in first]
        others = [*(float(round(each)) for each in others), *(each + side for each in exact for side in (-1, 1))]
    rough = [number for number in ordered if not numbers[number]]
    clear = [
        each
        for group in (first, others)
        for each in rng.sample(group, len(group))
        if each and all(abs(each - number) > _BESIDE * abs(number) for number in rough)
    ]
    return tuple(dict.fromkeys(clear))[:_MOST]
