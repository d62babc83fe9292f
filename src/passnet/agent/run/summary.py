"""The results of a run: per task, over all tasks, and by the number of attempts. They are made from records alone."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from passnet.agent.env.state import BEST_DIR, UNSCORED_DIR
from passnet.agent.record.figures import EvaluationReport
from passnet.agent.record.records import End, EpisodeRecord, Start, steps_of
from passnet.agent.run.request import AgentRequest, RunPlan
from passnet.bench.record.records import GraphRecord
from passnet.score import Outcome, ScoreError, Solved, score_benchmark, solved_figures, solved_of

SCHEMA = 1
SUMMARY = "summary.json"
_COSTS = ("steps", "evaluations", "tokens", "cost_usd", "seconds")


@dataclass(frozen=True)
class TaskAttempt:
    """One finished episode. `all_right`: every variant is right. `first_score` is AS of its first full evaluation.

    `solved` is from the figures that count. An attempt is solved when all of its variants are solved.
    `broken_and_mended`: how often evaluations went from right to wrong and back to right.
    """

    start: Start
    end: End
    directory: Path
    first_score: float | None
    all_right: bool
    solved: Solved
    seconds: float
    broken_and_mended: int

    @classmethod
    def of(cls, records: Sequence[EpisodeRecord], directory: Path) -> TaskAttempt:
        start, end = records[0], records[-1]
        assert isinstance(start, Start) and isinstance(end, End), "a finished episode has a start and an end"
        scored = [step for step in steps_of(list(records)) if step.observation.score is not None]
        best = next((step for step in scored if step.number == end.best_step), None)
        measured = best.observation.evaluation if best is not None else None
        graphs = end.confirmed.graphs if end.confirmed else measured.graphs if measured is not None else ()
        return cls(
            start=start,
            end=end,
            directory=directory,
            first_score=scored[0].observation.score if scored else None,
            all_right=bool(graphs) and all(row.outcome is Outcome.CORRECT for row in graphs),
            solved=solved_of([row.result() for row in graphs]),
            seconds=end.used.wall_s,
            broken_and_mended=pass_fail_pass(
                [
                    all(row.outcome is Outcome.CORRECT for row in step.observation.evaluation.graphs)
                    for step in steps_of(list(records))
                    if step.observation.evaluation is not None and step.observation.evaluation.graphs
                ]
            ),
        )

    def to_json(self) -> dict[str, Any]:
        used = self.end.used
        return {
            "attempt": self.start.attempt,
            "AS": self.end.score,
            "first_AS": self.first_score,
            "best_step": self.end.best_step,
            "best_measured_AS": self.end.best_score,
            "confirmed": self.end.confirmed is not None,
            "all_right": self.all_right,
            "pass_fail_pass": self.broken_and_mended,
            "solved": self.solved.share == 1.0 if self.solved.share is not None else None,
            "AS_solved": self.solved.aggregated,
            "solved_reason": self.solved.reason,
            "steps": used.steps,
            "evaluations": used.evaluations,
            "tokens": used.tokens,
            "cost_usd": used.cost_usd,
            "seconds": self.seconds,
            "exit_reason": self.end.exit_reason.value,
            "detail": self.end.detail,
            "pass_set_hash": self.end.pass_set_hash,
        }


@dataclass(frozen=True)
class MeasuredAgain:
    """The best of several attempts was measured once more. `score` is None where the machine could not tell then."""

    score: float | None


@dataclass(frozen=True)
class TaskResult:
    """All attempts at one task, and the records of the best one's pass set on every variant.

    `seed` is the episode in which another author made the passes for the attempts. Its costs count. `last` is the
    measurement after all attempts, if there was one.
    """

    task: str
    task_hash: str
    attempts: tuple[TaskAttempt, ...]
    records: tuple[GraphRecord, ...]
    passes: Path | None
    seed: TaskAttempt | None = None
    last: MeasuredAgain | None = None

    @property
    def score(self) -> float | None:
        """AS of the task. Of the best of several attempts it is that of another measurement."""
        return self.last.score if self.last is not None else self.best.end.score

    @property
    def best(self) -> TaskAttempt:
        """The attempt with the highest score. The first of equals."""
        return max(self.attempts, key=lambda attempt: attempt.end.score if attempt.end.score is not None else -1.0)

    def to_json(self) -> dict[str, Any]:
        """The task's entry in the machine contract: score and reason of the best attempt, and the costs of all."""
        best, rows = self.best, [attempt.to_json() for attempt in self.attempts]
        seed = self.seed.to_json() if self.seed is not None else None
        spent = [*rows, seed] if seed is not None else rows
        scores = [attempt.end.score for attempt in self.attempts]
        return {
            "task": self.task,
            "task_hash": self.task_hash,
            "AS": self.score,
            "measured_again": self.last is not None,
            **solved_of([record.result() for record in self.records]).to_json(),
            "first_AS": best.first_score,
            "best_step": best.end.best_step,
            **{name: sum_known(row[name] for row in spent) for name in _COSTS},
            "exit_reason": best.end.exit_reason.value,
            "pass_set_hash": best.end.pass_set_hash,
            "passes": str(self.passes) if self.passes is not None else None,
            "graphs": [record.summary() for record in self.records],
            "best_at_k": best_at_k(scores),
            "pass_at_k": pass_at_k([attempt.all_right for attempt in self.attempts]),
            "spread": spread(scores),
            "pass_fail_pass": sum(attempt.broken_and_mended for attempt in self.attempts),
            "seed": seed,
            "attempts": rows,
        }


def best_at_k(scores: Sequence[float | None]) -> list[float | None]:
    """The expected best of k attempts drawn from the n, for k = 1 ... n. An attempt without a score is worth 0.

    None if no attempt has a score.
    """
    known = sorted((score or 0.0 for score in scores), reverse=True)
    if not any(known):
        return [None for _ in known]
    n = len(known)
    # The best of a draw is the i-th of the sorted attempts when the other k - 1 come from those behind it.
    return [
        sum(value * math.comb(n - 1 - i, k - 1) for i, value in enumerate(known)) / math.comb(n, k)
        for k in range(1, n + 1)
    ]


def pass_at_k(right: Sequence[bool]) -> list[float]:
    """For k = 1 ... n: the share of draws of k attempts in which at least one was right on every variant."""
    n, wrong = len(right), sum(not row for row in right)
    return [1.0 - math.comb(wrong, k) / math.comb(n, k) for k in range(1, n + 1)]


def spread(scores: Sequence[float | None]) -> dict[str, float] | None:
    """How far attempts lie apart: the lowest and highest score, and the standard deviation of log2 of the scores.

    None with fewer than two scores. An attempt without a score is left out.
    """
    known = [score for score in scores if score is not None and score > 0]
    if len(known) < 2:
        return None
    return {"low": min(known), "high": max(known), "log2_std": statistics.stdev(map(math.log2, known))}


def pass_fail_pass(right: Sequence[bool]) -> int:
    """How often a row of evaluations went from right to wrong and back to right."""
    turns = [now for before, now in zip([None, *right], right, strict=False) if now is not before]
    return max(0, turns.count(True) - 1)


def best_step_of(records: Sequence[EpisodeRecord]) -> tuple[int, EvaluationReport] | None:
    """Number and figures of the evaluation that was the best so far. None if no evaluation had a score."""
    found = [(step.number, step.observation.evaluation) for step in steps_of(list(records))]
    return next(((number, seen) for number, seen in reversed(found) if seen is not None and seen.best), None)


def open_episode(plan: RunPlan, records: Sequence[EpisodeRecord]) -> dict[str, Any]:
    """An open episode, which the next run continues: the best so far, its place, and why nothing follows."""
    end = next((record for record in reversed(records) if isinstance(record, End)), None)
    best = best_step_of(records)
    kept = [name for name in (BEST_DIR, UNSCORED_DIR) if (plan.directory / name).is_dir()]
    return {
        "task": plan.target.name,
        "attempt": plan.attempt,
        "best_AS": best[1].score if best is not None else None,
        "best_step": best[0] if best is not None else None,
        "look": end.look if end is not None else None,
        "confirmed_AS": end.confirmed.score if end is not None and end.confirmed is not None else None,
        "passes": str(plan.directory / kept[0]) if kept else None,
        "exit_reason": end.exit_reason.value if end is not None else None,
        "detail": end.detail if end is not None else None,
    }


def summary(
    request: AgentRequest, results: Sequence[TaskResult], total: int, unfinished: Sequence[dict[str, Any]] = ()
) -> dict[str, Any]:
    """The document `summary.json`. `total` is the number of tasks. `unfinished` are the episodes that are open."""
    rows = [result.to_json() for result in results]
    records = [record for result in results for record in result.records]
    return {
        "schema": SCHEMA,
        "run": str(request.run_path),
        "author": request.author,
        "device": request.device,
        "protocol_hash": request.protocol.content_hash,
        "tasks_total": total,
        "tasks_done": len(rows),
        **_figures(records),
        "best_at_k": _mean_curve([row["best_at_k"] for row in rows]),
        "pass_at_k": _mean_curve([row["pass_at_k"] for row in rows]),
        "first_share": _first_share(results),
        "log2_std": _mean([row["spread"]["log2_std"] for row in rows if row["spread"] is not None]),
        "pass_fail_pass": sum(row["pass_fail_pass"] for row in rows),
        "steps_to_best": _median([row["best_step"] for row in rows]),
        **{name: sum_known(row[name] for row in rows) for name in _COSTS},
        "open": list(unfinished),
        "exit_reasons": _counted([row["exit_reason"] for row in rows]),
        "tasks": rows,
    }


def _figures(records: Sequence[GraphRecord]) -> dict[str, Any]:
    """AS over tasks and the shares of graphs, with intervals. Nulls while nothing is scored."""
    results = [record.result() for record in records]
    solved = solved_of(results).to_json()
    try:
        found = score_benchmark(results)
    except ScoreError:
        return {"AS": None, **solved, "figures": None}
    floored = solved_figures(results)
    shown = {**found.figures, **floored}
    figures = {name: {"value": f.value, "low": f.low, "high": f.high} for name, f in shown.items()}
    # The geometric mean over tasks, like AS here.
    over_tasks = {"AS_solved": floored["AS_solved_gmean"].value}
    return {"AS": found.figures["AS_gmean"].value, **solved, **over_tasks, "figures": figures}


def _first_share(results: Sequence[TaskResult]) -> float | None:
    """The average share of the final score that the first full evaluation had."""
    shares = [
        result.best.first_score / result.best.end.best_score
        for result in results
        if result.best.first_score is not None and result.best.end.best_score
    ]
    return _mean(shares)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _mean_curve(curves: Sequence[Sequence[float | None]]) -> list[float] | None:
    if not curves:
        return None
    return [sum(value or 0.0 for value in column) / len(column) for column in zip(*curves, strict=True)]


def _median(values: Sequence[int | None]) -> float | None:
    known = sorted(value for value in values if value is not None)
    if not known:
        return None
    middle = len(known) // 2
    return float(known[middle]) if len(known) % 2 else (known[middle - 1] + known[middle]) / 2


def sum_known(values: Iterable[float | None]) -> float | None:
    """The sum. None if a part of it is not known."""
    found: float = 0
    for value in values:
        if value is None:
            return None
        found += value
    return found


def _counted(names: Sequence[str]) -> dict[str, int]:
    return {name: names.count(name) for name in dict.fromkeys(names)}
