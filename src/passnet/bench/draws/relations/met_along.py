"""Careful draws in which values follow the index that lies along them, and indices follow each other.

Where each input is drawn by itself, the mean of a group is that of all. Two labels agree as often as chance has it, and
both ends of an edge have nothing in common. So moments tell what follows from all of them. In real data a value depends
on its group, predictions are mostly right, and edges join rows that are alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.draws.content.input_source import Backgrounds, InputSource, Sources
from passnet.bench.draws.content.integer_ranges import Range, ranges_of
from passnet.bench.draws.content.met_relations import KEYS, Entries, Kind, Relation, in_runs, skewed
from passnet.bench.draws.relations.alike_lines import in_sorted_order
from passnet.bench.wire.generator import BLENDS, DrawKind
from passnet.graph.values.constants import stored
from passnet.graph.values.distinct import distinct
from passnet.graph.values.met_indices import MetIndices, along, met_indices, shape_of

if TYPE_CHECKING:
    from passnet.graph import Graph

# An input of more elements comes again after about so many. One that cannot is left as it is.
_MOST = 1 << 21
# What rows of a block have of their own, they have in so many columns at most. Then these come again.
_COLUMNS = 61
_BLOCKS = (3, 24)
# A block has so many entries, if there are two such ones.
_LEAST_BLOCK = 8
# Of these PyTorch orders no numbers.
_UNORDERED = frozenset({"uint16", "uint32", "uint64"})
# Numbers of no more kinds may be those of a mask.
_MARKS = 2
# No integers are further from each other.
_FARTHEST = 1 << 53
# So wide is the part of a table from which elements of one group are drawn, as a share of the way through it.
_WIDTHS = (0.05, 0.35)
# Where a table has an entry for each two indices, related ones have numbers from this share of an end of it.
_END = 0.15
# So often values of groups are near the ends of their table: else they are mostly about as large as their mean.
_AT_ENDS = 0.7
# Scores of a row: so often the one of its index is high.
_SCORED = 0.6


@dataclass(frozen=True)
class Way:
    """One kind of draw. `groups`: the share of groups whose values follow, at least one. `rises`: groups are in the
    order of their values. `columns`: a group has values of its own in each column. `tables`: rows that are looked up
    follow, too. `related`: the share of related indices, and `kinds`: how. `skewed`: few entries are most of them.
    `runs`: by chance, those of one entry are a run.
    """

    groups: tuple[float, float]
    related: tuple[float, float]
    kinds: tuple[Kind, ...]
    rises: bool = False
    columns: bool = False
    tables: bool = False
    skewed: bool = False
    runs: bool = False


_ALONE = (Kind.EQUAL, Kind.NEAR, Kind.PARTNERS)
# Nearly all, many, some or few, so that a look at some groups or places does not tell. Chance may have it that one draw
# of a kind says little: a group's value is about the mean of all, or the group is small.
_HIDDEN = (
    Way((0.3, 0.6), (0.2, 0.5), _ALONE, tables=True, skewed=True, runs=True),
    Way((0.6, 1.0), (0.5, 0.9), (Kind.BLOCKS,), columns=True, tables=True),
    Way((0.02, 0.1), (0.06, 0.2), _ALONE, columns=True, tables=True),
)
_WAYS = (Way((0.7, 1.0), (0.6, 0.95), (Kind.NEAR, Kind.EQUAL), rises=True, tables=True), *_HIDDEN, *_HIDDEN)


def met_along(graph: Graph, usual: Backgrounds, rng: Random) -> list[list[InputSource]]:
    """Seven draws, or none where a graph puts nothing together along drawn indices."""
    made: list[list[InputSource]] = []
    found = met_indices(graph)
    for way in _WAYS if found else ():
        base = next(usual)
        row = list(base)
        for each in found:
            if (story := _Story.begun(graph, base, each, way, rng)) is not None:
                told = {index: each for index, each in story.told().items() if row[index] is base[index]}
                for index, (content, whole) in told.items():
                    source = row[index]
                    row[index] = source.of_content(content, held=False)
                    if content.numel() != whole:
                        row[index] = source.of_repeated(content, whole)
        if any(each is not other for each, other in zip(row, base, strict=True)):
            made.append(row)
    return made


@dataclass
class _Story:
    """What is related to what in one draw. `rows`: how many indices are made; after these all come again.

    `blocks`: how many there are of entries that are alike, 0 where each is of its own. `follows`: of each of these
    whether values follow it. `places`: where values of its own begin, in each column.
    """

    graph: Graph
    usual: Sources
    met: MetIndices
    way: Way
    rng: Random
    drawn: torch.Generator
    entries: Sequence[Entries]
    rows: int
    blocks: int
    follows: torch.Tensor
    places: torch.Tensor
    relations: dict[int, Relation] = field(default_factory=dict)

    @classmethod
    def begun(cls, graph: Graph, usual: Sources, met: MetIndices, way: Way, rng: Random) -> _Story | None:
        """None where one of the indices is not drawn element by element, or where there are too many of them."""
        ranges = _ranges(graph, usual)
        parts = [part for part in met.parts if part.index in ranges and usual[part.index].is_plain]
        if not parts or parts[0] != met.parts[0]:
            return None
        kept = {number: parts.index(part) for number, part in enumerate(met.parts) if part in parts}
        values, tables = (
            tuple(
                (index, kept[number]) for index, number in pairs if number in kept and _may_follow(graph, usual, index)
            )
            for pairs in (met.values, met.tables)
        )
        met = MetIndices(tuple(parts), values, tables if way.tables else ())
        entries = _entries(graph, met, [ranges[part.index] for part in parts], rng)
        rows = math.prod(shape_of(graph, parts[0]))
        period = _period(graph, met, rows, rng)
        if period is None or not (met.values or met.tables or len(parts) > 1):
            return None
        drawn = torch.Generator().manual_seed(rng.getrandbits(48))
        blocks = (
            min(max(2, entries[0].count // _LEAST_BLOCK), rng.randint(*_BLOCKS)) if way.kinds == (Kind.BLOCKS,) else 0
        )
        follows = _following(min(blocks or entries[0].count, KEYS), rng.uniform(*way.groups), drawn)
        places = torch.rand(KEYS, _COLUMNS if way.columns else 1, generator=drawn)
        places = places.round() if rng.random() < _AT_ENDS else places
        return cls(graph, usual, met, way, rng, drawn, entries, period, blocks, follows, places)

    def told(self) -> dict[int, tuple[torch.Tensor, int]]:
        """The content of each input, in its dtype, and how many elements the input has."""
        indices = self._indices()
        made = self._written(indices)
        for index, number in self.met.values:
            made[index] = self._values(index, number, indices[number])
        for index, number in self.met.tables:
            if index not in made:
                made[index] = self._table(index, number)
        specs = self.graph.specs
        return {
            index: (values.to(getattr(torch, specs[index].dtype)).flatten(), specs[index].numel)
            for index, values in made.items()
        }

    # --- indices ---------------------------------------------------------------------------------------------

    def _indices(self) -> list[torch.Tensor]:
        """Of each part so many indices, from 0 on: rows, and in each of them those that are its own."""
        count = self.entries[0].count
        free = count > _MARKS  # what is one of two may hide a whole row
        if self.way.skewed and free:
            first = skewed(count, self.rows, self.drawn, self.rng)
        else:
            first = torch.randint(count, (self.rows,), generator=self.drawn)
        runs = self.way.runs and free and self.rng.random() < 0.5
        made = [in_runs(first) if runs else first]
        share = self.rng.uniform(*self.way.related)
        for number, part in enumerate(self.met.parts[1:], start=1):
            outer, inner = self._beside(shape_of(self.graph, part))
            entries = self.entries[number]
            relation = Relation.drawn(self.rng.choice(self.way.kinds), self.entries[0], entries, self.blocks, self.rng)
            self.relations[number] = relation
            given = made[0].repeat(outer).unsqueeze(-1).expand(-1, inner)
            own = torch.randint(entries.count, given.shape, generator=self.drawn)
            met = torch.rand(given.shape, generator=self.drawn) < share
            made.append(torch.where(met, relation.related(given, self.drawn), own).flatten())
        return made

    def _written(self, indices: Sequence[torch.Tensor]) -> dict[int, torch.Tensor]:
        """The same as numbers of the inputs, in the order of their elements."""
        made: dict[int, torch.Tensor] = {}
        for part, given, entries in zip(self.met.parts, indices, self.entries, strict=True):
            low, numbers = entries.least, given + entries.least
            if part.dim < 0:
                made[part.index] = numbers
                continue
            shape = self.graph.specs[part.index].shape
            if part.index not in made:
                made[part.index] = torch.randint(low, low + entries.count, shape, generator=self.drawn)
            made[part.index].select(part.dim, part.place).copy_(numbers.view(shape_of(self.graph, part)))
        return made

    def _beside(self, shape: tuple[int, ...]) -> tuple[int, int]:
        """How often the rows come in a shape, and how many elements each has there."""
        return along(shape_of(self.graph, self.met.parts[0]), shape) or (1, 1)

    # --- what follows them -----------------------------------------------------------------------------------

    def _values(self, index: int, number: int, given: torch.Tensor) -> torch.Tensor:
        """Values that lie along a part."""
        part = self.met.parts[number]
        outer, inner = along(shape_of(self.graph, part), self.graph.specs[index].shape) or (1, 1)
        parts = torch.rand(outer, len(given), inner, generator=self.drawn)
        made = self._at_places(parts, given, number)
        if inner == self.entries[number].count and inner > 1 and self.rng.random() < _SCORED:
            scored = (torch.rand(outer, len(given), 1, generator=self.drawn) < _SCORED).expand(-1, -1, inner)
            own = given.view(1, -1, 1) == torch.arange(inner)
            made = torch.where(scored & own, 1.0 - _END * parts, made)
        return _numbers(self.usual[index], made)

    def _table(self, index: int, number: int) -> torch.Tensor:
        """The rows of a table that a part looks up."""
        shape = self.graph.specs[index].shape
        rows, inner = self.entries[number].again, math.prod(shape[1:])
        parts = torch.rand(1, rows, inner, generator=self.drawn)
        made = self._at_places(parts, torch.arange(rows), number)
        for relation in self.relations.values():
            if not number and len(shape) > 1 and shape[1] == relation.second.count and rows == shape[0]:
                met = relation.hold(torch.arange(rows)[:, None], torch.arange(shape[1]))
                met = met.repeat_interleave(inner // shape[1], 1)
                end = _END * parts if self.rng.random() < 0.5 else 1.0 - _END * parts
                return _numbers(self.usual[index], torch.where(met, end, parts))
        return _numbers(self.usual[index], made)

    def _at_places(self, parts: torch.Tensor, given: torch.Tensor, number: int) -> torch.Tensor:
        """How far through the table each element is: as drawn, or within what its group has of it. `parts`: as drawn,
        in rows of so many columns. `given`: the index of each row.
        """
        entries = self.entries[number]
        keys = entries.block_of(given, self.blocks) if self.blocks else given % entries.again % len(self.follows)
        width = self.rng.uniform(*_WIDTHS)
        if self.way.rises:
            begins = (given.float() / entries.count).view(-1, 1)
            begins = 1.0 - begins if self.rng.random() < 0.5 else begins
        else:
            columns = torch.arange(parts.shape[-1]) % self.places.shape[1]
            begins = self.places[keys][:, columns]
        within = begins * (1.0 - width) + width * parts
        return torch.where(self.follows[keys].view(-1, 1), within, parts)


def _ranges(graph: Graph, usual: Sources) -> dict[int, Range]:
    """What each input of integers may hold, of those that may hold two numbers or more."""
    found = dict[int, Range]()
    for index, spec in enumerate(graph.specs):
        if not spec.is_integer or usual[index].same or spec.dtype in _UNORDERED:
            continue
        if spec.min_val is not None and spec.max_val is not None:
            found[index] = int(spec.min_val), int(spec.max_val)
        elif index in graph.index_bounds():
            found[index] = 0, graph.index_bounds()[index] - 1
    return {index: each for index, each in {**ranges_of(graph, usual), **found}.items() if each[0] < each[1]}


def _may_follow(graph: Graph, usual: Sources, index: int) -> bool:
    """Whether an input is drawn element by element, of numbers that may be equal."""
    spec, source = graph.specs[index], usual[index]
    few = source.kind is DrawKind.PICK and index in distinct(graph)
    kinds = (DrawKind.PICK, *BLENDS.values())
    return source.is_plain and not source.same and source.kind in kinds and stored(spec) is None and not few


def _period(graph: Graph, met: MetIndices, rows: int, rng: Random) -> int | None:
    """After how many rows all come again. None where they cannot, though there are too many."""
    first = shape_of(graph, met.parts[0])
    shapes = [shape_of(graph, part) for part in met.parts[1:]] + [graph.specs[index].shape for index, _ in met.values]
    beside = [along(first, shape) or (1, 1) for shape in shapes]
    whole = any(part.dim >= 0 for part in met.parts) or any(outer > 1 for outer, _ in beside)
    most = max([1, *(inner for _, inner in beside)])
    if rows * max([1, *(outer * inner for outer, inner in beside)]) <= _MOST * (2 if whole else 1):
        return rows
    return None if whole or most > _MOST // 16 else _MOST // most - rng.randrange(_MOST // most // 4)


def _entries(graph: Graph, met: MetIndices, ranges: Sequence[Range], rng: Random) -> list[Entries]:
    """Those of each part, whose blocks lie alike where they are as many. Tables of too many elements come again after
    some rows.
    """
    sizes = dict[int, int]()
    for index, number in met.tables:
        rows = _MOST * 2 // max(1, math.prod(graph.specs[index].shape[1:]))
        sizes[number] = min(rows, sizes.get(number, rows))
    found, most = list[Entries](), min(sizes.values(), default=_FARTHEST)
    for least, high in ranges:
        low = max(least, -(_FARTHEST // 2))
        count = min(high - low + 1, _FARTHEST)
        made = Entries.drawn(low, count, max(1, min(count, most)), rng)
        alike = next((each for each in found if each.again == made.again), made)
        found.append(replace(made, step=alike.step))
    return found


def _following(keys: int, share: float, drawn: torch.Generator) -> torch.Tensor:
    """Which of so many keys are followed: such a share of them, and one at least."""
    order = torch.rand(keys, generator=drawn).argsort()
    return order < max(1, round(keys * share))


def _numbers(source: InputSource, places: torch.Tensor) -> torch.Tensor:
    """The numbers so far through a source's table, from 0 to 1, in the dtype of that."""
    source = in_sorted_order(source)
    scaled = places.to(torch.float64 if source.table.dtype is torch.float64 else torch.float32) * source.entries
    at = scaled.long().clamp_(0, source.entries - 1)
    if source.kind is DrawKind.PICK:
        return source.table[at]
    return torch.lerp(source.table[at], source.table[at + 1], (scaled - at).to(source.table.dtype))
