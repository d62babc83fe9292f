"""The settings that change a score: fail penalty, slowdown penalty, interpretation and weights of the levels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from passnet.score.errors import ScoreError, is_finite_number
from passnet.score.outcome import Interpretation

DEFAULT_WEIGHTS: Final[Mapping[int, float]] = MappingProxyType(
    {
        **dict.fromkeys(range(-10, -5), 0.001),
        **dict.fromkeys(range(-5, -2), 1.0),
        -2: 0.8,
        -1: 0.64,
        0: 0.512,
        1: 0.4096,
        2: 0.32768,
        3: 0.262144,
        4: 0.001,
    }
)
"""Weight of each level in AS (PassNet paper, arXiv 2605.29357). AS divides them by their sum."""


MOST_P: Final = 1e6
MOST_WEIGHT: Final = 1e100
"""With these no sum overflows."""


@dataclass(frozen=True, slots=True)
class ScoreParams:
    """Settings of a score, checked on creation.

    `b`: rectified speedup of a failure, 0 < b <= 1. `p`: a slowdown s counts as s^(p+1), p >= 0. `weights`: t -> weight
    >= 0. A level that is not named has weight 0. t = 5 is valid only with `mismatch_extended`. `keep_reference_errors`:
    score a failure of the reference as b at every t, as upstream does. Otherwise the graph is left out of the score.
    """

    b: float = 0.1
    p: float = 0.0
    interpretation: Interpretation = Interpretation.DEFAULT
    weights: Mapping[int, float] = field(default_factory=lambda: DEFAULT_WEIGHTS, hash=False)
    keep_reference_errors: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "interpretation", _interpretation(self.interpretation))
        if not (is_finite_number(self.b) and 0 < self.b <= 1):
            raise ScoreError("bad fail penalty b", expected="a number with 0 < b <= 1", found=repr(self.b))
        if not (is_finite_number(self.p) and 0 <= self.p <= MOST_P):
            raise ScoreError("bad slowdown penalty p", expected=f"a number from 0 to {MOST_P:g}", found=repr(self.p))
        check_weights(self.weights, self.interpretation)
        object.__setattr__(self, "weights", dict(sorted(self.weights.items())))

    @property
    def levels(self) -> range:
        return self.interpretation.levels

    @property
    def log_b(self) -> float:
        return math.log(self.b)


def check_weights(weights: Mapping[int, float], interpretation: Interpretation) -> None:
    """Refuse weights that name an unknown level, are negative or too large, or have the sum zero."""
    levels = interpretation.levels
    for t, weight in weights.items():
        if isinstance(t, bool) or not isinstance(t, int) or t not in levels:
            raise ScoreError(
                "weight for an unknown tolerance level",
                expected=f"integers in {levels.start} ... {levels.stop - 1} ({interpretation})",
                found=repr(t),
            )
        if not is_finite_number(weight) or not 0 <= weight <= MOST_WEIGHT:
            raise ScoreError(
                f"bad weight at t = {t}", expected=f"a number from 0 to {MOST_WEIGHT:g}", found=repr(weight)
            )
    total = sum(weights.values())
    if not (0 < total < math.inf):
        raise ScoreError("weights have no usable sum", expected="a finite sum above 0", found=total)


def _interpretation(value: str) -> Interpretation:
    try:
        return Interpretation(value)
    except ValueError:
        known = " or ".join(Interpretation)
        raise ScoreError("unknown interpretation", expected=known, found=repr(value)) from None
