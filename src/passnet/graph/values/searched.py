"""Finds inputs that a graph searches as sorted sequences: along which of their elements, and in which order.

`searchsorted` and `bucketize` are defined for what is sorted alone. Among other numbers, what they find is chance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, Ref, SliceValue, Value, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import constants, stored
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.writes import renewed
from passnet.op_classes import PERMUTATIONS, RESHAPES, word_set

if TYPE_CHECKING:
    import torch

    from passnet.graph.graph import Graph

_SEARCHES: Mapping[str, str] = {"searchsorted": "sorted_sequence", "bucketize": "boundaries"}
# The same elements in the same order of memory, or as if they were.
_IN_PLACE = (RESHAPES - {"expand"}) | word_set(
    "unflatten view_as _unsafe_view _reshape_alias alias detach contiguous clone lift_fresh_copy"
)
_CASTS = word_set("to type type_as _to_copy long int short char float half bfloat16 double convert_element_type")
# What these make of larger numbers is larger, or as large.
_RISING = _CASTS | word_set("""
exp exp2 expm1 log log2 log10 log1p sqrt sigmoid tanh softplus relu erf atan ceil floor round trunc clamp clamp_min
clamp_max
""")
_WITH_A_NUMBER = word_set("add sub rsub mul div floor_divide")
# Of these the first argument alone holds the numbers.
_LIKE_ANOTHER = word_set("type_as view_as expand_as")
Shape = tuple[int, ...]
Numbers = Mapping[int, tuple[float, ...]]


@dataclass(frozen=True)
class SearchedLines:
    """Lines of `length` elements of an input, which are `inner` apart in its memory. Each is in order: it rises, or
    `falls`.
    """

    length: int
    inner: int = 1
    falls: bool = False


def searched(graph: Graph) -> Mapping[int, SearchedLines]:
    """Input -> its lines that are searched. Computed once.

    What the graph sorts itself is left out, and what rises because it is a running sum. So is stored content in any
    other order: the recorded call had it so.
    """
    if "_searched" not in graph.__dict__:
        used = any(plain_name(op) in _SEARCHES for op in graph.statements())
        graph.__dict__["_searched"] = _found(graph) if used else {}
    known: Mapping[int, SearchedLines] = graph.__dict__["_searched"]
    return known


def are_in_order(values: torch.Tensor, lines: SearchedLines) -> bool:
    """Whether an input's content is in the order in which it is searched."""
    return bool((values == sorted_lines(values, lines)).all())


def sorted_lines(values: torch.Tensor, lines: SearchedLines) -> torch.Tensor:
    """The same numbers, each line in order."""
    rows = values.reshape(-1, lines.length, lines.inner)
    return rows.sort(1, descending=lines.falls).values.reshape(values.shape)


def in_search_order(graph: Graph, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """The inputs with what is searched in order."""
    known = searched(graph)
    return [sorted_lines(each, known[index]) if index in known else each for index, each in enumerate(inputs)]


def _found(graph: Graph) -> dict[int, SearchedLines]:
    shapes, known, found = [shape for shape, _ in known_forms(graph)], _numbers(graph), dict[int, SearchedLines]()
    for op in renewed(graph).statements:
        given = arguments(op) if plain_name(op) in _SEARCHES else {}
        sequence = given.get(_SEARCHES.get(plain_name(op), ""))
        shape = shapes[sequence.index] if isinstance(sequence, Ref) else None
        if not isinstance(sequence, Ref) or not shape or given.get("sorter") is not None:
            continue
        for index, lines in _followed(graph, sequence.index, SearchedLines(shape[-1]), shapes, known):
            found.setdefault(index, lines)
    return {index: lines for index, lines in found.items() if _may_be_in_order(graph, index, lines)}


def _numbers(graph: Graph) -> Numbers:
    """What is the same in every call, but for stored content of several numbers, and for what follows from that."""
    content = {index for index, spec in enumerate(graph.specs) if spec.numel > 1}
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        if any(ref.index in content for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))):
            content.add(place)
    return {value: numbers for value, numbers in constants(graph).items() if value not in content}


def _may_be_in_order(graph: Graph, index: int, lines: SearchedLines) -> bool:
    spec = graph.specs[index]
    if lines.length < 2 or spec.is_complex or spec.dtype == "bool" or spec.numel % (lines.length * lines.inner):
        return False
    content = stored(spec)
    return content is None or are_in_order(content, lines)


def _followed(
    graph: Graph, value: int, lines: SearchedLines, shapes: Sequence[Shape | None], known: Numbers
) -> Iterator[tuple[int, SearchedLines]]:
    """The inputs that a sequence is made of, each with its lines."""
    pending = [(value, lines)]
    while pending:
        value, lines = pending.pop()
        if value < len(graph.specs):
            yield value, lines
        elif value not in known and shapes[value]:
            op = renewed(graph).statements[value - len(graph.specs)]
            pending += _before(op, lines, shapes[value] or (), shapes, known)


def _before(
    op: Op, lines: SearchedLines, shape: Shape, shapes: Sequence[Shape | None], known: Numbers
) -> list[tuple[int, SearchedLines]]:
    """The values of which one operation makes a sequence, and their own lines. Nothing for a sort or a running sum."""
    name = plain_name(op)
    varying = [ref.index for ref in refs_of((*op.args, *(v for _, v in op.kwargs))) if ref.index not in known]
    if name in _WITH_A_NUMBER:
        return [(value, own) for value, own in _summands(op, lines, shapes, known) if value not in known]
    if name in _LIKE_ANOTHER:
        varying = varying[:1]
    if len(varying) != 1 or shapes[varying[0]] is None:
        return []
    (given,), before = varying, shapes[varying[0]] or ()
    if name in _IN_PLACE or (name in _RISING and before == shape):
        return [(given, lines)]
    dim = _dim_of(shape, lines)
    if name in ("neg", "flip"):
        flips = {each % len(shape) for each in _integers(dict(op.kwargs).get("dims", op.args[1:]))}
        turned = name == "neg" or dim in flips
        return [(given, replace(lines, falls=lines.falls != turned))]
    own = None if dim is None else _dim_before(op, name, dim, before, shape)
    return [] if own is None else [(given, SearchedLines(before[own], math.prod(before[own + 1 :]), lines.falls))]


def _summands(
    op: Op, lines: SearchedLines, shapes: Sequence[Shape | None], known: Numbers
) -> Iterator[tuple[int, SearchedLines]]:
    """The operands of a sum, or of a product with a number. One that is a single number along a line may be any."""
    name, given = plain_name(op), arguments(op)
    pair = [given.get("input"), given.get("other")]
    for place, value in enumerate(pair):
        other = pair[1 - place]
        if not isinstance(value, Ref) or not (shape := shapes[value.index]) or shape[-1] == 1:
            continue
        if lines.inner != 1 or shape[-1] != lines.length:
            continue
        falls = lines.falls
        if name in ("mul", "div", "floor_divide"):
            sign = _sign(other, known)
            if not sign or (name != "mul" and place):
                continue
            falls = falls != (sign < 0)
        elif (name == "sub" and place) or (name == "rsub" and not place):
            falls = not falls
        yield value.index, replace(lines, falls=falls)


def _sign(value: Value, known: Numbers) -> int:
    """The sign of a number, or of all numbers that are the same in every call. 0 where there is none."""
    numbers: Sequence[float] = ()
    if isinstance(value, Ref):
        numbers = known.get(value.index, ())
    elif isinstance(value, int | float):
        numbers = (value,)
    if numbers and (min(numbers) > 0 or max(numbers) < 0):
        return 1 if min(numbers) > 0 else -1
    return 0


def _dim_of(shape: Shape, lines: SearchedLines) -> int | None:
    """The dimension along which lines are. None where they are parts of one, or several."""
    for dim, size in enumerate(shape):
        if size == lines.length and math.prod(shape[dim + 1 :]) == lines.inner:
            return dim
    return None


def _dim_before(op: Op, name: str, dim: int, before: Shape, shape: Shape) -> int | None:
    """The dimension of its operand that an operation makes the one of this number."""
    given, rank = arguments(op), len(before)
    if name in ("expand", "expand_as", "broadcast_to"):
        own = dim - (len(shape) - rank)
        return own if own >= 0 and before[own] == shape[dim] else None
    if name in PERMUTATIONS | {"movedim", "swapaxes", "t"}:
        return _permuted(op, name, dim, rank)
    along = given.get("dim", 0)
    if name in ("select", "narrow", "slice") and isinstance(along, int):
        along %= rank
        return dim + 1 if name == "select" and dim >= along else dim
    if name == "getitem" and len(op.args) > 1:
        return _subscripted(op.args[1], dim, rank)
    return dim if name == "cat" else None


def _permuted(op: Op, name: str, dim: int, rank: int) -> int | None:
    numbers = [each % rank for each in _integers(tuple(op.args[1:]))] or [
        each % rank for each in _integers(tuple(value for _, value in op.kwargs))
    ]
    if name == "permute":
        return numbers[dim] if len(numbers) == rank else None
    numbers = [*range(rank)] if name == "t" else numbers
    if len(numbers) != 2:
        return None
    one, other = numbers
    if name == "movedim":
        order = [each for each in range(rank) if each != one]
        order.insert(other, one)
        return order[dim]
    return {one: other, other: one}.get(dim, dim)


def _subscripted(key: Value, dim: int, rank: int) -> int | None:
    """The dimension of what is indexed that is this one of the result, where it keeps its order."""
    keys = list(key) if isinstance(key, tuple) else [key]
    own = sum(each is not None and each is not Ellipsis for each in keys)
    every = [SliceValue(None, None, None)] * max(0, rank - own)
    if Ellipsis not in keys:
        keys.append(Ellipsis)
    place = keys.index(Ellipsis)
    before, after = 0, 0
    for each in [*keys[:place], *every, *keys[place + 1 :]]:
        if each is None:
            after += 1
        elif isinstance(each, SliceValue):
            if after == dim:
                return before
            before, after = before + 1, after + 1
        elif isinstance(each, int) and not isinstance(each, bool):
            before += 1
        else:
            return None
    return None


def _integers(value: Value) -> tuple[int, ...]:
    if isinstance(value, tuple | list):
        return tuple(each for item in value for each in _integers(item))
    return (value,) if isinstance(value, int) and not isinstance(value, bool) else ()
