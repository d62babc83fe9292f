"""Outcomes of a graph: who owns each failure, and from which tolerance level ES forgives it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from passnet.score.tolerances import T_RANGE, T_RANGE_EXTENDED


class Outcome(StrEnum):
    """Typed verdict on one graph."""

    CORRECT = "correct"
    ACCURACY = "accuracy"
    DTYPE_MISMATCH = "dtype_mismatch"
    SHAPE_MISMATCH = "shape_mismatch"
    NAN_INF = "nan_inf"
    RUNTIME_ERROR = "runtime_error"
    COMPILE_ERROR = "compile_error"
    TIMEOUT = "timeout"
    NO_MATCH = "no_match"
    INTEGRITY = "integrity"
    UNSTABLE = "unstable"
    REFERENCE_ERROR = "reference_error"
    OUT_OF_MEMORY = "out_of_memory"
    INFRASTRUCTURE = "infrastructure"


class Owner(StrEnum):
    """The owner of an outcome. By default only the candidate's outcomes are scored."""

    CANDIDATE = "candidate"
    REFERENCE = "reference"
    HARNESS = "harness"


class Interpretation(StrEnum):
    """Which positive tolerance levels forgive which kinds of failure."""

    DEFAULT = "default"
    MISMATCH_EXTENDED = "mismatch_extended"

    @property
    def levels(self) -> range:
        """The tolerance levels of S(t) and ES(t) under this interpretation."""
        return T_RANGE if self is Interpretation.DEFAULT else T_RANGE_EXTENDED


class OutcomeRule(NamedTuple):
    """One row: the owner of an outcome, and the t from which it counts as 1 in ES (None: never)."""

    owner: Owner
    default: int | None
    mismatch_extended: int | None


# The CORRECT row is needed only for a log of another tool that is right at t = -5 but wrong at t = 1.
OUTCOME_RULES: Final[dict[Outcome, OutcomeRule]] = {
    Outcome.CORRECT: OutcomeRule(Owner.CANDIDATE, 1, 1),
    Outcome.ACCURACY: OutcomeRule(Owner.CANDIDATE, 1, 1),
    Outcome.DTYPE_MISMATCH: OutcomeRule(Owner.CANDIDATE, 3, 2),
    Outcome.SHAPE_MISMATCH: OutcomeRule(Owner.CANDIDATE, 3, 2),
    Outcome.NAN_INF: OutcomeRule(Owner.CANDIDATE, 3, 2),
    Outcome.RUNTIME_ERROR: OutcomeRule(Owner.CANDIDATE, 3, 3),
    Outcome.COMPILE_ERROR: OutcomeRule(Owner.CANDIDATE, 3, 4),
    Outcome.TIMEOUT: OutcomeRule(Owner.CANDIDATE, 3, 3),
    Outcome.NO_MATCH: OutcomeRule(Owner.CANDIDATE, None, None),
    Outcome.INTEGRITY: OutcomeRule(Owner.CANDIDATE, None, None),
    Outcome.UNSTABLE: OutcomeRule(Owner.HARNESS, None, None),
    Outcome.REFERENCE_ERROR: OutcomeRule(Owner.REFERENCE, None, None),
    Outcome.OUT_OF_MEMORY: OutcomeRule(Owner.HARNESS, None, None),
    Outcome.INFRASTRUCTURE: OutcomeRule(Owner.HARNESS, None, None),
}

JUDGED: Final = frozenset({Outcome.CORRECT, Outcome.ACCURACY})
"""Outcomes whose outputs were compared number by number. Their verdict depends on t."""

UPSTREAM_STATUS: Final[dict[str, Outcome]] = {
    "eager_fail": Outcome.REFERENCE_ERROR,
    "compile_fail": Outcome.COMPILE_ERROR,
    "shape_mismatch": Outcome.SHAPE_MISMATCH,
    "type_mismatch": Outcome.DTYPE_MISMATCH,
    "runtime_fail": Outcome.RUNTIME_ERROR,
    "correct": Outcome.CORRECT,
}
"""Status names of an upstream log. `correct` says only that outputs were compared. The numbers may be wrong."""


def forgiven_from(outcome: Outcome, interpretation: Interpretation) -> int | None:
    """The first t at which ES counts this failure as 1 instead of b. None when it never does."""
    rule = OUTCOME_RULES[outcome]
    return rule.default if interpretation is Interpretation.DEFAULT else rule.mismatch_extended


def forgiven(outcome: Outcome, t: int, interpretation: Interpretation) -> bool:
    """Whether ES counts this failure as 1 at level t."""
    threshold = forgiven_from(outcome, interpretation)
    return threshold is not None and t >= threshold
