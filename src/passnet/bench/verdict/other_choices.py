"""Outputs that are right by other choices than eager's: compared with references that choose as the candidate did."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from passnet.bench.compare.comparison import Comparison, worst, wrong_indices
from passnet.bench.compare.errors import compare
from passnet.bench.compare.levels import is_strict
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.verdict.answers import Answers
from passnet.bench.verdict.cases import CallCase, Placing, Tensors
from passnet.bench.verdict.survival import only_judged, renumbered
from passnet.bench.wire.requests import Follow
from passnet.score import Outcome

# This part of a first call's time limit is for the search for choices that no output shows, as processor time. By the
# clock the reference has the limit of so many calls: on a busy machine it waits for its core.
_SEARCHED, _CALLS = 4.0, 4
# So many calls a way may be tried in vain. On one of them chance may have been against a right candidate.
_IN_VAIN = 4
# On a usual draw more of an output than this must be known: else who skips what ties is quick there.
_KNOWN = 1 / 8
_UNKNOWN = "equal scores decide {:.0%} of an output on a usual draw, and any order of them is right: not comparable"


class _Way(Enum):
    """By which choices a candidate is followed: those that outputs show, any order of what ties, or what is found."""

    SHOWN = auto()
    TIES = auto()
    SEARCHED = auto()


@dataclass
class OtherChoices:
    """Has the reference worker of one graph follow a candidate. A way that choices which no output shows were followed
    in vain is tried no more after a few calls.
    """

    answers: Answers
    _in_vain: Counter[_Way] = field(default_factory=Counter)

    def compare(
        self, found: Comparison, case: CallCase, inputs: Tensors, outputs: Tensors, placing: Placing
    ) -> Comparison:
        """Compare with references that choose as the candidate did, where it chose as well as eager.

        Returns `found` where that makes nothing right. Verdict `reference_error` where nobody knows what is right, or
        the reference did not find it out in time. What is wrong by any order of equal scores is wrong then, too.
        """
        for way in _Way:
            if self._in_vain[way] >= _IN_VAIN:
                continue
            seconds = self.answers.first_call_s / _SEARCHED
            try:
                request = Follow(
                    hard=case.criteria.hard, hidden=way is _Way.SEARCHED, ties=way is _Way.TIES, seconds=seconds
                )
                expected, answer = self.answers.ask(request, inputs, outputs, calls=_CALLS)
            except Verdict as verdict:
                raise _unexplained(verdict) from verdict
            if answer.levels is None:
                continue
            only = case.only
            sides, places = placing.outputs(outputs, expected), list(range(len(outputs)))
            levels = [
                wrong_indices(number, level, "" if is_strict(level) else _other_values(case, number))
                for number, level in answer.levels
                if only is None or number in only
            ]
            if only is not None:
                sides, places = only_judged(sides, only, 0)
            other = worst([renumbered(compare(*sides, case.criteria), places, 0), *levels])
            if other.strict and not other.non_finite:
                if answer.late:  # all that may be open is as the candidate has it
                    raise Verdict(
                        Outcome.REFERENCE_ERROR, "eager: equal scores in all orders take longer than there is time"
                    )
                if answer.unknown > _KNOWN and not case.criteria.hard:
                    raise Verdict(Outcome.REFERENCE_ERROR, _UNKNOWN.format(answer.unknown))
                return replace(other, published_at=found.published_at, followed=1)
            if way is not _Way.SHOWN:
                self._in_vain[way] += 1
            elif _earlier(other, found):
                found = replace(other, published_at=found.published_at)
        return found


def _other_values(case: CallCase, number: int) -> str:
    """What is wrong with the indices of an output, as a clause."""
    own, eager = (side[number] for side in case.sides[:2])
    where = " on hard draws" if case.criteria.hard else ""
    return f"{int((own != eager).sum())} of {own.numel()} indices are not eager's{where}, and point to worse values"


def _unexplained(verdict: Verdict) -> Verdict:
    """The candidate's outputs are not eager's, and a reference worker failed while it followed them.

    What it did not find out in time is its own fault. Else it is not, because it need not follow what is right.
    """
    cause = verdict.__cause__
    if isinstance(cause, WorkerFailure) and cause.kind == "timeout":
        return verdict
    return Verdict(Outcome.ACCURACY, f"outputs are not right, nor by other choices than eager's ({verdict.detail})")


def _earlier(one: Comparison, other: Comparison) -> bool:
    """Whether the first one is right at a smaller tolerance."""
    if one.non_finite or one.correct_at is None:
        return False
    return other.non_finite or other.correct_at is None or one.correct_at < other.correct_at
