"""Careful draws of floats that are far out: of all sizes, all on one side, and of rows whose exponentials vanish."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.held_values import MANY_ROWS, bits_of, bounds_of, size_of
from passnet.bench.draws.content.input_source import SPANS, Backgrounds, InputSource
from passnet.bench.wire.generator import ALL_UNEVEN, UNEVEN, DrawnRow, OddPlace, RowSizes
from passnet.graph.text.program import TorchConstant
from passnet.graph.values import thresholds as graph_thresholds
from passnet.graph.values.indexing import REPEATING
from passnet.graph.values.inputs import hardened
from passnet.graph.values.roles import Role, roles_of
from passnet.op_classes import ATTENTION, LIBRARY, word_set

if TYPE_CHECKING:
    from passnet.graph import Graph, TensorSpec

# Floats of all sizes up to these powers of two.
_POWERS = (24, 48)
# So many powers of two are left to the end of a dtype's range, but in one draw.
ROOM = 4
_NEAR_ONLY = REPEATING | word_set("int long short char byte type bool one_hot histc bincount")
# A softmax of scaled values takes the maximum from them. A GPU's compiler makes one multiply-add of that, and what the
# maximum lost by rounding is left. Of more than a billion its exponential overflows. A product of two inputs is as far
# out as both together.
_EXPONENTIALS = ATTENTION | graph_thresholds.EXPONENTIALS
_POWERS_OF_EXPONENTS = {False: (24,), True: (12,)}
# Below zero nothing is lost beside a larger number. One element of so many is there, so that all rows have others: no
# step between the elements of a row is a multiple of such a number.
_FAR_BELOW = (61, 67, 71, 73, 79, 83)
# What becomes an integer, or repeats at every turn, ends near a thousand.
_NEAR = 10.0
# On one side rows have sizes within so many powers of two.
_SIDE = 8.0
_ORDERING = graph_thresholds.EXPONENTIALS | word_set("""
amax amin aminmax argmax argmin argsort cummax cummin kthvalue max maximum median min minimum mode msort sort topk
max_pool1d max_pool2d max_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d logcumsumexp
""")


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
        power = min(_POWERS[0] - max(0.0, math.log2(abs(factor))), range_of(spec) - ROOM)
        near, far, *farthest = (
            -math.copysign(2.0**exponent, factor)
            for exponent in (power - rng.uniform(4, 8), power - rng.uniform(0, 2), *_POWERS)
        )
        if spec.shape[-1] > 1 and low <= min(near, far) and max(near, far) <= high:
            first, last = (bits_of(torch.tensor([value], dtype=dtype)) for value in (near, far))
            rows[index] = replace(each, row=DrawnRow(spec.shape[-1], first, last, UNEVEN))
            if spec.numel < MANY_ROWS * spec.shape[-1]:
                every[index] = replace(every[index], row=DrawnRow(spec.shape[-1], first, last, ALL_UNEVEN))
        if size := next((number for number in _FAR_BELOW if spec.numel % number), 0):
            values = torch.tensor(farthest, dtype=torch.float64)
            values = values[0] * (values[1] / values[0]) ** torch.linspace(0, 1, SPANS, dtype=torch.float64)
            values = values[(values >= low) & (values <= high)].to(dtype)
            if len(values) == SPANS:
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
            power = min(farthest(graph), _POWERS[0], range_of(spec) - ROOM) - 1.0
            values = sign * torch.linspace(1.0, 2.0, SPANS, dtype=torch.float64)
            low, high = bounds_of(graph, index) or (0.0, 0.0)
            if low <= min(0.0, sign) * 2.0 ** (power + 1) and max(0.0, sign) * 2.0 ** (power + 1) <= high:
                rows = RowSizes(max(1, *spec.shape[-1:]), power - _SIDE, _SIDE)
                row[index] = replace(each.of_values(values.to(dtype)), sizes=rows)
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


def largest_power(graph: Graph, spec: TensorSpec) -> float:
    """The power of two up to which an input may be far beyond its usual size, negative where it may not."""
    powers = _powers(graph)
    return min(float(max(powers)), range_of(spec) - ROOM) if powers else -1.0


def has_far(graph: Graph) -> bool:
    """Whether floats may be far out in a graph."""
    return bool(_powers(graph))


def farthest(graph: Graph) -> float:
    """The power of two at which far floats end, or where they end in a graph that has none."""
    return max(_powers(graph), default=_NEAR)


def range_of(spec: TensorSpec) -> int:
    """The power of two at which the range of a dtype ends."""
    return math.frexp(torch.finfo(getattr(torch, spec.dtype)).max)[1]


def _powers(graph: Graph) -> tuple[int, ...]:
    """The powers of two up to which floats may go in a graph. None where no large number has a certain result."""
    used = {op.leaf for op in graph.program.ops}
    kinds = {value.name for op in graph.program.ops for value in op.args if isinstance(value, TorchConstant)}
    kinds |= {value.name for op in graph.program.ops for _, value in op.kwargs if isinstance(value, TorchConstant)}
    if used & _NEAR_ONLY or any("int" in kind for kind in kinds):
        return ()
    return _POWERS_OF_EXPONENTS[bool(used & LIBRARY)] if used & _EXPONENTIALS else _POWERS


def _ends(graph: Graph, flows: Sequence[int]) -> list[tuple[int, int]]:
    """For each draw of far floats the power of two at which they end, and how many powers below their dtype's own end.

    Of a narrow dtype the range ends before the farthest power. One draw goes to that end, instead of a second one that
    would be the same, or beside those of wider inputs.
    """
    powers = _powers(graph)
    found = [(power, ROOM) for power in powers]
    floats = [graph.specs[index] for index in flows if graph.specs[index].is_inexact]
    narrow = [range_of(spec) - ROOM < max(powers, default=0) for spec in floats]
    if any(narrow):
        alike = all(narrow) and all(range_of(spec) - ROOM <= min(powers) for spec in floats)
        found[1 if alike else len(found) :] = [(max(powers), 0)]
    return found


def _signs(generator: torch.Generator) -> torch.Tensor:
    return 1 - 2 * torch.randint(2, (SPANS,), generator=generator)


def _of_all_sizes(
    spec: TensorSpec, source: InputSource, power: int, room: int, generator: torch.Generator, *, signs: bool
) -> InputSource | None:
    """An input of numbers of all sizes up to a power of two, and to so many powers below its dtype's end. None where
    its bounds leave out most of them.

    Without `signs` they are above zero, and half of them are below 1.
    """
    dtype = getattr(torch, spec.part_dtype)
    most = min(float(power), math.log2(torch.finfo(dtype).max) - room)
    sizes = torch.rand(SPANS, generator=generator, dtype=torch.float64) * most
    values = sizes.exp2() * _signs(generator) if signs else (2 * sizes - most).exp2()
    low, high = spec.min_val, spec.max_val
    values = values[(values >= (-math.inf if low is None else low)) & (values <= (math.inf if high is None else high))]
    return source.of_values(values.to(dtype)) if len(values) >= SPANS // 4 else None


def _with_large_rows(spec: TensorSpec, source: InputSource) -> InputSource:
    """An input in which every other row has the larger half of its numbers alone. One number has no rows."""
    if spec.numel < 2:
        return source
    values = source.table.flatten().sort().values
    large = source.of_values(values[len(values) // 2 :].to(getattr(torch, spec.part_dtype)))
    inner = spec.shape[-1] if spec.numel > spec.shape[-1] else spec.numel
    return replace(source, odd=large, at=OddPlace(inner, 2, 2))
