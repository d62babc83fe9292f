"""Outputs that are right by other choices than eager's: compared with references that choose as the candidate did."""

from __future__ import annotations

from dataclasses import dataclass, replace

from passnet.bench.compare.comparison import Comparison, worst, wrong_indices
from passnet.bench.compare.errors import compare
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.verdict.answers import Answers
from passnet.bench.verdict.cases import CallCase, Placing, Tensors
from passnet.bench.verdict.survival import only_judged, renumbered
from passnet.bench.wire.requests import Follow
from passnet.score import Outcome

# This part of a first call's time limit is for the search for choices that no output shows.
_SEARCHED = 4.0


@dataclass
class OtherChoices:
    """Has the reference worker of one graph follow a candidate. After one search in vain, choices that no output shows
    are searched for no more.
    """

    answers: Answers
    _searching: bool = True

    def compare(
        self, found: Comparison, case: CallCase, inputs: Tensors, outputs: Tensors, placing: Placing
    ) -> Comparison:
        """Compare with references that choose as the candidate did, where it chose as well as eager.

        Returns `found` where that makes nothing right.
        """
        for hidden in (False, True):
            if hidden and not self._searching:
                continue
            seconds = self.answers.first_call_s / _SEARCHED
            try:
                request = Follow(hard=case.criteria.hard, hidden=hidden, seconds=seconds)
                expected, answer = self.answers.ask(request, inputs, outputs)
            except Verdict as verdict:
                raise _unexplained(verdict) from verdict
            if answer.levels is None:
                continue
            only = case.only
            sides, places = placing.outputs(outputs, expected), list(range(len(outputs)))
            levels = [wrong_indices(number, level) for number, level in answer.levels if only is None or number in only]
            if only is not None:
                sides, places = only_judged(sides, only, 0)
            other = worst([renumbered(compare(*sides, case.criteria), places, 0), *levels])
            if other.strict and not other.non_finite:
                return replace(other, published_at=found.published_at, followed=1)
            if hidden:
                self._searching = False
            elif _earlier(other, found):
                found = replace(other, published_at=found.published_at)
        return found


def _unexplained(verdict: Verdict) -> Verdict:
    """The candidate's outputs are not eager's, and a reference worker failed while it followed them.

    This is not the worker's own failure, because it need not follow what is right.
    """
    return Verdict(Outcome.ACCURACY, f"outputs are not right, nor by other choices than eager's ({verdict.detail})")


def _earlier(one: Comparison, other: Comparison) -> bool:
    """Whether the first one is right at a smaller tolerance."""
    if one.non_finite or one.correct_at is None:
        return False
    return other.non_finite or other.correct_at is None or one.correct_at < other.correct_at
