"""Searches for choices that no output shows: near ties of eager's that a candidate may have decided in another way.

Only choices that are as good as eager's are tried. A run of eager with some rows' choices exchanged shows which
elements of the outputs follow from which row. For every binary place there are two runs: one for the rows with a
one at that place of their number, one for the rows with a zero. An element that changes in just the runs of one
number belongs to that row. A row keeps the choice that brings all its elements together nearer to the candidate's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import fx

from passnet.bench.compare.indices.choices import alternatives, telling
from passnet.bench.compare.indices.choosers import Chooser
from passnet.bench.compare.indices.forced import Forcing, run_plain
from passnet.bench.compare.indices.paired_runs import Runs, Tables
from passnet.bench.compare.indices.processor_time import ProcessorTime
from passnet.graph.tensors.equality import same

# The runs of eager for one call's outputs, and the other candidates that are tried at one place.
_MOST_RUNS, _MOST_OTHERS = 64, 2
# The rows that are tried one by one where their effects are mixed.
_MOST_ALONE = 8

Tensors = Sequence[torch.Tensor]


def search(
    module: fx.GraphModule,
    choosers: Sequence[Chooser],
    unseen: Sequence[Chooser],
    inputs: Tensors,
    outputs: Tensors,
    runs: Runs,
    left: ProcessorTime,
    *,
    hard: bool,
) -> Runs:
    """Both references by the choices that bring eager nearest to the candidate's outputs.

    Only choices that were tried before the time was over count. `runs`: by eager's own choices.
    """
    search = _Search(module, choosers, inputs, outputs, left)
    for chooser in unseen:
        name = chooser.node.name
        if not (hard or telling(runs.scores(name), runs.wanted(name))):
            continue
        found = search.nearest(runs, name)
        if found is not None:
            runs = Runs.of(module, choosers, inputs, {**runs.given, name: found}, wide=runs.wide is not None)
    return runs


@dataclass
class _Search:
    module: fx.GraphModule
    choosers: Sequence[Chooser]
    inputs: Tensors
    outputs: Tensors
    time: ProcessorTime
    left: int = _MOST_RUNS

    @property
    def over(self) -> bool:
        return self.time.over

    def nearest(self, runs: Runs, name: str) -> torch.Tensor | None:
        """The indices of one chooser that bring eager nearest to the candidate. None where these are its own."""
        own = runs.chosen(name)
        best, base = own, list(runs.eager)
        for other in _exchanges(runs, name, self):
            rows = (other != best).any(-1).nonzero().reshape(-1)
            # After an exchange was taken, the next one is not tried, because it is an exchange of eager's own choice.
            rows = rows[(best[rows] == own[rows]).all(-1)]
            taken = self._taken(runs.given, name, best, other, rows, base)
            if taken.numel():
                best = _mixed(best, other, taken)
                base = self._run(runs.given, name, best)
        return None if best is own else best

    def _taken(
        self, given: Tables, name: str, best: torch.Tensor, other: torch.Tensor, rows: torch.Tensor, base: Tensors
    ) -> torch.Tensor:
        """The rows that come nearer to the candidate by their other choice."""
        places = max(1, (rows.numel() - 1).bit_length())
        if not rows.numel() or self.over or self.left < 2 * places:
            return rows[:0]
        numbers = torch.arange(rows.numel(), device=rows.device)
        owner = [torch.zeros(t.shape, dtype=torch.int64, device=t.device) for t in base]
        changes = [torch.zeros(t.shape, dtype=torch.int64, device=t.device) for t in base]
        mixed = [torch.zeros(t.shape, dtype=torch.bool, device=t.device) for t in base]
        others = [t.clone() for t in base]
        for place in range(places):
            seen = [torch.zeros_like(each) for each in mixed]
            for bit in (0, 1):
                if self.over:
                    return rows[:0]
                flipped = rows[(numbers >> place) & 1 == bit]
                if not flipped.numel():
                    continue
                for number, value in enumerate(self._run(given, name, _mixed(best, other, flipped))):
                    changed = ~same(value, base[number])
                    mixed[number] |= changed & seen[number]
                    seen[number] |= changed
                    owner[number] += changed.to(torch.int64) * (bit << place)
                    changes[number] += changed
                    others[number] = torch.where(changed, value, others[number])
        if any(
            bool((each | ((count > 0) & (count < places))).any()) for each, count in zip(mixed, changes, strict=True)
        ):
            return self._alone(given, name, best, other, rows, base)
        gain = torch.zeros(rows.numel(), dtype=torch.float64, device=rows.device)
        for output, before, after, whose, count in zip(self.outputs, base, others, owner, changes, strict=True):
            here = count > 0
            nearer = _squares(output[here], before[here]) - _squares(output[here], after[here])
            gain.index_add_(0, whose[here], nearer)
        return rows[gain > 0]

    def _alone(
        self, given: Tables, name: str, best: torch.Tensor, other: torch.Tensor, rows: torch.Tensor, base: Tensors
    ) -> torch.Tensor:
        """The same, one row after the other, where several change the same elements."""
        taken = rows[:0]
        if rows.numel() > min(_MOST_ALONE, self.left):
            return taken
        distance = self._distance(base)
        for row in rows:
            if self.over:
                break
            trial = torch.cat([taken, row.reshape(1)])
            found = self._distance(self._run(given, name, _mixed(best, other, trial)))
            if found < distance:
                taken, distance = trial, found
        return taken

    def _distance(self, values: Tensors) -> float:
        return sum(float(_squares(*pair).sum()) for pair in zip(self.outputs, values, strict=True))

    def _run(self, given: Tables, name: str, table: torch.Tensor) -> list[torch.Tensor]:
        self.left -= 1
        return list(run_plain(self.module, self.inputs, Forcing(self.choosers, {**given, name: table})))


def _exchanges(runs: Runs, name: str, search: _Search) -> Iterator[torch.Tensor]:
    """Tables in which every row has another choice that is as good, at one place, where it has any.

    They go from the last place of each row, behind which others were left out, to the first, until the search is over.
    """
    call, chosen, wanted, scores = runs.call(name), runs.chosen(name), runs.wanted(name), runs.scores(name)
    ordered = runs.in_order(name, chosen)
    for place in reversed(range(chosen.shape[1])):
        if search.over or search.left < 1:  # a row of thousands takes long even where no run is made
            return
        others = alternatives(scores, wanted, ordered, place, _MOST_OTHERS)
        if call.several and not call.ordered:  # the order does not matter, only the chosen set
            others = torch.where((ordered.unsqueeze(-1) == others.unsqueeze(-2)).any(-2), -1, others)
        for other in others.unbind(-1):
            if bool((other >= 0).any()):
                yield _exchanged(chosen, ordered[:, place], other)


def _exchanged(chosen: torch.Tensor, old: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
    """Every row with `new` in the place of `old`, and the reverse where it has both. Unchanged where `new` is -1."""
    old, new = old.unsqueeze(-1), torch.where(new < 0, old, new).unsqueeze(-1)
    return torch.where(chosen == old, new, torch.where(chosen == new, old, chosen))


def _mixed(table: torch.Tensor, other: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    mixed = table.clone()
    mixed[rows] = other[rows]
    return mixed


def _squares(left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    kind = torch.complex128 if left.is_complex() else torch.float64
    distance = torch.where(same(left, right), 0, (left.to(kind) - right.to(kind))).abs()
    return distance.nan_to_num(nan=1e300, posinf=1e300).square().clamp_max(1e300).reshape(-1).double()
