"""All rows of an output together are taken as each was by itself."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.bench.compare.indices import open_rows
from passnet.bench.compare.indices.open_rows import close
from passnet.bench.compare.indices.open_ties import Opened, _Places, _sizes, _taken
from passnet.bench.compare.indices.paired_runs import Runs
from passnet.bench.compare.indices.processor_time import ProcessorTime
from passnet.graph.tensors.equality import same

DTYPES = (
    torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8, torch.bool,
    torch.complex64,
)  # fmt: skip
ODD = (0.0, -0.0, 1.0, 1.0 + 2.0**-22, -1.0, 2.0, 3.5, torch.nan, torch.inf, -torch.inf, 6e4)


# --- one row after the other ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    got: torch.Tensor
    eager: torch.Tensor
    wide: torch.Tensor | None
    whole: torch.Tensor

    def nearest(self) -> tuple[torch.Tensor, torch.Tensor | None]:
        off = slow_distance(self.eager, self.got.expand_as(self.eager)).clamp(max=1e150).square()
        sums = off.new_zeros(len(off), int(self.whole.max()) + 1).index_add_(1, self.whole, off)
        best = sums.argmin(0)[self.whole].unsqueeze(0)
        return self.eager.gather(0, best)[0], None if self.wide is None else self.wide.gather(0, best)[0]

    @property
    def is_reordered(self) -> bool:
        if self.eager.is_complex():
            return False
        ordered = self.eager.sort(-1).values
        return bool(slow_close(ordered, ordered[:1].expand_as(ordered)).all())

    def in_order(self) -> tuple[torch.Tensor, torch.Tensor | None]:
        rank, own = self.got.argsort(stable=True), self.eager[0].argsort(stable=True)

        def moved(values: torch.Tensor) -> torch.Tensor:
            return torch.empty_like(values).scatter(0, rank, values[own])

        return moved(self.eager[0]), None if self.wide is None else moved(self.wide[0])


def slow_whole(places: _Places, place: int, rows: torch.Tensor) -> torch.Tensor:
    elements = torch.arange(rows.shape[1])
    if len(rows) == len(places.groups):
        sizes = _sizes(places.groups[place : place + 1])[0]
        if int((sizes > 1).sum()) == 2:
            return torch.zeros_like(elements)
        for count in (places.chosen.shape[1], places.groups.shape[1]):
            if rows.shape[1] % count == 0:
                return elements // (rows.shape[1] // count)
    return elements


def slow_taken(
    found: Opened, number: int, output: torch.Tensor, changed: torch.Tensor, places: _Places, seen: Sequence[Runs]
) -> Opened:
    eager = places.rows(found.eager[number]).clone()
    wide = None if found.wide is None else places.rows(found.wide[number]).clone()
    got, shown = places.rows(output), [places.rows(each.eager[number]) for each in seen]
    truths = [places.rows(each.wide[number]) for each in seen if each.wide is not None]
    unknown, many = 0, places.many(eager)
    for place in changed.any(-1).nonzero().reshape(-1).tolist():
        here = changed[place]
        values = torch.stack([each[place][here] for each in shown])
        truth = torch.stack([each[place][here] for each in truths]) if truths else None
        row = Row(got[place][here], values, truth, slow_whole(places, place, eager)[here])
        if not bool(many[place]):
            known = row.nearest()
        elif row.is_reordered:
            known = row.in_order()
        else:
            known = row.got, None if wide is None else row.got.to(wide.dtype)
            unknown += int(here.sum())
        eager[place, here] = known[0]
        if wide is not None and known[1] is not None:
            wide[place, here] = known[1]
    eagers, wides = list(found.eager), None if found.wide is None else list(found.wide)
    eagers[number] = places.back(eager, output)
    if wides is not None and wide is not None:
        wides[number] = places.back(wide, output)
    return Opened(eagers, wides, max(found.share, unknown / max(1, output.numel())))


def slow_close(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    if not (left.is_floating_point() or left.is_complex()):
        return same(left, right)
    room = 64.0 * torch.finfo(left.dtype).eps * torch.maximum(left.abs(), right.abs()).double()
    return same(left, right) | (slow_distance(left, right) <= room.nan_to_num(nan=0.0, posinf=0.0))


def slow_distance(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    kind = torch.complex128 if left.is_complex() else torch.float64
    off = (left.to(kind) - right.to(kind)).abs()
    return torch.where(same(left, right.expand_as(left)), 0.0, off.nan_to_num(nan=torch.inf))


# --- small cases ---------------------------------------------------------------------------------------------------


class Drawn:
    """Small random outputs of some runs that changed round what ties, and a candidate's."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.rows, self.width = rng.choice((1, 2, 5, 9)), rng.choice((1, 2, 3, 4, 6, 12))
        self.chosen = rng.randint(1, self.width)
        self.first = rng.random() < 0.2  # the candidates stand along the first dimension
        groups = torch.tensor([self._groups() for _ in range(self.rows)], dtype=torch.int64)
        groups = groups.reshape(self.rows, self.width)
        chosen = torch.tensor([rng.sample(range(self.width), self.chosen) for _ in range(self.rows)])
        shape = (self.width, self.rows) if self.first else (self.rows, self.width)
        dim = None if self.rows == 1 and rng.random() < 0.2 else 0 if self.first else rng.choice((1, -1))
        self.places = _Places(groups, chosen.long().reshape(self.rows, self.chosen), torch.Size(shape), dim)

    def _groups(self) -> list[int]:
        """Numbers that some candidates share: none, two, three or many of them."""
        numbers, size = list(range(self.width)), self.rng.choice((1, 2, 3, 4, self.width))
        for place in self.rng.sample(numbers, min(size, self.width)):
            numbers[place] = 0
        order = {number: place for place, number in enumerate(dict.fromkeys(numbers))}
        return [order[number] for number in numbers]

    def runs(self, count: int, outputs: int, *, wide: bool) -> tuple[list[Runs], list[torch.Tensor]]:
        """So many runs, eager's own first, and the candidate's outputs."""
        eager: list[list[torch.Tensor]] = [[] for _ in range(count)]
        wides: list[list[torch.Tensor]] = [[] for _ in range(count)]
        got = []
        for _ in range(outputs):
            shape, dtype = self._shape(), self.rng.choice(DTYPES)
            own = self._values(shape, dtype)
            turned = [own, *(self._turned(own) for _ in range(count - 1))]
            for place, values in enumerate(turned):
                eager[place].append(values)
                exact = values.to(torch.complex128 if values.is_complex() else torch.float64)
                wides[place].append((exact + self.rng.choice((0.0, 1e-9))) if values.is_floating_point() else values)
            got.append(self._candidate(turned))
        nobody: Any = None
        both = zip(eager, wides, strict=True)
        return [Runs(one, two if wide else None, {}, nobody, nobody) for one, two in both], got

    def _shape(self) -> tuple[int, ...]:
        if self.first and self.rng.random() < 0.7:
            return tuple(self.places.shape)
        each = self.rng.choice(((self.width,), (self.chosen,), (self.chosen, 3), (self.width, 2), (1,), (5,), (0,), ()))
        lead = () if self.rng.random() < 0.1 else (self.rows,)
        return lead + each

    def _values(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        count = torch.Size(shape).numel()
        if self.rng.random() < 0.5 and (dtype.is_floating_point or dtype.is_complex):
            values = torch.tensor([self.rng.choice(ODD) for _ in range(count)], dtype=torch.float64)
        else:
            values = torch.tensor([float(self.rng.randint(0, 4)) for _ in range(count)], dtype=torch.float64)
        return values.reshape(shape).to(dtype)

    def _turned(self, own: torch.Tensor) -> torch.Tensor:
        """The same values in other orders, of each row or of some, or with others in between."""
        rows = self.places.rows(own).clone()
        for place in range(len(rows)):
            kind = self.rng.random()
            if kind < 0.7:
                rows[place] = rows[place][torch.tensor(self.rng.sample(range(rows.shape[1]), rows.shape[1])).long()]
            if kind > 0.6 and rows.shape[1]:
                rows[place, self.rng.randrange(rows.shape[1])] = self._values((), own.dtype)
        return self.places.back(rows, own)

    def _candidate(self, turned: Sequence[torch.Tensor]) -> torch.Tensor:
        rows = torch.stack([self.places.rows(each) for each in turned])
        which = torch.tensor([self.rng.randrange(len(rows)) for _ in range(rows[0].numel())]).long()
        mixed = rows.gather(0, which.reshape(1, *rows.shape[1:]))[0]
        whole = rows[self.rng.randrange(len(rows))]
        found = torch.where(torch.rand(len(whole), 1) < self.rng.random(), mixed, whole)
        if self.rng.random() < 0.3:
            found = torch.where(torch.rand(found.shape) < 0.2, self._values(tuple(found.shape), found.dtype), found)
        return self.places.back(found, turned[0])

    def changed(self, output: torch.Tensor, seen: Sequence[torch.Tensor]) -> torch.Tensor:
        rows = [self.places.rows(each) for each in seen]
        found = torch.zeros(rows[0].shape, dtype=torch.bool)
        for each in rows[1:]:
            found |= ~same(each, rows[0])
        return found | (torch.rand(found.shape) < self.rng.choice((0.0, 0.0, 0.3, 1.0)))


def alike(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors have the same bytes, where NaN is NaN."""
    if one.dtype != other.dtype or one.shape != other.shape or not bool(same(one, other).all()):
        return False
    if not one.is_floating_point():
        return True
    return bool((torch.signbit(one) == torch.signbit(other))[~one.isnan()].all())


@given(st.integers(0, 1 << 40))
@settings(max_examples=400)
def test_all_rows_together_are_taken_as_each_by_itself(seed: int) -> None:
    torch.manual_seed(seed)
    drawn = Drawn(seed)
    wide = drawn.rng.random() < 0.7
    seen, outputs = drawn.runs(drawn.rng.randint(2, 9), drawn.rng.randint(1, 3), wide=wide)
    found = slow = Opened(list(seen[0].eager), list(seen[0].wide) if seen[0].wide is not None else None)
    for number, output in enumerate(outputs):
        changed = drawn.changed(output, [each.eager[number] for each in seen])
        if bool(changed.any()):
            found = _taken(found, number, output, changed, drawn.places, seen, ProcessorTime.of(1e9))
            slow = slow_taken(slow, number, output, changed, drawn.places, seen)
    assert found.share == slow.share
    assert all(map(alike, found.eager, slow.eager))
    assert (found.wide is None) == (slow.wide is None)
    assert all(map(alike, found.wide or (), slow.wide or ()))


def test_so_they_are_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_rows, "_MOST_AT_ONCE", 20)
    for seed in range(60):
        test_all_rows_together_are_taken_as_each_by_itself.hypothesis.inner_test(seed)


@given(st.integers(0, 1 << 40), st.sampled_from(DTYPES))
@settings(max_examples=200)
def test_what_only_rounds_is_close(seed: int, dtype: torch.dtype) -> None:
    drawn = Drawn(seed)
    left, right = drawn._values((4, 9), dtype), drawn._values((4, 9), dtype)
    assert torch.equal(close(left, right), slow_close(left, right))
    if dtype.is_floating_point:
        near = left * (1 + 60 * torch.finfo(dtype).eps)
        assert torch.equal(close(left, near), slow_close(left, near))
