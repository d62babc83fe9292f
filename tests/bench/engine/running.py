"""A run in a process of its own, so that a test can end it at any moment.

`python -m tests.bench.engine.running RUN ENGINE DEVICES PATH...` evaluates by eager and prints a line for each record.
"""

from __future__ import annotations

import sys
from pathlib import Path

from passnet.bench.evaluate import EvaluationRequest, Progress, evaluate
from tests.bench.conftest import SHORT, SOURCE, make_graph


def request(run: Path, engine: str, devices: str | None, paths: list[Path]) -> EvaluationRequest:
    return EvaluationRequest(tuple(paths), "cpu", "eager", SHORT, run, engine=engine, devices=devices)


def write_graphs(directory: Path, count: int) -> list[Path]:
    """So many small graphs, each a task of its own in a run."""
    import torch

    paths = []
    for number in range(count):
        rows = 8 + number
        paths.append(directory / f"graph{number}")
        tensors = {"in_0": torch.randn(rows, 32), "in_1": torch.randn(32), "in_2": torch.randn(32)}
        make_graph(SOURCE, tensors).write(paths[-1])
    return paths


def main() -> None:
    run, engine, devices, *paths = sys.argv[1:]

    def tell(step: Progress) -> None:
        sys.stdout.write(f"{step.record.task} {step.record.outcome} {'kept' if step.resumed else 'new'}\n")
        sys.stdout.flush()

    evaluate(request(Path(run), engine, devices or None, [Path(path) for path in paths]), tell)


if __name__ == "__main__":
    main()
