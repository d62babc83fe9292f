"""Solutions and ties: what remains of a score when a graph counts only if a pass made it surely faster.

A view that is replaced by itself scores about 1 and is no solution. A graph is solved when it is right, a kernel of the
pass ran, and the whole interval of its speedup lies above `SOLVED_ABOVE`. Every other graph that counts is worth b at
every tolerance here, as if no pass had matched. AS itself knows nothing of this.
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
# Name of the figure of the floored graphs -> name under which it is shown.
_SHOWN: Final = {"subgraph_correct": "solved", "AS_gmean": "AS_solved_gmean", "AS_pooled": "AS_solved_pooled"}


@dataclass(frozen=True, slots=True)
class Solved:
    """`share` of the graphs that count are solved; `aggregated`: AS with all others floored.

    Both are None, with a `reason`, where it is not known of some graph whether it is solved.
    """

    share: float | None
    aggregated: float | None
    reason: str | None

    def to_json(self) -> dict[str, float | str | None]:
        """The fields that stand beside AS in every document."""
        return {"solved": self.share, "AS_solved": self.aggregated, "solved_reason": self.reason}


def solved_of(results: Iterable[GraphResult], params: ScoreParams | None = None) -> Solved:
    """The share of solved graphs of a set, and its AS with ties floored."""
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
    """Graphs that are not solved as if no pass had matched. Raises ScoreError where it is not known whether one is."""
    rows = list(results)
    unknown = next((row for row in rows if row.solved is None), None)
    if unknown is not None:
        raise ScoreError(f"graph {unknown.name!r}: it is not known whether it is solved", found=unknown.unknown)
    return [row if row.solved else GraphResult(row.name, Outcome.NO_MATCH, task=row.task) for row in rows]


def _unknown(counted: Sequence[GraphResult]) -> str | None:
    """Why there is no share, in one sentence; None where there is one."""
    if not counted:
        return NOTHING_SCORED
    reasons = Counter(row.unknown or "nothing says whether it is solved" for row in counted if row.solved is None)
    if not reasons:
        return None
    return "; ".join(f"{count} of {len(counted)} graphs: {reason}" for reason, count in sorted(reasons.items()))
