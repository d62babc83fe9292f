"""Solved graphs: the share of graphs that a pass surely made faster, and AS when only these count.

A view that is replaced by itself scores about 1 and solves nothing. A graph is solved when it is right, a kernel of the
pass ran, and the whole interval of its speedup lies above `SOLVED_ABOVE`. Every other graph that counts has the value b
at every tolerance here, as if no pass had matched. AS itself does not use this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from passnet.score.benchmark import Bootstrap, Figure, score_benchmark
from passnet.score.errors import ScoreError
from passnet.score.outcome import Outcome
from passnet.score.params import ScoreParams
from passnet.score.result import GraphResult
from passnet.score.scoring import score_results, split_scored

SOLVED_ABOVE: Final = 1.05
"""The low end of the speedup's interval must lie above this."""

NOTHING_SCORED: Final = "no graph is left to score"
# Name of the figure over the floored graphs -> name under which it is shown.
_SHOWN: Final = {"subgraph_correct": "solved", "AS_gmean": "AS_solved_gmean", "AS_pooled": "AS_solved_pooled"}


@dataclass(frozen=True, slots=True)
class Solved:
    """`share`: the share of graphs that are solved, of those that count. `aggregated`: AS with all others floored.

    Both are None when a graph exists for which it is not known whether it is solved. `reason` then says why.
    """

    share: float | None
    aggregated: float | None
    reason: str | None

    def to_json(self) -> dict[str, float | str | None]:
        """The fields that stand beside AS in every document."""
        return {"solved": self.share, "AS_solved": self.aggregated, "solved_reason": self.reason}


def solved_of(results: Iterable[GraphResult], params: ScoreParams | None = None) -> Solved:
    """The share of solved graphs in a set, and its AS with all other graphs floored."""
    params = params or ScoreParams()
    counted, _ = split_scored(results, params)
    reason = _unknown(counted)
    if reason is not None:
        return Solved(None, None, reason)
    share = sum(result.solved is True for result in counted) / len(counted)
    return Solved(share, score_results(floored(counted), params).aggregated, None)


def solved_figures(
    results: Sequence[GraphResult], params: ScoreParams | None = None, bootstrap: Bootstrap | None = None
) -> Mapping[str, Figure]:
    """`solved`, `AS_solved_gmean` and `AS_solved_pooled` of a benchmark, with intervals over tasks like its others."""
    params = params or ScoreParams()
    counted, _ = split_scored(results, params)
    if _unknown(counted) is not None:
        return dict.fromkeys(_SHOWN.values(), Figure(None, None, None))
    found = score_benchmark(floored(counted), params, bootstrap).figures
    return {shown: found[name] for name, shown in _SHOWN.items()}


def floored(results: Iterable[GraphResult]) -> list[GraphResult]:
    """The graphs, each unsolved one floored as if no pass had matched.

    Raises ScoreError when it is not known whether a graph is solved.
    """
    rows = list(results)
    unknown = next((row for row in rows if row.solved is None), None)
    if unknown is not None:
        raise ScoreError(f"graph {unknown.name!r}: it is not known whether it is solved", found=unknown.unknown)
    return [row if row.solved else GraphResult(row.name, Outcome.NO_MATCH, task=row.task) for row in rows]


def _unknown(counted: Sequence[GraphResult]) -> str | None:
    """One sentence that says why there is no share. None when there is one."""
    if not counted:
        return NOTHING_SCORED
    reasons = Counter(row.unknown or "nothing says whether it is solved" for row in counted if row.solved is None)
    if not reasons:
        return None
    return "; ".join(f"{count} of {len(counted)} graphs: {reason}" for reason, count in sorted(reasons.items()))
