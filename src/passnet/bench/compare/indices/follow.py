"""The outputs of a graph, given a candidate's choices: references that follow another's indices.

Where eager's own choice is a near tie, another choice is as good, and all that follows from it is right too.
Indices that are outputs are taken from the candidate and judged. Of others, what follows from the order of equal
scores is open (`open_ties`). The rest is searched for. The search takes the choices, as good as eager's, that bring
eager's outputs nearest to the candidate's.

Both references then choose what was found, and the candidate is compared with them. This runs in the reference
worker only. All it gets of a candidate is the bytes of its outputs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import fx

from passnet.bench.compare.indices.choices import telling
from passnet.bench.compare.indices.choosers import Chooser, ChooserCall, choosers_of
from passnet.bench.compare.indices.forced import Forcing, shown
from passnet.bench.compare.indices.hidden import search
from passnet.bench.compare.indices.open_ties import opened
from passnet.bench.compare.indices.paired_runs import Runs
from passnet.bench.compare.indices.processor_time import ProcessorTime
from passnet.bench.compare.levels import latest

Tensors = Sequence[torch.Tensor]
# Floats that hold every index.
_WHOLE = frozenset({torch.float32, torch.float64})


class _Impossible(Exception):
    """Indices that no choice gives."""


@dataclass(frozen=True)
class Followed:
    """Both references by the candidate's choices.

    `levels`: by the number of an output that shows indices, the t from which on these are right, None at none.
    `unknown`: the largest part of an output of which nobody knows what it should be. `late`: there was no time for it.
    """

    eager: Tensors
    wide: Tensors | None
    levels: Mapping[int, int | None]
    unknown: float = 0.0
    late: bool = False


@dataclass(frozen=True)
class Follower:
    """A graph whose choosers may be followed. `wide`: whether it runs in float64."""

    module: fx.GraphModule
    wide: bool
    choosers: tuple[Chooser, ...]

    @classmethod
    def of(cls, module: fx.GraphModule, *, wide: bool) -> Follower:
        return cls(module, wide, tuple(choosers_of(module.graph)))

    def dull(self, inputs: Tensors) -> bool:
        """Whether the values that some chooser chooses from are mostly equal, in float64 or in eager, for example by
        an overflow.
        """
        runs = Runs.of(self.module, self.choosers, inputs, {}, wide=self.wide)
        for name in runs.plain.scores:
            scores = runs.scores(name)
            own = replace(scores, truth=scores.eager)
            if not (telling(scores, runs.wanted(name)) and telling(own, runs.plain.own[name])):
                return True
        return False

    def follow(
        self,
        inputs: Tensors,
        outputs: Tensors,
        *,
        hard: bool,
        hidden: bool,
        ties: bool = False,
        seconds: float = math.inf,
    ) -> Followed | None:
        """The references by the choices behind these outputs. None where there is nothing to follow.

        `hard`: of the draw, which then need not be telling. `hidden`: choices that no output shows may differ too.
        `ties`: of them, any order of equal scores is right. `seconds`: of this thread's processor time, for what no
        output shows. Large outputs get more.
        """
        forcing = Forcing(self.choosers)
        places, first = shown(self.module, inputs, forcing)
        try:
            taken = {
                name: _Taken.of(outputs, places, start, forcing.calls[name], forcing.own[name])
                for name, start in first.items()
            }
        except _Impossible:
            return None
        visible = {name: each.table for name, each in taken.items() if each.origin}
        unseen = [chooser for chooser in self.choosers if chooser.node.name in set(first) - set(visible)]
        if not visible and not ((hidden or ties) and unseen):
            return None
        runs = Runs.of(self.module, self.choosers, inputs, visible, wide=self.wide)
        levels: dict[int, int | None] = {}
        for name in visible:
            level = runs.level(name, hard=hard)
            for number in taken[name].origin:
                levels[number] = latest([level, levels.get(number, level)])
        scores = [runs.plain.scores[name].numel() for each in unseen if (name := each.node.name) in runs.plain.scores]
        left = ProcessorTime.of(seconds, sum(scores) + len(scores) * sum(output.numel() for output in outputs))
        if ties:
            found = opened(self.module, self.choosers, unseen, inputs, outputs, runs, left)
            return Followed(found.eager, found.wide, levels, found.share, found.late) if found else None
        if hidden and unseen:
            runs = search(self.module, self.choosers, unseen, inputs, outputs, runs, left, hard=hard)
        return Followed(runs.eager, runs.wide, levels)


@dataclass(frozen=True)
class _Taken:
    """A chooser's indices as a candidate's outputs show them, or eager's own where none does. Also which outputs do."""

    table: torch.Tensor
    origin: frozenset[int]

    @classmethod
    def of(
        cls, outputs: Tensors, places: Sequence[torch.Tensor | None], start: int, call: ChooserCall, own: torch.Tensor
    ) -> _Taken:
        """The indices that the outputs show. Errors: `_Impossible` where they point to no place, or to one twice.

        If outputs contradict each other, one of them is taken. The other will not agree with what follows from it.
        """
        flat, origin = own.reshape(-1).clone(), set()
        for number, (output, numbers) in enumerate(zip(outputs, places, strict=True)):
            if numbers is None or (output.is_floating_point() and output.dtype not in _WHOLE):
                continue
            here = (numbers >= start) & (numbers < start + flat.numel())
            if bool(here.any()):
                which, values = numbers[here] - start, _integers(output[here])
                if not bool(((values >= 0) & (values < call.width)).all()):
                    raise _Impossible
                flat[which] = values
                origin.add(number)
        table = flat.reshape(own.shape)
        if origin and call.several and bool((table.sort(-1).values.diff(dim=-1) == 0).any()):
            raise _Impossible
        return cls(table, frozenset(origin))


def _integers(values: torch.Tensor) -> torch.Tensor:
    if values.is_floating_point() and not bool((values == values.round()).all()):
        raise _Impossible
    return values.to(torch.int64)
