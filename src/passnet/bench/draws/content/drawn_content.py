"""Content of which some rows have a property as a whole, some in a run, some in all but one element, and some not.

For careful draws of what no code draws anew in each call. It is drawn once for a graph, and no pass has seen it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Protocol, TypeVar

import torch

from passnet.bench.draws.content.held_values import bounds_of
from passnet.bench.draws.content.integer_ranges import ranges_of
from passnet.bench.wire.generator import BLENDS, DrawKind
from passnet.graph.values.constants import stored
from passnet.graph.values.indexing import writing_indices
from passnet.graph.values.inputs import hardened

if TYPE_CHECKING:
    from passnet.bench.draws.content.input_source import Backgrounds, InputSource, Sources
    from passnet.graph import Graph, TensorSpec

# A larger input would take too much memory as a table of all its elements.
_MOST_BYTES = 1 << 25
# So many rows of one input are made like those of another one.
_MOST_ROWS = 4096
# Of these PyTorch orders no numbers.
_UNORDERED = frozenset({"uint16", "uint32", "uint64"})
# In a draw of few such rows there are so many of them, and so many times as many rows in all at least.
_FEW, _AMID = 4, 16
# How a row has the property. Rows are of these kinds in turn. `OTHER`: it has another one or none.
WHOLE, RUN, ALL_BUT_ONE, OTHER = range(4)
# Of a property a number, of how many it is the which, and in which draw.
Turn = tuple[int, int, int]


class Related(Protocol):
    """What inputs have to do with each other. `inputs`: their places. `rows`: how many rows may have to do with others
    in a graph, 0 where none may.
    """

    @property
    def inputs(self) -> frozenset[int]: ...

    def rows(self, graph: Graph) -> int: ...


R = TypeVar("R", bound=Related)


@dataclass(frozen=True)
class Content:
    """All elements of an input in one draw, and the least and the largest number that it may hold."""

    values: torch.Tensor
    ends: tuple[float, float]

    @property
    def width(self) -> float:
        return self.ends[1] - self.ends[0]

    def within(self, values: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
        """These values where the input may hold them, and `others` elsewhere."""
        low, high = self.ends
        return torch.where((values >= low) & (values <= high), values, others)


Contents = Mapping[int, Content]


def may_be_content(graph: Graph, index: int, source: InputSource) -> bool:
    """Whether an input is of integers or real floats, is drawn element by element, and is no larger than a table."""
    spec = graph.specs[index]
    dtype = getattr(torch, spec.dtype)
    fits = 0 < spec.numel * dtype.itemsize <= _MOST_BYTES and spec.dtype not in _UNORDERED and stored(spec) is None
    return fits and (spec.is_integer or dtype in BLENDS) and source.is_plain and not source.same


def ends_of_content(graph: Graph, usual: Sources, indices: Collection[int]) -> dict[int, tuple[float, float]]:
    """What these inputs may hold, of those of which content may be made. No index at which is written."""
    found: dict[int, tuple[float, float]] = {
        index: each for index, each in ranges_of(graph, usual).items() if index not in writing_indices(graph)
    }
    for index in hardened(graph):
        bounds = bounds_of(graph, index) if graph.specs[index].is_inexact else None
        found |= {index: bounds} if bounds is not None else {}
    return {i: each for i, each in found.items() if i in indices and may_be_content(graph, i, usual[i])}


def content_of(spec: TensorSpec, source: InputSource, ends: tuple[float, float], rng: Random) -> torch.Tensor:
    """All elements of an input, in its dtype: floats as they usually are, and integers anywhere between these ends."""
    drawn, kind = torch.Generator().manual_seed(rng.getrandbits(48)), getattr(torch, spec.dtype)
    if spec.is_integer:
        low, high = int(ends[0]), min(int(ends[1]), torch.iinfo(torch.int64).max - 1)
        return torch.randint(low, high + 1, spec.shape, generator=drawn).to(kind)
    at = torch.randint(source.entries, spec.shape, generator=drawn)
    if source.kind is DrawKind.PICK:
        return source.table[at].to(kind)
    part = torch.rand(spec.shape, generator=drawn, dtype=source.table.dtype)
    return torch.lerp(source.table[at], source.table[at + 1], part).to(kind)


def through_table(source: InputSource, values: torch.Tensor) -> torch.Tensor:
    """Numbers that are to a source's table what these are to normal ones, and as wide as its numbers."""
    table = source.table.flatten().sort().values
    last = len(table) - 1
    places = torch.special.ndtr(values.to(torch.promote_types(table.dtype, torch.float32))) * last
    if source.kind is DrawKind.PICK:
        return table[places.round().long().clamp(0, last)]
    low = places.floor().clamp(0, max(0, last - 1)).long()
    return torch.lerp(table[low], table[low + 1], (places - low).to(table.dtype))


def draws_for(rows: int) -> int:
    """In how many draws so many rows are of all kinds."""
    return -(-OTHER // rows)


def rows_in_turn(rows: int, turn: tuple[int, int, int], rng: Random) -> Iterator[tuple[int, int]]:
    """Some rows and the kind of each. `turn`: of so many properties the which it is, and in which draw. Few rows are of
    other kinds in each draw.
    """
    number, count, draw = turn
    mine: Sequence[int] = [row for row in range(rows) if row % count == number] or [rng.randrange(rows)]
    few = len(mine) <= OTHER
    for place, row in enumerate(rng.sample(mine, len(mine))):
        yield row, (place + draw * len(mine)) % (OTHER if few else OTHER + 1)


def amid_others(drawn: torch.Tensor, made: torch.Tensor, rows: int, rng: Random) -> torch.Tensor | None:
    """Content as it is `drawn`, but for a few of the rows in which it was `made` otherwise. None where that is nothing
    new.

    Whoever looks for a property in some rows, and finds none, must not be right that there is none.
    """
    if rows < _AMID:
        return None
    own, others = drawn.reshape(rows, -1), made.reshape(rows, -1)
    changed = (own != others).any(1).nonzero().flatten().tolist()
    if len(changed) <= _FEW:
        return None
    few = rng.sample(changed, _FEW if rows >= _FEW * _AMID else 1)
    found = own.clone()
    found[few] = others[few]
    return found.view(drawn.shape)


def some_rows(rows: int, rng: Random) -> list[int]:
    """So many rows, or as many of them as are made content of, drawn by chance."""
    return list(range(rows)) if rows <= _MOST_ROWS else rng.sample(range(rows), _MOST_ROWS)


def mark(row: torch.Tensor, kind: int, rng: Random) -> None:
    """Mark the elements of a row that have the property: all of them, a run of half of them or more, or all but one.
    `row`: as many booleans.
    """
    row.fill_(kind != OTHER)
    if kind == RUN:
        size = rng.randint(math.ceil(len(row) / 2), len(row))
        begin = rng.randint(0, len(row) - size)
        row[:begin], row[begin + size :] = False, False
    elif kind == ALL_BUT_ONE and len(row):
        row[rng.randrange(len(row))] = False


def content_draws(
    graph: Graph,
    usual: Backgrounds,
    rng: Random,
    found: Sequence[R],
    write: Callable[[Contents, R, Turn, Random], None],
) -> list[list[InputSource]]:
    """Draws in which inputs are related so, as `write` makes them: one, or up to three where there are few rows, and
    then one in which few of many rows are. None where no such inputs may be made content of.
    """
    if not found:
        return []
    base = next(usual)
    ends = ends_of_content(graph, base, frozenset[int]().union(*(each.inputs for each in found)))
    some = [each for each in found if each.inputs <= ends.keys() and each.rows(graph)]
    inputs = sorted(frozenset[int]().union(*(each.inputs for each in some)))
    made = []
    turns = draws_for(min(each.rows(graph) for each in some)) if some else 0
    for turn in range(turns):
        row = list(next(usual) if turn else base)
        contents = {i: Content(content_of(graph.specs[i], base[i], ends[i], rng), ends[i]) for i in inputs}
        drawn = {index: each.values.clone() for index, each in contents.items()}
        for number, each in enumerate(rng.sample(some, len(some))):
            write(contents, each, (number, len(some), turn), rng)
        made.append(with_content(row, {index: each.values for index, each in contents.items()}))
        if turn == turns - 1:
            specs = ((index, graph.specs[index]) for index in inputs if graph.specs[index].shape)
            few = {
                index: values
                for index, spec in specs
                if (values := amid_others(drawn[index], contents[index].values, spec.numel // spec.shape[-1], rng))
                is not None
            }
            made += [with_content(next(usual), {**drawn, **few})] if few else []
    return made


def with_content(row: Sequence[InputSource], values: Mapping[int, torch.Tensor]) -> list[InputSource]:
    """The draw with this content in place of some inputs: the same in every call."""
    return [each.of_content(values[index], held=False) if index in values else each for index, each in enumerate(row)]
