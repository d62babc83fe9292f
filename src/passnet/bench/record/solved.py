"""Whether a graph was solved, from the figures of its record.

The proof that a kernel of the pass ran is `GraphRecord.own_kernels`, which the judge's proof of work sets. GPU
records that lack it use the kernels that the profiler saw.
"""

from __future__ import annotations

from typing import Final

from passnet.bench.names import WITH_PASSES
from passnet.score import OUTCOME_RULES, SOLVED_ABOVE, Outcome, Owner

NO_PROOF: Final = "the record does not say whether a kernel of the pass ran; evaluate again by the default protocol"
NO_PASSES: Final = "measured without passes"
_NOBODY: Final = "its failure is not the candidate's"
_UNMEASURED: Final = "its times are not in the record"


def solution(
    outcome: Outcome, low: float | None, ran: bool | None, *, with_passes: bool = True
) -> tuple[bool | None, str]:
    """Whether a graph is solved, and if this is not known, why. `low`: the low end of the speedup's interval."""
    if not with_passes:
        return None, NO_PASSES
    if OUTCOME_RULES[outcome].owner is not Owner.CANDIDATE:
        return None, _NOBODY
    if outcome is not Outcome.CORRECT:
        return False, ""
    if low is None:
        return None, _UNMEASURED
    if low <= SOLVED_ABOVE:
        return False, ""
    return ran, "" if ran is not None else NO_PROOF


def kernels_ran(own_kernels: bool | None, kernels: tuple[str, ...] | None) -> bool | None:
    """The answer of the proof of work. An older record answers by what the profiler saw."""
    return bool(kernels) if own_kernels is None and kernels is not None else own_kernels


def runs_passes(compiler: str) -> bool:
    return compiler in WITH_PASSES
