"""The JSON document of `passnet score`: schema 1 of the command-line contract, with benchmark figures beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Final

from passnet.score.benchmark import Benchmark, Bootstrap, Figure, score_benchmark
from passnet.score.macro import cross_checked
from passnet.score.params import ScoreParams
from passnet.score.result import GraphResult
from passnet.score.scoring import Score
from passnet.score.solved import Solved, solved_figures, solved_of

SCHEMA: Final = 1


def score_document(
    results: Iterable[GraphResult], params: ScoreParams | None = None, bootstrap: Bootstrap | None = None
) -> dict[str, object]:
    """Score graphs as one pool and by task, ready for `json.dumps`.

    `AS`, `ES`, `S`, `solved` and `AS_solved` describe the pool of all graphs that count. `graphs` is the number of all
    graphs, `scored` the number of those that count. `excluded` gives the outcomes that were left out. Raises ScoreError
    when nothing can be scored.
    """
    params = params or ScoreParams()
    results = list(results)
    pool = cross_checked(results, params)
    figures = score_benchmark(results, params, bootstrap)
    return {
        "schema": SCHEMA,
        "graphs": len(results),
        "scored": len(pool.scored),
        "excluded": dict(sorted(Counter(result.outcome.value for result in pool.excluded).items())),
        "outcomes": _outcomes(pool),
        "AS": pool.aggregated,
        **solved_of(results, params).to_json(),
        "ES": _curve(pool.es),
        "S": _curve(pool.s),
        "params": params_document(params),
        "tasks": {task: task_document(score, solved_of(score.scored, params)) for task, score in figures.tasks.items()},
        "benchmark": benchmark_document(figures, solved_figures(results, params, bootstrap)),
    }


def params_document(params: ScoreParams) -> dict[str, object]:
    """Every setting that changes the score."""
    return {
        "b": params.b,
        "p": params.p,
        "interpretation": params.interpretation.value,
        "weights": {str(t): weight for t, weight in params.weights.items()},
        "keep_reference_errors": params.keep_reference_errors,
    }


def task_document(score: Score, solved: Solved) -> dict[str, object]:
    """One set of graphs: its AS, curves and outcomes."""
    return {
        "AS": score.aggregated,
        **solved.to_json(),
        "graphs": len(score.scored) + len(score.excluded),
        "scored": len(score.scored),
        "outcomes": _outcomes(score),
        "ES": _curve(score.es),
        "S": _curve(score.s),
    }


def benchmark_document(figures: Benchmark, solved: Mapping[str, Figure]) -> dict[str, object]:
    """Every figure with its interval, and how the intervals were drawn."""
    return {
        "tasks": len(figures.tasks),
        "unscored_tasks": list(figures.unscored),
        **{name: asdict(figure) for name, figure in {**figures.figures, **solved}.items()},
        "bootstrap": asdict(figures.bootstrap),
    }


def _outcomes(score: Score) -> dict[str, int]:
    return {outcome.value: count for outcome, count in score.outcomes.items()}


def _curve(values: Mapping[int, float]) -> dict[str, float]:
    return {str(t): value for t, value in values.items()}
