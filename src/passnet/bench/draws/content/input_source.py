"""The table from which one input is drawn, and how.

A table holds sorted values between which floats are drawn, values of which one is picked, or ranges of integers: from
a picked one any number is drawn.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import torch

from passnet.bench.wire.generator import (
    BLENDS,
    AlikeLines,
    DrawKind,
    DrawnRow,
    Filled,
    NamedRows,
    OddPlace,
    OddRuns,
    RelatedRows,
    RowSizes,
)

# Values between which floats are drawn. The count is a power of two, so a position is some bits of a random number.
SPANS = 2048
# With fewer different values than this, only these values are used (masks, quantised data) and none between them.
_FEW_VALUES = 256
PICKED = 4096
# As many values as a table needs.
SAMPLES = max(PICKED, 2 * SPANS)


@dataclass(frozen=True)
class InputSource:
    """The values from which one input is drawn.

    `same`: it has the same values in every call. `held`: in addition, it is not written again.
    `odd`: from where the elements at the odd place, or in `runs`, are drawn. `sizes`: by what each row is multiplied.
    `lines`: which of its lines are alike or in order. `related`: what some rows are to those of other inputs.
    `names`: some of its integers are numbers of rows near which those of another input lie.
    `roughly`: it is well if eager computes no more than the first digits of what follows from it.
    """

    kind: DrawKind
    table: torch.Tensor
    entries: int
    row: DrawnRow = field(default_factory=lambda: DrawnRow(0, 0, 0))
    same: bool = False
    held: bool = False
    odd: InputSource | None = None
    at: OddPlace | None = None
    sizes: RowSizes | None = None
    lines: AlikeLines | None = None
    related: RelatedRows | None = None
    runs: OddRuns | None = None
    names: NamedRows | None = None
    roughly: bool = False

    @classmethod
    def of_values(cls, values: torch.Tensor, row: DrawnRow | None = None) -> InputSource:
        """Values drawn like the elements of `values`, in any number."""
        row = row or DrawnRow(0, 0, 0)
        flat = values.detach().cpu().reshape(-1)
        if flat.dtype.is_complex:
            flat = torch.view_as_real(flat).reshape(-1)
        kind = BLENDS.get(flat.dtype)
        if kind is not None and flat.numel() > 1 and bool(torch.isfinite(flat).all()):
            ordered = flat.to(torch.float64 if kind is DrawKind.BLEND_DOUBLE else torch.float32).sort().values
            if _differing(ordered) >= min(_FEW_VALUES, max(2, flat.numel() // 4)):
                return cls(kind, _quantiles(ordered), SPANS, row)
        return cls.of_these(flat, row)

    @classmethod
    def of_these(cls, values: torch.Tensor, row: DrawnRow | None = None) -> InputSource:
        """Elements of `values` themselves, and none between them."""
        flat = values.detach().cpu().reshape(-1)
        return cls(DrawKind.PICK, _thinned(flat, PICKED), min(flat.numel(), PICKED), row or DrawnRow(0, 0, 0))

    @classmethod
    def of_range(cls, low: int, high: int, dtype: torch.dtype, row: DrawnRow | None = None) -> InputSource:
        """Integers that are as likely one as another, both ends among them. No end is beyond those of int64."""
        return cls.of_ranges([(low, high)], dtype, row)

    @classmethod
    def of_ranges(cls, ends: Sequence[tuple[int, int]], dtype: torch.dtype, row: DrawnRow | None = None) -> InputSource:
        """Integers of these ranges, which are as likely one as another. So are the integers of each."""
        if sum(high - low + 1 for low, high in ends) <= SPANS:
            return cls.of_these(torch.cat([torch.arange(low, high + 1) for low, high in ends]).to(dtype), row)
        table, most = [], SPANS // len(ends)
        for low, high in ends:
            numbers = high - low + 1
            parts = most if numbers <= most else -(-numbers // -(-numbers // most))
            starts = [low + numbers * place // parts for place in range(parts + 1)]
            table += [(start, max(1, end - start)) for start, end in itertools.pairwise(starts)]
        return cls._of_ranges(torch.tensor(table), row)

    @classmethod
    def of_integers(cls, values: torch.Tensor, row: DrawnRow | None = None) -> InputSource:
        """Integers drawn from between these, in any number. Those that come several times come as often."""
        flat = values.detach().cpu().reshape(-1)
        if flat.numel() < _FEW_VALUES or flat.dtype in (torch.bool, torch.uint64) or flat.dtype.itemsize == 1:
            return cls.of_these(flat, row)
        ordered = _thinned(flat.to(torch.int64).sort().values, PICKED)
        if _differing(ordered) < _FEW_VALUES:
            return cls.of_these(flat, row)
        counts = (ordered[1:] - ordered[:-1]).clamp(min=1)  # a count beyond 2^63 wraps to one number
        return cls._of_ranges(torch.stack([ordered, torch.cat([counts, counts.new_ones(1)])], 1), row)

    @classmethod
    def in_order(cls, values: torch.Tensor, *, between: bool, from_first: bool) -> InputSource:
        """Rows like those of `values`, which rise: of numbers `between` them, or else of these. `from_first`: the first
        number of each is the least.
        """
        ordered = values.detach().cpu().reshape(-1).sort().values
        ranged = not ordered.dtype.is_floating_point and ordered.dtype.itemsize > 1 and ordered.dtype != torch.uint64
        if between and ranged:
            wide = torch.unique_consecutive(_thinned(ordered.to(torch.int64), PICKED))
            counts = (wide[1:] - wide[:-1]).clamp(min=1)  # a count beyond 2^63 wraps to one number
            source = cls._of_ranges(torch.stack([wide, torch.cat([counts, counts.new_ones(1)])], 1), None)
        else:
            source = cls.of_values(ordered) if between else cls.of_these(ordered)
        return source.rising(values.shape[-1], from_first=from_first)

    def rising(self, length: int, *, from_first: bool) -> InputSource:
        """The same numbers in rows of so many that rise."""
        return self.in_lines(AlikeLines.in_order(length, from_first=from_first))

    def in_lines(self, lines: AlikeLines) -> InputSource:
        """The same numbers through a sorted table, in lines that rise or fall."""
        table = self.table[self.table[:, 0].argsort()] if self.kind is DrawKind.RANGE else self.table.sort().values
        return replace(self, table=table, lines=lines)

    @property
    def is_plain(self) -> bool:
        """Whether each element is drawn from the table by itself, whatever its place."""
        return self.kind is not DrawKind.COPY and not (
            self.row.length or self.odd or self.sizes or self.lines or self.related or self.runs or self.names
        )

    @property
    def rises(self) -> bool:
        """Whether all rows are in order."""
        return self.lines is not None and self.lines.apart < 0

    @classmethod
    def _of_ranges(cls, table: torch.Tensor, row: DrawnRow | None) -> InputSource:
        return cls(DrawKind.RANGE, table.contiguous(), len(table), row or DrawnRow(0, 0, 0))

    def mixed(self, values: torch.Tensor, share: int) -> InputSource:
        """One element in `share` is one of these values. All others are drawn from the own ones."""
        own = self.table if self.kind is DrawKind.RANGE else self.table.to(values.dtype)
        own = own[torch.linspace(0, len(own) - 1, SPANS - SPANS // share).long()]
        odd = values[torch.arange(SPANS // share) % len(values)]
        if self.kind is not DrawKind.RANGE:
            return self.of_these(torch.cat([own, odd]))
        odd = values[torch.arange(len(self.table) // (share - 1)) % len(values)].to(torch.int64)
        return self._of_ranges(torch.cat([self.table, torch.stack([odd, torch.ones_like(odd)], 1)]), None)

    @property
    def values(self) -> torch.Tensor:
        """Values that an element may have: those of the table, or the ends of each range."""
        if self.kind is not DrawKind.RANGE:
            return self.table
        first, count = self.table.unbind(1)
        return torch.stack([first, first + count - 1], 1).flatten()

    @classmethod
    def of_content(cls, tensor: torch.Tensor, *, held: bool) -> InputSource:
        """The same in every call: the elements of a tensor."""
        return cls(DrawKind.COPY, tensor.detach().reshape(-1), 0, same=True, held=held)

    @classmethod
    def of_repeated(cls, tensor: torch.Tensor, count: int) -> InputSource:
        """The same in every call: `count` elements, which are those of a tensor again and again."""
        source = cls.of_content(tensor, held=False)
        return source if tensor.numel() == count else replace(source, entries=tensor.numel())

    def filled(self, out: torch.Tensor, table: torch.Tensor, number: int) -> Filled:
        """How it is drawn into a place. `table`: its own one, in memory that the drawing code can read.

        ValueError where its numbers are of another kind than the place's: they would be written beyond its end.
        """
        blend = BLENDS.get(out.dtype.to_real() if out.dtype.is_complex else out.dtype)
        if self.kind in BLENDS.values() and self.kind is not blend:
            raise ValueError(f"numbers drawn as {self.kind.name} for an input of {out.dtype}")
        odd = self.odd.filled(out, self.odd.table.to(out.device), number) if self.odd else None
        how = (self.row, odd, self.at, self.sizes, self.lines, self.related, self.runs, self.names)
        return Filled(out, table, self.kind, self.entries, number, *how)


def _differing(ordered: torch.Tensor) -> int:
    """The number of different values in a sorted tensor."""
    return int((ordered[1:] != ordered[:-1]).sum()) + 1


def _thinned(flat: torch.Tensor, most: int) -> torch.Tensor:
    if flat.numel() <= most:
        return flat.clone()
    return flat[torch.linspace(0, flat.numel() - 1, most, dtype=torch.float64).round().to(torch.int64)].clone()


def _quantiles(ordered: torch.Tensor) -> torch.Tensor:
    """The values at evenly spaced places of a sorted tensor, its ends among them."""
    places = torch.linspace(0, ordered.numel() - 1, SPANS + 1, dtype=torch.float64)
    low = places.floor().to(torch.int64).clamp_(0, max(0, ordered.numel() - 2))
    part = (places - low).to(ordered.dtype)
    return torch.lerp(ordered[low], ordered[low + 1], part)


Sources = Sequence[InputSource]
# The usual draw that is the background of the next one.
Backgrounds = Iterator[Sources]
