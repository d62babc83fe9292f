"""Hard draws that not every graph survives: a reference looks first, and those on which eager fails do not count.

Each is a usual draw in which some inputs are what a naive form may not expect. They are made once for a graph, and go
with its other hard draws as siblings of these. Functions that make several take one usual draw after another.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.timing.input_source import InputSource
from passnet.bench.wire.generator import ALL_UNEVEN, BLENDS, UNEVEN, DrawnRow, OddPlace, RowSizes
from passnet.graph.text.program import TorchConstant
from passnet.graph.values import thresholds as graph_thresholds
from passnet.graph.values.constants import stored
from passnet.graph.values.indexing import REPEATING, reckoning, wrapping_indices
from passnet.graph.values.inputs import hardened
from passnet.graph.values.roles import Role, roles_of
from passnet.op_classes import ATTENTION, LIBRARY, word_set

if TYPE_CHECKING:
    from passnet.graph import Distribution, Graph, TensorSpec
    from passnet.graph.values.thresholds import Threshold

# Values of a mixed table, how many draws hold a few of one number, and how many more where an input has few elements.
# Of an input's numbers so many are taken.
_ENTRIES, _FEW_DRAWS, _MORE_DRAWS, _MOST = 2048, 2, 4, 16
# Factors of numbers that lie about a threshold and beyond it. They are drawn, so that none is a tie of rounding.
_PARTS = ((0.7, 0.95), (1.05, 1.3), (1.5, 2.5), (3.0, 6.0))
# Floats of all sizes up to these powers of two.
_POWERS = (24, 48)
# So many powers of two are left to the end of a dtype's range, but in one draw.
_ROOM = 4
_NEAR_ONLY = REPEATING | word_set("int long short char byte type bool one_hot histc bincount")
# A softmax of scaled values takes the maximum from them. A GPU's compiler makes one multiply-add of that, and what the
# maximum lost by rounding is left. Of more than a billion its exponential overflows. A product of two inputs is as far
# out as both together.
_EXPONENTIALS = ATTENTION | graph_thresholds.EXPONENTIALS
_POWERS_OF_EXPONENTS = {False: (24,), True: (12,)}
# Below zero nothing is lost beside a larger number. One element of so many is there, so that all rows have others: no
# step between the elements of a row is a multiple of such a number.
_FAR_BELOW = (61, 67, 71, 73, 79, 83)
# Of an input's values, in order, those of the larger part and those of the smaller one. They differ in sign and size.
_LARGER, _SMALLER = (0.75, 1.0), (0.25, 0.5)
# Powers of two between which rows have sizes of their own, one draw for each part. In a draw tolerances grow with the
# largest rows, so no part is wide where outputs grow with inputs. Far below 1 only what divides by a size tells
# anything. The edges move by up to half a power.
_SIZES, _EDGE = (-56.0, -40.0, -24.0, -10.0, -3.0, 3.0, 10.0, 17.0, 24.0), 0.5
# What becomes an integer, or repeats at every turn, ends near a thousand. The largest numbers of a row are larger than
# its size by up to so many powers. Of so many blocks each may have one size.
_NEAR, _BEYOND, _BLOCKS = 10.0, 3, 8
# Of fewer rows, of which a third is free, all may be free by chance: in one call of 6,500 with so many.
_MANY_ROWS = 8
# Not so near that a narrow dtype, or one that flushes small numbers, has zero for it.
_NEAR_ZERO = 2.0**-12
# On one side rows have sizes within so many powers of two.
_SIDE = 8.0
_ORDERING = graph_thresholds.EXPONENTIALS | word_set("""
amax amin aminmax argmax argmin argsort cummax cummin kthvalue max maximum median min minimum mode msort sort topk
max_pool1d max_pool2d max_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d logcumsumexp
""")
# What a graph adds to its data, or takes from it, is zero with it.
_ADDED = frozenset({Role.BIAS, Role.MEAN})
Sources = Sequence[InputSource]
# The usual draw that is the background of the next one.
Backgrounds = Iterator[Sources]
# Draws inputs from a hard distribution, weights and statistics too.
DrawHard = Callable[["Distribution"], Sources]


def weights(
    graph: Graph, usual: Backgrounds, hard: Sequence[Distribution], draw: DrawHard, rng: Random
) -> list[list[InputSource]]:
    """Draws in which some weights and statistics are hard, and all data is ordinary: one for each distribution.

    A name may be wrong, and what a graph calls a bias may be what a softmax is of. Some, because all at once are more
    than a narrow dtype holds.
    """
    chosen = [
        index
        for index in sorted(hardened(graph, every=True) - hardened(graph))
        if graph.specs[index].is_inexact and graph.specs[index].numel
    ]
    if not chosen:
        return []
    made = []
    for name in hard:
        some = {rng.choice(chosen), *(index for index in chosen if rng.random() < 0.5)}
        pairs = enumerate(zip(next(usual), draw(name), strict=True))
        made.append([other if index in some else each for index, (each, other) in pairs])
    return made


def zeros(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Draws in which rows, blocks or whole inputs are zero, and so are some elements of a variance.

    By chance no row is, so in the last draw all inputs are. The epsilon of a norm is all that is left there, or the
    least that a graph divides by. They are zeros, because the mean of other constants rounds, and a small epsilon
    magnifies that. In the first draw some filters of weights are zero too.
    """
    roles, flows, first = roles_of(graph.program, graph.specs), hardened(graph), next(usual)
    may = [_may_be_zero(spec, each) for spec, each in zip(graph.specs, first, strict=True)]
    rows = [each and (index in flows or roles[index] in _ADDED) for index, each in enumerate(may)]
    deepest = max((len(spec.shape) for spec, each in zip(graph.specs, rows, strict=True) if each), default=1)
    filters = [
        each and role is Role.WEIGHT and len(spec.shape) > 1
        for each, role, spec in zip(may, roles, graph.specs, strict=True)
    ]
    variances = [each and role is Role.VARIANCE for each, role in zip(may, roles, strict=True)]
    if not any(rows) and not any(variances) and not any(filters):
        return []
    made: list[list[InputSource]] = []
    by_chance = [(dims, UNEVEN) for dims in sorted({1, rng.randint(1, deepest), deepest})]
    for dims, uneven in [*by_chance, (deepest, ALL_UNEVEN)]:
        row = list(next(usual) if made else first)
        for index, (spec, each) in enumerate(zip(graph.specs, row, strict=True)):
            if rows[index]:
                row[index] = replace(each, row=DrawnRow(math.prod(spec.shape[-dims:]), 0, 0, uneven))
            elif filters[index] and not made:
                row[index] = replace(each, row=DrawnRow(math.prod(spec.shape[1:]), 0, 0, UNEVEN))
            elif variances[index]:
                values = each.table.to(getattr(torch, spec.part_dtype))
                row[index] = each.of_these(torch.cat([values, torch.zeros_like(values)]))
        made.append(row)
    return made


def indices(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """A draw in which whatever indexes something takes all that it may index.

    Stored content and bounds are those of recorded calls: another call of the model has others. Where eager counts
    negative ones from the end, half of them are negative, unless a bound says that none is.
    """
    row, wrapping = list(usual), wrapping_indices(graph)
    for index, size in graph.index_bounds().items():
        spec = graph.specs[index]
        if size > 1 and spec.numel:
            dtype, low = getattr(torch, spec.dtype), 0
            ends = torch.tensor([0, size - 1])
            if index in wrapping and spec.dtype.startswith("int") and (spec.min_val is None or spec.min_val < 0):
                low, ends = -size, torch.cat([ends, ends - size])
            row[index] = usual[index].of_range(low, size - 1, dtype).mixed(ends.to(dtype), 4)
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def all_of(size: int, dtype: torch.dtype) -> InputSource:
    """Indices into so many entries. One in four is the first or the last of them: few would meet these."""
    return InputSource.of_range(0, size - 1, dtype).mixed(torch.tensor([0, size - 1]).to(dtype), 4)


def thresholds(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Draws that hold the numbers with which a program compares an input, and such beside them and beyond: all of them
    in half of the elements, and then a few of one number in one element of many, with rows that are alike but for one.

    In the first draw no row is alike. An input of few rows would hold next to no number in most calls. One of few
    elements has nothing else than one number in each draw, from the farthest on.
    """
    found, first = dict[int, list[torch.Tensor]](), next(usual)
    for index, known in graph_thresholds.thresholds(graph, rng).items():
        spec, bounds = graph.specs[index], bounds_of(graph, index)
        if bounds is None or (spec.is_integer and bounds[1] - bounds[0] <= 1):
            continue  # of two numbers none is rare
        if spec.numel and not first[index].same and not first[index].row.length:
            values = [_beside(spec, each, bounds, rng) for each in _some_of(known, rng)]
            if some := [each for each in values if len(each)]:
                found[index] = some
    if not found:
        return []
    as_stored = [_as_stored(*each) for each in zip(graph.specs, first, strict=True)]
    stays = {index: each for index, (each, own) in enumerate(zip(as_stored, first, strict=True)) if each is not own}
    small = {index for index in found if graph.specs[index].numel < _MANY_ROWS}
    count = _FEW_DRAWS + _MORE_DRAWS * bool(small)
    many, *few = ([stays.get(n, each) for n, each in enumerate(next(usual))] for _ in range(1 + count))
    for index, values in found.items():
        spec, each = graph.specs[index], many[index]
        many[index] = each.mixed(torch.cat(values), 2)
        if index in small:
            for row, value in zip(few, _farthest_first(values), strict=False):
                row[index] = each.of_these(value.reshape(1))
            continue
        for row in few[:_FEW_DRAWS]:
            chosen, own = rng.choice(values), _own(spec, row[index])
            row[index] = _with_even_rows(spec, row[index].mixed(chosen, 64), own, chosen, rng)
    return [many, *few]


def marks(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Two draws in which a mask is true as a whole, or false, and an input of integers that a program compares with
    numbers is one of these: no label counts, or all of a line is padding. Else something is always left.
    """
    numbers = dict[int, list[float]]()
    for index, known in graph_thresholds.thresholds(graph, rng).items():
        bounds, values = bounds_of(graph, index), (each for each in known if each.exact and each.value % 1 == 0)
        if graph.specs[index].is_integer and bounds:
            numbers[index] = [each.value for each in values if each.mark or bounds[0] <= each.value <= bounds[1]]
    made = []
    for whole in (True, False):
        base = next(usual)
        row = list(base)
        for index, (spec, each) in enumerate(zip(graph.specs, base, strict=True)):
            if spec.numel < 2 or each.same:
                continue
            if spec.dtype == "bool":
                row[index] = each.of_these(torch.tensor([whole]))
            elif numbers.get(index) and not each.row.length:
                value = torch.tensor([rng.choice(numbers[index])], dtype=torch.float64)
                row[index] = each.of_these(value.to(getattr(torch, spec.dtype)))
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def bounds(graph: Graph, usual: Backgrounds) -> list[list[InputSource]]:
    """Draws in which half of each float that has such a bound is its least number, and its largest one: a probability
    is 1 where a sigmoid saturates. Zeros are in draws of their own.

    A graph that clamps beside a bound rounds what it clamps to. So eager need not be exact there.
    """
    made = []
    for name in ("min_val", "max_val"):
        base = next(usual)
        row = list(base)
        for index, (spec, each) in enumerate(zip(graph.specs, base, strict=True)):
            bound, dtype = getattr(spec, name), getattr(torch, spec.part_dtype)
            if not bound or dtype not in BLENDS or spec.numel < 2 or each.same or each.row.length:
                continue
            value = torch.tensor([bound], dtype=dtype)
            if (spec.min_val is None or spec.min_val <= value) and (spec.max_val is None or value <= spec.max_val):
                mixed = each.mixed(value, 2)
                row[index] = replace(mixed, roughly=True)
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def _some_of(known: Sequence[Threshold], rng: Random) -> list[Threshold]:
    """As many thresholds as a draw takes. The first and the last bucket have an end that the others do not have."""
    if len(known) <= _MOST:
        return list(known)
    ordered = sorted(known, key=lambda each: each.value)
    return [ordered[0], ordered[-1], *rng.sample(ordered[1:-1], _MOST - 2)]


def _as_stored(spec: TensorSpec, source: InputSource) -> InputSource:
    """The input with its stored content, where it has one: who is compared with it must meet it."""
    content = None if source.same else stored(spec)
    return source if content is None or spec.is_integer else source.of_content(content, held=False)


def _farthest_first(values: Sequence[torch.Tensor]) -> torch.Tensor:
    """Numbers about thresholds: of each the farthest one, then the next of each."""
    ordered = [value[(value.double() - value.double().median()).abs().argsort(descending=True)] for value in values]
    turns = itertools.zip_longest(*(each.tolist() for each in ordered))
    return torch.tensor([one for turn in turns for one in turn if one is not None], dtype=values[0].dtype)


def _own(spec: TensorSpec, source: InputSource) -> torch.Tensor:
    """Values of an input, in its dtype."""
    return source.values.to(getattr(torch, spec.dtype))


def _with_even_rows(
    spec: TensorSpec, source: InputSource, own: torch.Tensor, values: torch.Tensor, rng: Random
) -> InputSource:
    """The input with some rows that hold one of its own values, and one of the others in one element."""
    if not spec.shape or spec.shape[-1] < 2:
        return source
    one, other = own[rng.randrange(len(own))], values[rng.randrange(len(values))]
    return replace(source, row=DrawnRow(spec.shape[-1], bits_of(one), bits_of(other), UNEVEN))


def bits_of(value: torch.Tensor) -> int:
    """The bits of one number."""
    return int.from_bytes(bytes(value.reshape(1).view(torch.uint8).tolist()), "little")


def _beside(spec: TensorSpec, threshold: Threshold, bounds: tuple[float, float], rng: Random) -> torch.Tensor:
    """A number, its neighbours on both sides, and others farther from it, as far as an input may hold them.

    Where it rounds in the input's dtype, it is chance on which side of it a form is. Then it is left out. About numbers
    that are not exact there is none that is nearer than a twentieth.
    """
    dtype, number = getattr(torch, spec.part_dtype), threshold.value
    wanted = [number * sign * rng.uniform(*part) for sign in (1, -1) for part in _PARTS if number]
    if spec.is_integer:
        wanted = list(map(float, map(round, wanted)))
    if threshold.exact:
        wanted += _next_integers(number) if spec.is_integer else _neighbours(number, dtype)
    low, high = bounds
    found = sorted({each for each in wanted if low <= each <= high or (threshold.mark and each == number)})
    if number in found:  # what happens at the number itself, as at an end token, must be in every call
        found += [number] * len(found)
    if spec.is_complex:  # the size of a number is exact where one part is zero
        found += [0.0] * len(found)
    return torch.tensor(found, dtype=torch.float64).to(dtype)


def _next_integers(number: float) -> list[float]:
    below, above = float(math.floor(number)), float(math.ceil(number))
    return [below - 1, below, above, above + 1]


def _neighbours(number: float, dtype: torch.dtype) -> list[float]:
    if number == 0:
        return [0.0, _NEAR_ZERO, -_NEAR_ZERO]
    step = math.ldexp(torch.finfo(dtype).eps, math.frexp(number)[1] - 1)
    known = [number] if float(torch.tensor(number, dtype=dtype)) == number else []
    return [*known, number - step, number + step, number - 2 * step, number + 2 * step]


def bounds_of(graph: Graph, index: int) -> tuple[float, float] | None:
    """What an input may hold: its own bounds, all that it may index, or far less than its dtype can. None where that
    is not known.
    """
    spec = graph.specs[index]
    low, high = spec.min_val, spec.max_val
    if spec.is_inexact:
        most = float(torch.finfo(getattr(torch, spec.dtype)).max) / 8
        return float(-most if low is None else low), float(most if high is None else high)
    if not spec.is_integer:
        return None
    if low is not None and high is not None and low != high:
        return float(low), float(high)
    if index in graph.index_bounds():
        return 0.0, graph.index_bounds()[index] - 1.0
    positive = reckoning(graph, index)
    most = float(torch.iinfo(getattr(torch, spec.dtype)).max // 2)
    if positive is None:
        return None
    return 1.0 if positive else float(-most if low is None else low), float(most if high is None else high)


def far(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Draws of data of all sizes up to very large numbers. Integers have a draw of their own, see `whole_numbers`.

    A number beyond an integer's range becomes no certain integer, and what repeats at every turn is known to few forms
    far out. Graphs with such operations have no floats of this kind. Where exponentials are taken, they end earlier.
    What a logarithm or a root is taken of has draws of its own, of all sizes above zero.
    """
    generator, made = torch.Generator().manual_seed(rng.getrandbits(48)), []
    flows = sorted(hardened(graph))
    positive = [index for index, role in enumerate(roles_of(graph.program, graph.specs)) if role is Role.VARIANCE]
    inputs = (flows, [each for each in positive if each not in flows])
    for (power, room), some in itertools.product(_ends(graph, flows), inputs):
        base = next(usual)
        row = list(base)
        for index in some:
            spec, each = graph.specs[index], base[index]
            if spec.is_inexact and spec.numel and not each.same and not each.row.length:
                signs = index not in positive
                sized = _of_all_sizes(spec, each, power, room, generator, signs=signs)
                row[index] = each if sized is None else sized if signs else _with_large_rows(spec, sized)
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def _powers(graph: Graph) -> tuple[int, ...]:
    """The powers of two up to which floats may go in a graph. None where no large number has a certain result."""
    used = {op.leaf for op in graph.program.ops}
    kinds = {value.name for op in graph.program.ops for value in op.args if isinstance(value, TorchConstant)}
    kinds |= {value.name for op in graph.program.ops for _, value in op.kwargs if isinstance(value, TorchConstant)}
    if used & _NEAR_ONLY or any("int" in kind for kind in kinds):
        return ()
    return _POWERS_OF_EXPONENTS[bool(used & LIBRARY)] if used & _EXPONENTIALS else _POWERS


def largest_power(graph: Graph, spec: TensorSpec) -> float:
    """The power of two up to which an input may be far beyond its usual size, negative where it may not."""
    powers = _powers(graph)
    return min(float(max(powers)), _range_of(spec) - _ROOM) if powers else -1.0


def _ends(graph: Graph, flows: Sequence[int]) -> list[tuple[int, int]]:
    """For each draw of far floats the power of two at which they end, and how many powers below their dtype's own end.

    Of a narrow dtype the range ends before the farthest power. One draw goes to that end, instead of a second one that
    would be the same, or beside those of wider inputs.
    """
    powers = _powers(graph)
    found = [(power, _ROOM) for power in powers]
    floats = [graph.specs[index] for index in flows if graph.specs[index].is_inexact]
    narrow = [_range_of(spec) - _ROOM < max(powers, default=0) for spec in floats]
    if any(narrow):
        alike = all(narrow) and all(_range_of(spec) - _ROOM <= min(powers) for spec in floats)
        found[1 if alike else len(found) :] = [(max(powers), 0)]
    return found


def _range_of(spec: TensorSpec) -> int:
    """The power of two at which the range of a dtype ends."""
    return math.frexp(torch.finfo(getattr(torch, spec.dtype)).max)[1]


def _farthest(graph: Graph) -> float:
    """The largest of these powers, or where other draws end."""
    return max(_powers(graph), default=_NEAR)


def sizes(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Draws in which each row of an input has a size of its own, and all draws together leave out none.

    What is in other draws is of few sizes, or of all at once. Rows that may be added up are of one size. What has no
    rows, and what a graph adds to its data, is as small as the smallest row. In some draws a block of rows is a row.
    """
    roles = roles_of(graph.program, graph.specs)
    first = next(usual)
    chosen = {index for index in hardened(graph) if size_of(graph.specs[index], first[index])}
    if not chosen:
        return []
    known = [torch.finfo(getattr(torch, graph.specs[index].dtype)) for index in chosen]
    least = max(_SIZES[0], *(math.frexp(each.tiny)[1] for each in known))
    end = _farthest(graph) - _BEYOND if _powers(graph) else _NEAR
    most = min(_SIZES[-1], end, *(_range_of(graph.specs[index]) - _ROOM for index in chosen))
    edges = [least, *(edge + rng.uniform(-_EDGE, _EDGE) for edge in _SIZES if least + 1 < edge < most - 1), most]
    largest = max((graph.specs[index] for index in chosen), key=lambda spec: spec.numel)
    rows = [1, *(dims for dims in range(1, len(largest.shape)) if math.prod(largest.shape[:-dims]) >= _BLOCKS)]
    made = []
    for low, high in itertools.pairwise(edges):
        dims, base = rng.choice(rows), next(usual)
        row, several = list(base), largest.numel > math.prod(largest.shape[-dims:])
        for index, (spec, each) in enumerate(zip(graph.specs, base, strict=True)):
            size = size_of(spec, each) if index in chosen or roles[index] in _ADDED else 0.0
            if size and holds(spec, each, 2.0**high / size):
                inner = math.prod(spec.shape[-dims:])
                alone = index not in chosen or (several and inner == spec.numel)
                row[index] = replace(each, sizes=RowSizes(inner, low - math.log2(size), 0.0 if alone else high - low))
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def size_of(spec: TensorSpec, source: InputSource) -> float:
    """The RMS of an input that is drawn and is no mask, and 0 of others."""
    if getattr(torch, spec.part_dtype) not in BLENDS or spec.numel < 2 or source.same or source.row.length:
        return 0.0
    found = float(source.table.to(torch.float64).square().mean().sqrt())
    return found if math.isfinite(found) else 0.0


def holds(spec: TensorSpec, source: InputSource, factor: float) -> bool:
    """Whether an input's values are within its bounds when they are so many times as large."""
    low, high = float(source.table.min()) * factor, float(source.table.max()) * factor
    return (spec.min_val is None or spec.min_val <= min(low, 0.0)) and (spec.max_val is None or high <= spec.max_val)


def masks(graph: Graph, usual: Sources, rng: Random) -> list[list[InputSource]]:
    """A draw in which each row of an additive mask hides by a number of its own size, and no element is 0.

    One element hides least, by far less than all others, so that what the sums lose by rounding decides nothing. Of a
    mask of infinities some rows hide all, and some nothing.
    """
    row = list(usual)
    for index, (spec, each) in enumerate(zip(graph.specs, usual, strict=True)):
        dtype = getattr(torch, spec.dtype)
        if dtype not in BLENDS or not each.row.length or each.same:
            continue
        most = max(each.table.to(torch.float64).tolist(), key=abs)
        if math.isinf(most):
            row[index] = replace(each, row=replace(each.row, uneven=UNEVEN))
        elif abs(most) > 1.0:
            values = torch.linspace(2.0, 4.0, _ENTRIES, dtype=torch.float64) * math.copysign(1.0, most)
            first, last = (bits_of((values[place] * factor).to(dtype)) for place, factor in ((0, 0.5), (-1, 1.0)))
            sized = RowSizes(spec.shape[-1], 0.0, math.log2(abs(most)) - 2.0)
            row[index] = replace(
                each.of_values(values.to(dtype)), row=DrawnRow(spec.shape[-1], first, last), sizes=sized
            )
    return [row] if any(each is not other for each, other in zip(row, usual, strict=True)) else []


def below(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Draws of numbers so far on one side that their exponentials vanish: rows of nothing else, in which two numbers
    take turns, and then a few in all rows that lie as far out as numbers of other graphs do.

    In the first no difference rounds. Of few rows it may be none, so there is one draw with all of them. In the last no
    row is without an ordinary number, which is its largest.
    """
    bases = [next(usual) for _ in range(3)]
    rows, every, few = (list(base) for base in bases)
    for index, factor in graph_thresholds.exponents(graph).items():
        spec, each = graph.specs[index], rows[index]
        if not spec.is_inexact or spec.numel < 2 or each.same or each.row.length:
            continue
        dtype, (low, high) = getattr(torch, spec.part_dtype), bounds_of(graph, index) or (0.0, 0.0)
        power = min(_POWERS[0] - max(0.0, math.log2(abs(factor))), _range_of(spec) - _ROOM)
        near, far, *farthest = (
            -math.copysign(2.0**exponent, factor)
            for exponent in (power - rng.uniform(4, 8), power - rng.uniform(0, 2), *_POWERS)
        )
        if spec.shape[-1] > 1 and low <= min(near, far) and max(near, far) <= high:
            first, last = (bits_of(torch.tensor([value], dtype=dtype)) for value in (near, far))
            rows[index] = replace(each, row=DrawnRow(spec.shape[-1], first, last, UNEVEN))
            if spec.numel < _MANY_ROWS * spec.shape[-1]:
                every[index] = replace(every[index], row=DrawnRow(spec.shape[-1], first, last, ALL_UNEVEN))
        if size := next((number for number in _FAR_BELOW if spec.numel % number), 0):
            values = torch.tensor(farthest, dtype=torch.float64)
            values = values[0] * (values[1] / values[0]) ** torch.linspace(0, 1, _ENTRIES, dtype=torch.float64)
            values = values[(values >= low) & (values <= high)].to(dtype)
            if len(values) == _ENTRIES:
                few[index] = replace(few[index], odd=each.of_values(values), at=OddPlace(1, size, size))
    made = zip((rows, every, few), bases, strict=True)
    return [row for row, base in made if any(each is not other for each, other in zip(row, base, strict=True))]


def sides(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Where something is ordered or an exponential is taken, a draw in which all numbers are far above zero, and one in
    which all are far below. A row has a size of its own, and its numbers differ by half of that.

    A form that begins with a number finds it beyond all of a row there.
    """
    if not {op.leaf for op in graph.program.ops} & _ORDERING:
        return []
    made = []
    for sign in (1.0, -1.0):
        base = next(usual)
        row = list(base)
        for index in sorted(hardened(graph)):
            spec, each = graph.specs[index], base[index]
            if not size_of(spec, each):
                continue
            dtype = getattr(torch, spec.part_dtype)
            power = min(_farthest(graph), _POWERS[0], _range_of(spec) - _ROOM) - 1.0
            values = sign * torch.linspace(1.0, 2.0, _ENTRIES, dtype=torch.float64)
            low, high = bounds_of(graph, index) or (0.0, 0.0)
            if low <= min(0.0, sign) * 2.0 ** (power + 1) and max(0.0, sign) * 2.0 ** (power + 1) <= high:
                rows = RowSizes(max(1, *spec.shape[-1:]), power - _SIDE, _SIDE)
                row[index] = replace(each.of_values(values.to(dtype)), sizes=rows)
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def parts(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Draws in which one part of an input has larger values of its own than the other: halves of rows, of blocks and of
    the whole, and every other element.

    Where all elements are of one kind, some of them tell what all of them do, as exactly as a narrow dtype asks.
    """
    first = next(usual)
    chosen = [
        index
        for index in sorted(hardened(graph))
        if graph.specs[index].is_inexact and graph.specs[index].numel > 1
        if not first[index].same and not first[index].row.length
    ]
    if not chosen:
        return []
    deepest = max(len(graph.specs[index].shape) for index in chosen)
    made: list[list[InputSource]] = []
    for dims in sorted({0, 1, rng.randint(1, deepest), deepest}):
        row = list(next(usual) if made else first)
        for index in chosen:
            spec, each = graph.specs[index], row[index]
            own = each.table.flatten().sort().values.to(getattr(torch, spec.part_dtype))
            own = own[own != 0] if bool(own.any()) else own  # a part of nothing but zeros would hide what is left out
            larger, smaller = (
                each.of_values(own[int(start * len(own)) : int(stop * len(own))]) for start, stop in (_LARGER, _SMALLER)
            )
            inner = max(1, math.prod(spec.shape[-dims:]) // 2) if dims else 1
            row[index] = replace(smaller, odd=larger, at=OddPlace(inner, 2, 2))
        made.append(row)
    return made


def _signs(generator: torch.Generator) -> torch.Tensor:
    return 1 - 2 * torch.randint(2, (_ENTRIES,), generator=generator)


def _of_all_sizes(
    spec: TensorSpec, source: InputSource, power: int, room: int, generator: torch.Generator, *, signs: bool
) -> InputSource | None:
    """An input of numbers of all sizes up to a power of two, and to so many powers below its dtype's end. None where
    its bounds leave out most of them.

    Without `signs` they are above zero, and half of them are below 1.
    """
    dtype = getattr(torch, spec.part_dtype)
    most = min(float(power), math.log2(torch.finfo(dtype).max) - room)
    sizes = torch.rand(_ENTRIES, generator=generator, dtype=torch.float64) * most
    values = sizes.exp2() * _signs(generator) if signs else (2 * sizes - most).exp2()
    low, high = spec.min_val, spec.max_val
    values = values[(values >= (-math.inf if low is None else low)) & (values <= (math.inf if high is None else high))]
    return source.of_values(values.to(dtype)) if len(values) >= _ENTRIES // 4 else None


def _with_large_rows(spec: TensorSpec, source: InputSource) -> InputSource:
    """An input in which every other row has the larger half of its numbers alone. One number has no rows."""
    if spec.numel < 2:
        return source
    values = source.table.flatten().sort().values
    large = source.of_values(values[len(values) // 2 :].to(getattr(torch, spec.part_dtype)))
    inner = spec.shape[-1] if spec.numel > spec.shape[-1] else spec.numel
    return replace(source, odd=large, at=OddPlace(inner, 2, 2))


def _may_be_zero(spec: TensorSpec, source: InputSource) -> bool:
    """Whether an input is drawn, is no mask, and is not bounded away from zero."""
    bounds = (spec.min_val or 0) <= 0 <= (spec.max_val or 0)
    return spec.is_inexact and spec.numel > 1 and bounds and not source.same and not source.row.length
