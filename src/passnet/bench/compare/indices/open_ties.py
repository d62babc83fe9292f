"""What follows from the order of equal scores that no output shows: there any order is right, and eager's is one.

An unstable sort or a `topk` takes equal scores in an arbitrary order. The graph is run again with the tied candidates
of each row changed round. The elements of outputs that differ then are open. All others are eager's.

Where few tie, an open element must be what one of these runs gives. Where many tie and the values of a row are the same
in all runs, but for their order, the candidate's must be these too. Else nobody knows what they should be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import fx

from passnet.bench.compare.indices.choices import STEPS, Scores, without_vanished
from passnet.bench.compare.indices.choosers import Chooser
from passnet.bench.compare.indices.open_rows import OpenRows, close
from passnet.bench.compare.indices.paired_runs import Runs
from passnet.bench.compare.indices.processor_time import ProcessorTime, ProcessorTimeOver
from passnet.graph.tensors.equality import same

# The runs for one chooser. Of so many tied candidates two turns show all that follows from their order.
_MOST_RUNS, _FEW = 8, 3
# Rounded scores within so many steps of their dtype tie. Rows of such ties grow long where scores saturate.
_STEPS = 2.0
# A random order of scores that tie, so that turns of a long row of them are no neighbours.
_SEED = 7
Tensors = Sequence[torch.Tensor]


@dataclass(frozen=True)
class Opened:
    """Both references by the candidate's order of what ties. `share`: the largest part of an output that nobody knows.

    `late`: the time was over before all was found out. All that may be open is then as the candidate has it.
    """

    eager: list[torch.Tensor]
    wide: list[torch.Tensor] | None
    share: float = 0.0
    late: bool = False


def opened(
    module: fx.GraphModule, choosers: Sequence[Chooser], unseen: Sequence[Chooser], inputs: Tensors, outputs: Tensors,
    runs: Runs, left: ProcessorTime,
) -> Opened | None:  # fmt: skip
    """The references with open elements as the candidate has them, where that may be right. None where none is open.

    `runs`: by the choices that are known.
    """
    found, any_open = Opened(list(runs.eager), None if runs.wide is None else list(runs.wide)), False
    with_ties = {name: places for chooser in unseen if (places := _places(runs, name := chooser.node.name)) is not None}
    for name, places in with_ties.items():
        seen = [runs]
        try:
            for table in _turned(places.groups, places.chosen):
                seen.append(Runs.of(module, choosers, inputs, {**runs.given, name: table}, wide=runs.wide is not None))
                left.require()
            for number, output in enumerate(outputs):
                changed = _open(places, [each.eager[number] for each in seen])
                if bool(changed.any()):
                    any_open = True
                    found = _taken(found, number, output, changed, places, seen, left)
        except ProcessorTimeOver:
            return _late(found, outputs, places, seen, others=name != next(reversed(with_ties)))
    return found if any_open else None


def _places(runs: Runs, name: str) -> _Places | None:
    """Where a chooser's candidates stand. None where none of them tie, or where it must take the first of these."""
    if name not in runs.plain.scores or runs.call(name).first:
        return None
    groups, call = tied(runs.scores(name)), runs.call(name)
    if not bool(_sizes(groups).gt(1).any()):
        return None
    return _Places(groups, runs.chosen(name), call.source.shape, call.values["dim"])


def _late(found: Opened, outputs: Tensors, places: _Places, seen: Sequence[Runs], *, others: bool) -> Opened:
    """All that may be open as the candidate has it: the rows in which candidates tie. All where another row changes.

    `seen`: eager and at least one run in which all that ties was changed round. `others`: not all choosers were looked
    at.
    """
    eagers, wides = list(found.eager), None if found.wide is None else list(found.wide)
    for number, output in enumerate(outputs):
        eager = places.rows(eagers[number])
        ties = places.with_ties(eager)
        changed = torch.zeros_like(ties)
        for run in seen[1:]:
            changed |= ~close(places.rows(run.eager[number]), places.rows(seen[0].eager[number])).all(-1)
        doubtful = ties | others | (changed & ~ties).any()
        got = places.rows(output)
        eagers[number] = places.back(torch.where(doubtful.unsqueeze(-1), got, eager), output)
        if wides is not None:
            wide = places.rows(wides[number])
            wides[number] = places.back(torch.where(doubtful.unsqueeze(-1), got.to(wide.dtype), wide), output)
    return Opened(eagers, wides, found.share, late=True)


def tied(scores: Scores) -> torch.Tensor:
    """For each candidate the number of the tied ones that it is of, of (rows, candidates).

    Candidates tie where eager or float64 has one score for both. Rounded scores also do within a few steps of their
    dtype.
    """
    eager, truth = without_vanished(scores), scores.truth
    order = truth.argsort(dim=-1, stable=True)
    order = order.gather(1, eager.gather(1, order).argsort(dim=-1, stable=True))
    eager, truth = eager.gather(1, order), truth.gather(1, order)
    step = 0.0
    if scores.dtype in STEPS:
        step = min(_STEPS, STEPS[scores.dtype]) * torch.finfo(getattr(torch, scores.dtype)).eps
    exact = same(eager, truth) if scores.shows_rounding else torch.zeros_like(eager, dtype=torch.bool)
    near = (truth.diff(dim=-1).abs() <= step * truth[:, 1:].abs()) & ~(exact[:, 1:] & exact[:, :-1])
    equal = same(eager[:, 1:], eager[:, :-1]) & ~(exact[:, 1:] & exact[:, :-1] & (truth.diff(dim=-1) != 0))
    linked = near | equal | same(truth[:, 1:], truth[:, :-1])
    numbers = torch.nn.functional.pad((~linked).cumsum(-1), (1, 0))
    return torch.empty_like(numbers).scatter(1, order, numbers)


def _sizes(groups: torch.Tensor) -> torch.Tensor:
    """How many candidates tie with each one, itself among them."""
    return _sizes_of(groups, groups)


def _sizes_of(members: torch.Tensor, groups: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(groups).scatter_add(1, groups, torch.ones_like(groups)).gather(1, members)


def _turned(groups: torch.Tensor, chosen: torch.Tensor) -> Iterator[torch.Tensor]:
    """Tables of choices in which each candidate stands for another one of those that tie with it."""
    drawn = torch.Generator().manual_seed(_SEED)
    mixed = torch.randperm(groups.shape[1], generator=drawn).to(groups.device)
    order = mixed[groups[:, mixed].argsort(dim=-1, stable=True)]  # candidates that tie stand together
    sizes, place = _sizes(groups), torch.empty_like(order)
    place.scatter_(1, order, torch.arange(groups.shape[1], device=groups.device).expand_as(order).contiguous())
    own = groups.gather(1, order)
    first = torch.searchsorted(own.contiguous(), groups.contiguous())
    every = _MOST_RUNS + 1
    for turn in range(1, min(every, int(sizes.max()))):
        steps = torch.where(sizes <= every, turn, sizes * turn // every)
        yield order.gather(1, first + (place - first + steps) % sizes).gather(1, chosen)


@dataclass(frozen=True)
class _Places:
    """Where a chooser's candidates and rows stand in an output. `shape`: of what is chosen from, along `dim`."""

    groups: torch.Tensor
    chosen: torch.Tensor
    shape: torch.Size
    dim: int | None

    def rows(self, output: torch.Tensor) -> torch.Tensor:
        """The elements of an output as (rows, elements of each), where they may be of the chooser's rows."""
        rows = len(self.groups)
        if output.shape == self.shape and self.dim is not None and output.dim():
            return output.movedim(self.dim, -1).reshape(rows, -1)
        leads = self.dim is None or self.dim % max(1, len(self.shape)) == len(self.shape) - 1
        if leads and rows and output.shape[: len(self.shape) - 1] == self.shape[:-1]:
            return output.reshape(rows, -1)
        return output.reshape(1, -1)

    def back(self, rows: torch.Tensor, output: torch.Tensor) -> torch.Tensor:
        """Elements of rows as the output has them."""
        if output.shape == self.shape and self.dim is not None and output.dim():
            return rows.reshape(output.movedim(self.dim, -1).shape).movedim(-1, self.dim)
        return rows.reshape(output.shape)

    def many(self, rows: torch.Tensor) -> torch.Tensor:
        """The rows of an output in which more candidates tie than the runs show in all orders."""
        many = (_sizes(self.groups).gather(1, self.chosen) > _FEW).any(-1)
        return many if len(rows) == len(many) else many.any().expand(len(rows))

    def beside(self, changed: torch.Tensor) -> torch.Tensor:
        """The open elements, and of what ties with too many to see all turns, those of all others that tie: at their
        places and in their order. Where elements are neither, the whole row.
        """
        large = _sizes(self.groups) > _MOST_RUNS + 1
        found, fits = changed.clone(), False
        for members in (self.groups, self.groups.gather(1, self.chosen)):
            if changed.shape[1] % members.shape[1]:
                continue
            fits, each = True, changed.reshape(*members.shape, -1)
            counted = torch.zeros_like(self.groups).scatter_add(1, members, each.any(-1).long())
            more = (counted.gather(1, members) > 0) & _sizes_of(members, self.groups).gt(_MOST_RUNS + 1)
            found |= more.unsqueeze(-1).expand_as(each).reshape(changed.shape)
        return found if fits else changed | (changed.any(-1) & large.any(-1)).unsqueeze(-1)

    def with_ties(self, rows: torch.Tensor) -> torch.Tensor:
        """The rows of an output in which candidates tie."""
        ties = _sizes(self.groups).gt(1).any(-1)
        return ties if len(rows) == len(ties) else ties.any().expand(len(rows))

    def whole(self, rows: torch.Tensor) -> torch.Tensor:
        """Which elements of each row follow from one choice: all where two candidates tie and no others.

        Else those of each place do. As numbers that they share, of (rows or 1, elements of each).
        """
        elements = torch.arange(rows.shape[1], device=rows.device).unsqueeze(0)
        if len(rows) != len(self.groups):
            return elements
        for count in (self.chosen.shape[1], self.groups.shape[1]):
            if rows.shape[1] % count == 0:
                elements = elements // (rows.shape[1] // count)
                break
        two = _sizes(self.groups).gt(1).sum(-1, keepdim=True) == 2
        return torch.where(two, 0, elements)


def _open(places: _Places, seen: Sequence[torch.Tensor]) -> torch.Tensor:
    """The open elements of an output, in rows. `seen`: what the runs gave, eager's own first."""
    own = places.rows(seen[0])
    changed = torch.zeros_like(own, dtype=torch.bool)
    for other in seen[1:]:
        changed |= ~close(places.rows(other), own)
    if len(own) == len(places.groups):
        return places.beside(changed)
    return changed | (changed.any() & places.many(own).any())


def _taken(
    found: Opened,
    number: int,
    output: torch.Tensor,
    changed: torch.Tensor,
    places: _Places,
    seen: Sequence[Runs],
    left: ProcessorTime,
) -> Opened:
    """The references with the candidate's order of one output's open elements. Errors: ProcessorTimeOver."""
    eager = places.rows(found.eager[number]).clone()
    wide = None if found.wide is None else places.rows(found.wide[number]).clone()
    got, shown = places.rows(output), [places.rows(each.eager[number]) for each in seen]
    truths = [places.rows(each.wide[number]) for each in seen if each.wide is not None]
    unknown, many, whole = 0, places.many(eager), places.whole(eager)
    some = changed.any(-1)
    for few in (True, False):
        rows = (some & (many != few)).nonzero().reshape(-1)
        for part in OpenRows.in_parts(rows, changed, got, shown, truths, whole):
            left.require()
            if few:
                known = part.nearest()
            else:
                known, count = part.in_order()
                unknown += count
            part.put(known[0], eager)
            if wide is not None and known[1] is not None:
                part.put(known[1], wide)
    eagers, wides = list(found.eager), None if found.wide is None else list(found.wide)
    eagers[number] = places.back(eager, output)
    if wides is not None and wide is not None:
        wides[number] = places.back(wide, output)
    return Opened(eagers, wides, max(found.share, unknown / max(1, output.numel())))
