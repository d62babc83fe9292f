"""The bundled passes beside TorchInductor, both against eager, on the same graphs by the same bench.

    python benchmarks/compilers.py [--device cuda] [--graphs 3] [--only passes]

Prints, per task, the geometric mean of each compiler's speedup in both conventions and the benchmark's AS.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import common

from passnet.bench.record.records import GraphRecord
from passnet.score import GraphResult, ScoreError, score_benchmark

COMPILERS = ("passes", "inductor")


def main() -> None:
    options = common.arguments(__doc__ or "", choices=COMPILERS)
    chosen = [options.only] if options.only else list(COMPILERS)
    result = compared(options, chosen)
    common.write(options, "-".join(["compilers", *([options.only] if options.only else [])]), {"compilers": result})


def compared(options: argparse.Namespace, chosen: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The figures of each compiler on the same graphs, printed and returned."""
    return reduced({compiler: common.run(options, compiler) for compiler in chosen})


def reduced(records: Mapping[str, list[GraphRecord]]) -> dict[str, dict[str, Any]]:
    chosen, result = list(records), {compiler: summary(rows) for compiler, rows in records.items()}
    tasks = sorted({row.task for rows in records.values() for row in rows})
    print(f"{'task':34}" + "".join(f"{c + ' direct':>18}{c + ' deployed':>20}" for c in chosen))
    for task in tasks:
        cells = [task_means([r for r in records[c] if r.task == task]) for c in chosen]
        print(f"{task:34}" + "".join(f"{direct:18.3f}{deployed:20.3f}" for direct, deployed in cells))
    for compiler, row in result.items():
        scores = f"AS {row['AS_gmean']}, deployed {row['AS_gmean_deployed']}"
        print(f"{compiler}: {scores}, correct {row['correct']}, outcomes {row['outcomes']}")
    return result


def task_means(rows: list[GraphRecord]) -> tuple[float, float]:
    """Geometric means over the timed graphs of a task: direct and deployed."""
    timings = [row.timing for row in rows if row.timing]
    direct = [t.speedup for t in timings]
    deployed = [t.deployed_speedup for t in timings if t.deployed_speedup]
    return geometric(direct), geometric(deployed)


def deployed(row: GraphRecord) -> GraphResult:
    """The graph's result by the speedup of the convention `deployed`, where it was measured."""
    result = row.result()
    figure = row.timing.deployed_speedup if row.timing else None
    return replace(result, speedup=figure) if figure is not None else result


def geometric(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def summary(rows: list[GraphRecord]) -> dict[str, Any]:
    try:
        figures = score_benchmark([row.result() for row in rows])
    except ScoreError as error:
        sys.exit(f"compilers.py: {error}; first detail: {rows[0].detail}")
    outcomes: dict[str, int] = {}
    for row in rows:
        outcomes[row.outcome.value] = outcomes.get(row.outcome.value, 0) + 1
    figure = figures.figures["AS_gmean"]
    return {
        "AS_gmean": figure.value,
        "AS_gmean_interval": [figure.low, figure.high],
        "AS_gmean_deployed": score_benchmark([deployed(row) for row in rows]).figures["AS_gmean"].value,
        "speedup_gmean": figures.figures["speedup_gmean"].value,
        "correct": figures.figures["subgraph_correct"].value,
        "slower_than_eager": figures.figures["slower"].value,
        "outcomes": outcomes,
        "rows": [
            {
                "graph": f"{r.task}/{r.graph}",
                "outcome": r.outcome.value,
                "detail": r.detail,
                "correct_at": r.correct_at,
                "direct": t.speedup if t else None,
                "interval": t.speedup_ci if t else None,
                "deployed": t.deployed_speedup if t else None,
                "gpu": t.gpu_speedup if t else None,
                "eager_us": t.eager_us if t else None,
                "compiled_us": t.compiled_us if t else None,
            }
            for r in rows
            for t in [r.timing]
        ],
    }


if __name__ == "__main__":
    main()
