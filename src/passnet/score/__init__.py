"""Scores of compiler passes: tolerances, outcomes, S(t), ES(t), AS. Pure Python, with no torch and no other room."""

from __future__ import annotations

from passnet.score.benchmark import (
    FIGURES,
    Benchmark,
    Bootstrap,
    Figure,
    geometric_means,
    group_by_task,
    score_benchmark,
)
from passnet.score.document import benchmark_document, params_document, score_document, task_document
from passnet.score.errors import ScoreError
from passnet.score.macro import MacroForm, cross_checked, macro_form
from passnet.score.outcome import (
    JUDGED,
    OUTCOME_RULES,
    UPSTREAM_STATUS,
    Interpretation,
    Outcome,
    Owner,
    forgiven,
    forgiven_from,
)
from passnet.score.params import DEFAULT_WEIGHTS, ScoreParams
from passnet.score.result import MOST_SPEEDUP, GraphResult
from passnet.score.scoring import Score, score_results
from passnet.score.solved import SOLVED_ABOVE, Solved, solved_figures, solved_of
from passnet.score.tolerances import STRICT_T, T_RANGE, T_RANGE_EXTENDED, Tolerance, tolerance
from passnet.score.upstream_log import UpstreamLog, read_upstream_log
from passnet.score.upstream_writer import Times, log_block, log_path, log_text, writable
from passnet.score.weights import load_weights

__all__ = [
    "DEFAULT_WEIGHTS",
    "FIGURES",
    "JUDGED",
    "MOST_SPEEDUP",
    "OUTCOME_RULES",
    "SOLVED_ABOVE",
    "STRICT_T",
    "T_RANGE",
    "T_RANGE_EXTENDED",
    "UPSTREAM_STATUS",
    "Benchmark",
    "Bootstrap",
    "Figure",
    "GraphResult",
    "Interpretation",
    "MacroForm",
    "Outcome",
    "Owner",
    "Score",
    "ScoreError",
    "ScoreParams",
    "Solved",
    "Times",
    "Tolerance",
    "UpstreamLog",
    "benchmark_document",
    "cross_checked",
    "forgiven",
    "forgiven_from",
    "geometric_means",
    "group_by_task",
    "load_weights",
    "log_block",
    "log_path",
    "log_text",
    "macro_form",
    "params_document",
    "read_upstream_log",
    "score_benchmark",
    "score_document",
    "score_results",
    "solved_figures",
    "solved_of",
    "task_document",
    "tolerance",
    "writable",
]
