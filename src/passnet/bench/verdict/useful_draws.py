"""The draws on which eager says something: which of them a graph is judged on, and which of its outputs there."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import torch

from passnet.bench.compare.neighbours import error_of, is_exact, nudged
from passnet.bench.compare.well_slices import Judged
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.usual.searched_order import in_search_order
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.verdict.answers import Answers, Expected, is_raised
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.survival import in_both, well_computed, well_parts
from passnet.bench.wire.replies import Probed
from passnet.bench.wire.requests import AskDull
from passnet.errors import UsageError
from passnet.graph import degenerate
from passnet.graph.tensors.equality import same_values
from passnet.graph.values.inputs import hard_distributions
from passnet.graph.values.outputs import constant
from passnet.score import Outcome

if TYPE_CHECKING:
    from passnet.graph import Distribution

DISTRIBUTIONS: tuple[Distribution, ...] = ("normal", "small", "large", "sparse")
# Outputs that are equal on so many draws do not depend on what is drawn.
_FEWEST_ALIKE = 3
# Keys of a careful draw on which eager must survive.
_LOOKS = 2
# Further keys of any draw on which it must, where it raised on one: a matrix that is drawn may have no inverse.
_MORE_LOOKS = 4
Tensors = Sequence[torch.Tensor]


@dataclass(frozen=True)
class DrawChoice:
    """Chooses the draws of one graph. `probed`: what eager is like."""

    answers: Answers
    job: Job
    probed: Probed

    def choose(self, seed: int, count: int, hard: int | None = None) -> SecretInputs:
        """Secret inputs on which eager's outputs say something. A graph without any such inputs is not scored.

        `count`: draws of the usual distributions. `hard`: the number of hard draws. The seed picks them, and not
        all are used.
        """
        given = self._given(seed, count, hard)
        useful: list[int] = []
        alike: list[int] = []
        reasons: list[str] = []
        failures: list[Verdict] = []
        seen: list[Tensors] = []
        alone = given.alone
        for draw, expected in zip(alone, self.answers.of_draws(given, alone), strict=True):
            if isinstance(expected, Verdict):
                if not useful and draw == alone[-1]:
                    raise _of_the_judge(expected)
                failures.append(expected)
                reasons.append(str(expected))
                continue
            reason = degenerate(expected.eager, expected.wide)
            if reason is None:
                useful.append(draw)
                if draw != given.altered:
                    seen.append(expected.eager)
            else:
                reasons.append(reason)
                alike += [draw] if constant(expected.eager, expected.wide) else []
        if not useful:
            raise Verdict(Outcome.REFERENCE_ERROR, f"degenerate graph, any pass would look right: {reasons[0]}")
        raising = any(is_raised(each) for each in failures)
        if raising:
            useful = self._steadily(given, useful)
        useful = self._telling(given, useful)
        hosts = [draw for draw in useful if draw in given.hard] or useful
        # All rows of an alike draw are one number. In a sibling one of them is another.
        heard = {*useful, *alike}
        if heard < set(given.alone):
            backgrounds = [draw for draw in given.timed if draw in heard]
            given.rest_on(backgrounds or given.timed, sorted(heard & given.hard))
        more = [sibling for draw in alike for sibling in given.siblings.get(draw, ())]
        given.survived(more, hosts)
        given.judged = self._surviving(given, given.careful)
        if raising:
            beside = sorted(given.beside)
            steady = set(self._steadily(given, beside)) if beside else set[int]()
            given.leave_out({draw for draw in beside if draw not in steady})
        lost = [draw for draw in given.careful if draw not in given.judged]
        given.judged |= self._surviving(given, given.make_plain(lost))
        given.survived([draw for draw in given.careful if draw in given.judged], hosts)
        self._check_sensitivity(seen)
        given.keep(useful)
        return given

    def _steadily(self, given: SecretInputs, draws: list[int]) -> list[int]:
        """The draws on which eager raises in none of a few looks. All where it does so in all."""
        looks = draws * _MORE_LOOKS
        failed = {
            draw
            for draw, expected in zip(looks, self.answers.of_draws(given, looks), strict=True)
            if isinstance(expected, Verdict)
        }
        return [draw for draw in draws if draw not in failed] or draws

    def _surviving(self, given: SecretInputs, careful: Sequence[int]) -> dict[int, Judged]:
        """The careful draws on which eager computes some outputs well, and which of them."""
        usual = functools.cache(partial(self._usual_errors, given))
        found: dict[int, Judged] = {}
        looks = tuple(careful) * _LOOKS if self.answers.wide else ()
        for draw, expected in zip(looks, self.answers.of_draws(given, looks), strict=True):
            judged: Judged = {}
            if not isinstance(expected, Verdict):
                pair, roughly = self._all_of(expected), given.is_rough(draw)
                well = well_computed(*pair, usual, roughly=roughly)
                judged = dict.fromkeys(well) if roughly else well_parts(*pair, well)
            found[draw] = in_both(found.get(draw, judged), judged)
        if not self.answers.wide:
            found = {draw: dict.fromkeys(self._steady_on(given, draw)) for draw in careful}
        for draw, judged in found.items():
            unclear = given.unclear.get(draw, frozenset())
            found[draw] = {number: part for number, part in judged.items() if number not in unclear}
        return {draw: judged for draw, judged in found.items() if judged}

    def _all_of(self, expected: Expected) -> tuple[Tensors, Tensors]:
        """Eager's outputs and the inputs that it changes, and float64's."""
        left, wide_left = expected.left(self.answers.shape.changed)
        return [*expected.eager, *left], [*(expected.wide or ()), *(wide_left or ())]

    def _usual_errors(self, given: SecretInputs) -> list[float]:
        """Eager's largest error of each output on usual draws."""
        rows = []
        for expected in self.answers.of_draws(given, given.timed):
            if not isinstance(expected, Verdict):
                rows.append([error_of(*pair) for pair in zip(*self._all_of(expected), strict=True)])
        return [max(column) for column in zip(*rows, strict=True)]

    def _steady_on(self, given: SecretInputs, draw: int) -> frozenset[int]:
        """Without float64: the outputs that hardly change where inputs change by a step of their dtype."""
        inputs = [tensor.clone() for tensor in given.values(given.key(draw))]
        try:
            one, other = (self.answers.expected(each) for each in (inputs, nudged(inputs, given.rng)))
        except Verdict:
            return frozenset()
        order = self.answers.shape.changed
        (one_left, _), (other_left, _) = (expected.left(order) for expected in (one, other))
        truths = [_widened(tensor) for tensor in (*other.eager, *other_left)]
        eager = [*one.eager, *one_left]
        return well_computed(eager, truths, lambda: [0.0] * len(eager), roughly=given.is_rough(draw))

    def _telling(self, given: SecretInputs, useful: list[int]) -> list[int]:
        """The draws on which indices say something. Returns all where none of the timed draws does."""
        if not self.probed.choosers:
            return useful
        telling = [draw for draw in useful if not self._is_dull(given, draw)]
        return telling if set(telling) & set(given.timed) else useful

    def _is_dull(self, given: SecretInputs, draw: int) -> bool:
        try:
            return self.answers.ask(AskDull(), given.values(given.key(draw)))[1].dull
        except Verdict as verdict:
            if is_raised(verdict):
                return True
            raise

    def _given(self, seed: int, count: int, most_hard: int | None) -> SecretInputs:
        if self.job.own is not None:
            own = SecretInputs.own(self.job.own, seed, self.job.device, frozenset(self.probed.mutated))
            own.draws[1] = in_search_order(self.job.graph, own.draws[1])
            return own
        hard = hard_distributions(self.job.graph)
        if most_hard is not None:
            hard = tuple(Random(seed).sample(hard, min(most_hard, len(hard))))
        names = [*(DISTRIBUTIONS[i % len(DISTRIBUTIONS)] for i in range(count)), *hard]
        try:
            return SecretInputs.draw(self.job.graph, self.job.device, seed, names, hard=len(hard))
        except UsageError as error:
            raise Verdict(Outcome.REFERENCE_ERROR, str(error)) from error

    def _check_sensitivity(self, seen: Sequence[Tensors]) -> None:
        """Outputs that follow from stored content alone would be right forever after they were remembered once."""
        alike = all(all(map(same_values, seen[0], other)) for other in seen[1:])
        if len(seen) >= _FEWEST_ALIKE and alike and not self.probed.mutated:
            raise Verdict(
                Outcome.REFERENCE_ERROR, "outputs do not depend on the inputs: any call gives those of another"
            )


def _of_the_judge(verdict: Verdict) -> Verdict:
    """The same, if eager raised: the inputs were the judge's, and a user's own may be others."""
    if not is_raised(verdict):
        return verdict
    return Verdict(
        verdict.outcome, f"on inputs that the judge drew, {verdict.detail}; give the graph bounds or content"
    )


def _widened(tensor: torch.Tensor) -> torch.Tensor:
    """A float in the dtype of a truth."""
    if is_exact(tensor):
        return tensor
    return tensor.to(torch.complex128 if tensor.is_complex() else torch.float64)
