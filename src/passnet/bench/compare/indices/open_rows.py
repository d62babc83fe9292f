"""The open elements of an output's rows as a candidate has them, where some order of equal scores gives these.

All rows are looked at together, some at a time. Each row's open elements are packed to its front, so that rows with
few of them cost little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from passnet.graph.tensors.equality import same

# What differs by no more steps of its dtype follows from no order.
_ROUNDED = 64.0
# Elements of all runs that are looked at together.
_MOST_AT_ONCE = 1 << 21
# Eager's elements, and float64's.
_Known = tuple[torch.Tensor, torch.Tensor | None]


@dataclass(frozen=True)
class OpenRows:
    """Some rows of an output: their open elements as the candidate has them, and as each run's references have.

    `rows`: their numbers in the output, (rows,). `columns`: where the open elements of each stand, (rows, most).
    `is_open`: false for what only fills up a row, (rows, most). `got`: (rows, most). `eager`, `wide`: (runs, rows,
    most). `whole`: which elements of a row follow from one choice, as numbers that they share, (rows, most).
    """

    rows: torch.Tensor
    columns: torch.Tensor
    is_open: torch.Tensor
    got: torch.Tensor
    eager: torch.Tensor
    wide: torch.Tensor | None
    whole: torch.Tensor

    @classmethod
    def in_parts(
        cls,
        rows: torch.Tensor,
        changed: torch.Tensor,
        got: torch.Tensor,
        eager: Sequence[torch.Tensor],
        wide: Sequence[torch.Tensor],
        whole: torch.Tensor,
    ) -> Iterator[OpenRows]:
        """Those with these numbers, some at a time. All else is of whole outputs in rows, (all rows, elements of each).

        `changed`: the open elements. `whole`: of (all rows or 1, elements of each).
        """
        step = max(1, _MOST_AT_ONCE // max(1, len(eager) * changed.shape[1]))
        whole = whole.expand(changed.shape)
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            here = changed[some]
            row, column = here.nonzero(as_tuple=True)
            place = here.cumsum(-1)[row, column] - 1
            counts = here.sum(-1, keepdim=True)
            columns = column.new_zeros(len(some), int(counts.max()))
            columns[row, place] = column
            is_open = torch.arange(columns.shape[1], device=columns.device) < counts
            at = some.unsqueeze(1), columns
            yield cls(
                some,
                columns,
                is_open,
                got[at],
                torch.stack([each[at] for each in eager]),
                torch.stack([each[at] for each in wide]) if wide else None,
                whole[at],
            )

    def nearest(self) -> _Known:
        """What follows from one choice is as the run that comes nearest to the candidate has it, each (rows, most)."""
        off = distance(self.eager, self.got.expand_as(self.eager)).clamp(max=1e150).square()
        off = torch.where(self.is_open, off, 0.0)
        sums = off.new_zeros(*off.shape[:2], int(self.whole.max()) + 1)
        sums.scatter_add_(2, self.whole.expand(off.shape), off)
        best = sums.argmin(0).gather(1, self.whole).unsqueeze(0)
        return self.eager.gather(0, best)[0], None if self.wide is None else self.wide.gather(0, best)[0]

    def in_order(self) -> tuple[_Known, int]:
        """Eager's own values in the candidate's order where all runs gave the same values, in any order. Else the
        candidate's own.

        Also how many elements these are, because nobody knows what they should be.
        """
        known = self.got, None if self.wide is None else self.got.to(self.wide.dtype)
        alike = self._reordered().unsqueeze(-1)
        if bool(alike.any()):
            moved = self._moved()
            wide = None if known[1] is None or moved[1] is None else torch.where(alike, moved[1], known[1])
            known = torch.where(alike, moved[0], known[0]), wide
        return known, int((self.is_open & ~alike).sum())

    def _reordered(self) -> torch.Tensor:
        """The rows of which all runs gave the same values in other orders, (rows,)."""
        if self.eager.is_complex():
            return torch.zeros_like(self.rows, dtype=torch.bool)
        ordered = self._filled(self.eager).sort(-1).values
        return close(ordered, ordered[:1].expand_as(ordered)).all(-1).all(0)

    def _moved(self) -> _Known:
        """Eager's own values in the candidate's order, and float64's, each (rows, most).

        Each in its own order: where a step lies amid what ties, the two may have another number of elements beyond it.
        """
        rank = self._filled(self.got).argsort(dim=-1, stable=True)

        def moved(values: torch.Tensor) -> torch.Tensor:
            own = self._filled(values).argsort(dim=-1, stable=True)
            return torch.empty_like(values).scatter(1, rank, values.gather(1, own))

        return moved(self.eager[0]), None if self.wide is None else moved(self.wide[0])

    def put(self, known: torch.Tensor, output: torch.Tensor) -> None:
        """Write what is known, (rows, most), into an output in rows."""
        at = self.rows.unsqueeze(1).expand_as(self.columns)[self.is_open], self.columns[self.is_open]
        output[at] = known[self.is_open].to(output.dtype)

    def _filled(self, values: torch.Tensor) -> torch.Tensor:
        """The values with the last one of every order in what only fills up a row. There it changes no order."""
        if values.is_floating_point():
            return values.masked_fill(~self.is_open, torch.nan)
        return values.masked_fill(~self.is_open, values.dtype == torch.bool or torch.iinfo(values.dtype).max)


def close(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Where two results of one shape differ by what rounds at most."""
    found = same(left, right)
    if not (left.is_floating_point() or left.is_complex()):
        return found
    rest = ~found
    left, right = left[rest], right[rest]
    room = _ROUNDED * torch.finfo(left.dtype).eps * torch.maximum(left.abs(), right.abs()).double()
    found[rest] = distance(left, right) <= room.nan_to_num(nan=0.0, posinf=0.0)
    return found


def distance(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """How far results are off, in float64: 0 where they are equal, infinite where only one is NaN."""
    kind = torch.complex128 if left.is_complex() else torch.float64
    off = (left.to(kind) - right.to(kind)).abs()
    return torch.where(same(left, right.expand_as(left)), 0.0, off.nan_to_num(nan=torch.inf))
