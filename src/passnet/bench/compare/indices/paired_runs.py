"""Eager and its float64 twin, run with the same choices, and the values that their choosers chose from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import fx

from passnet.bench.compare.indices.choices import Scores, judge
from passnet.bench.compare.indices.choosers import Chooser, ChooserCall
from passnet.bench.compare.indices.forced import Forcing, run_plain, run_wide
from passnet.graph import dtype_name
from passnet.score import T_RANGE

Tables = Mapping[str, torch.Tensor]


@dataclass(frozen=True)
class Runs:
    """Eager's outputs and float64's (None without a twin) by the same choices. `given`: those that were not eager's."""

    eager: Sequence[torch.Tensor]
    wide: Sequence[torch.Tensor] | None
    given: Tables
    plain: Forcing
    truth: Forcing

    @classmethod
    def of(
        cls,
        module: fx.GraphModule,
        choosers: Sequence[Chooser],
        inputs: Sequence[torch.Tensor],
        given: Tables,
        *,
        wide: bool,
    ) -> Runs:
        """The runs with the given choices. All others are eager's own, in both. Without a twin eager's scores stand
        for the truth.
        """
        plain = Forcing(choosers, given, scored=True)
        eager = run_plain(module, inputs, plain)
        if not wide:
            return cls(eager, None, given, plain, plain)
        truth = Forcing(choosers, {**plain.own, **given}, scored=True)
        return cls(eager, run_wide(module, inputs, truth), given, plain, truth)

    def call(self, name: str) -> ChooserCall:
        """Eager's call of a chooser."""
        return self.plain.calls[name]

    def scores(self, name: str) -> Scores:
        call = self.call(name)
        return Scores(
            self.truth.scores[name],
            self.plain.scores[name],
            dtype_name(call.source.dtype),
            call.sizes(),
            first=call.first,
            clear=name in self.plain.clear,
        )

    def chosen(self, name: str) -> torch.Tensor:
        found = self.given.get(name)
        return self.plain.own[name] if found is None else found

    def wanted(self, name: str) -> torch.Tensor:
        """The choices of float64."""
        return self.in_order(name, self.truth.own[name])

    def in_order(self, name: str, chosen: torch.Tensor) -> torch.Tensor:
        """The places of each row in order of their scores, where the operator leaves their order free."""
        call = self.call(name)
        if call.ordered:
            return chosen
        values = self.truth.scores[name].gather(1, chosen)
        return chosen.gather(1, values.argsort(-1, descending=call.descending))

    def level(self, name: str, *, hard: bool) -> int | None:
        """The t from which on a given choice is right, None at none.

        A draw that is not hard must be telling. Otherwise only eager's own choice is right.
        """
        chosen = self.given[name]
        if torch.equal(chosen, self.plain.own[name]):
            return T_RANGE[0]
        ordered = [self.in_order(name, table) for table in (chosen, self.plain.own[name])]
        judged = judge(self.scores(name), ordered[0], self.wanted(name), ordered[1], hard=hard)
        return judged.level if judged.telling or hard else None
