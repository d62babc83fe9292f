"""The record that is scored: one graph, its outcome, its speedup and the tolerances at which it is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from passnet.score.errors import ScoreError, is_finite_number
from passnet.score.outcome import JUDGED, Outcome
from passnet.score.tolerances import STRICT_T, T_MAX_EXTENDED, T_MIN, T_RANGE_EXTENDED

MOST_SPEEDUP: Final = 1e300
"""Far beyond what a clock can measure, and far from where sums over tasks overflow."""


@dataclass(frozen=True, slots=True)
class GraphResult:
    """One evaluated graph.

    - `speedup`: eager time / compiled time, from 1 / `MOST_SPEEDUP` to `MOST_SPEEDUP`, or None when not measured.
    - `correct_at`: smallest t at which every output is right. It is then right at every larger t too. None: at no t.
    - `right_levels`: the exact levels instead of `correct_at`, for logs whose verdicts need not be monotone in t.
    - `task`: groups graphs for benchmark figures.
    - `solved`: see `passnet.score.solved`. None: not known, and `unknown` says why. AS does not read it.

    Impossible combinations are refused. A `correct` graph is right at t = -5 and has a speedup. An `accuracy` graph is
    wrong at t = -5, and has a speedup if it is right at any larger t. For every other outcome neither field is checked:
    an integrity violation may keep values that were measured before it was found.
    """

    name: str
    outcome: Outcome
    speedup: float | None = None
    correct_at: int | None = None
    right_levels: frozenset[int] | None = None
    task: str = ""
    solved: bool | None = None
    unknown: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "outcome", _outcome(self.name, self.outcome))
        _check_speedup(self.name, self.speedup)
        _check_levels(self)
        if self.outcome in JUDGED:
            _check_truth_table(self)
        if self.solved and not self.correct:
            raise ScoreError(
                f"graph {self.name!r}: solved but not right",
                expected=f"outcome {Outcome.CORRECT}",
                found=f"outcome {self.outcome}",
            )

    def right_at(self, t: int) -> bool:
        """Whether every output is right at level t. It is False for a graph whose outputs were not compared."""
        if self.outcome not in JUDGED:
            return False
        if self.right_levels is not None:
            return t in self.right_levels
        return self.correct_at is not None and t >= self.correct_at

    @property
    def correct(self) -> bool:
        """Right at the strict level t = -5."""
        return self.outcome is Outcome.CORRECT

    @property
    def known_speedup(self) -> float:
        """The speedup of a graph that is right at some level. Such a graph always has one."""
        assert self.speedup is not None, f"{self.name}: no speedup"
        return self.speedup


def _outcome(name: str, value: str) -> Outcome:
    try:
        return Outcome(value)
    except ValueError:
        known = ", ".join(Outcome)
        raise ScoreError(f"graph {name!r}: unknown outcome", expected=f"one of {known}", found=repr(value)) from None


def _check_speedup(name: str, speedup: float | None) -> None:
    if speedup is not None and not (is_finite_number(speedup) and 1 / MOST_SPEEDUP <= speedup <= MOST_SPEEDUP):
        raise ScoreError(
            f"graph {name!r}: impossible speedup",
            expected="a finite number above 0 (eager time / compiled time) that sums do not overflow with",
            found=repr(speedup),
            hint="use None for a speedup that was not measured",
        )


def _check_levels(result: GraphResult) -> None:
    if result.correct_at is not None and result.right_levels is not None:
        raise ScoreError(
            f"graph {result.name!r}: correctness given twice",
            expected="either correct_at or right_levels",
            found="both",
        )
    given = (result.correct_at,) if result.right_levels is None else result.right_levels
    for t in given:
        if t is not None and (isinstance(t, bool) or not isinstance(t, int) or t not in T_RANGE_EXTENDED):
            raise ScoreError(
                f"graph {result.name!r}: unknown tolerance level",
                expected=f"integers in {T_MIN} ... {T_MAX_EXTENDED}",
                found=repr(t),
            )


def _check_truth_table(result: GraphResult) -> None:
    strict = result.right_at(STRICT_T)
    if strict != result.correct:
        raise ScoreError(
            f"graph {result.name!r}: outcome and correctness contradict each other",
            expected=f"outcome {Outcome.CORRECT if strict else Outcome.ACCURACY} "
            f"for a graph that is {'right' if strict else 'wrong'} at t = {STRICT_T}",
            found=f"outcome {result.outcome}",
            hint="give correct_at, the smallest t at which every output is right",
        )
    if result.speedup is None and any(map(result.right_at, T_RANGE_EXTENDED)):
        raise ScoreError(
            f"graph {result.name!r}: right at some tolerance but without a speedup",
            expected="a speedup",
            found="none",
            hint="time every graph whose outputs are right at any t, or report it as unstable",
        )
