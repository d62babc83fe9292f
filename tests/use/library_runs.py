"""Runs of the bench on bundled tasks as they would be recorded, without any measuring."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord, MaxError, ProcessTiming, Timing
from passnet.bench.record.run import Run
from passnet.graph import Task
from passnet.rewrite import read_pass_set
from passnet.score import Outcome

TASKS = Path(__file__).parents[2] / "data" / "tasks"
MACHINE = {"cpu": "a processor", "gpu": "a device", "torch": "2.13.0", "passnet": "0.1.0"}


def timing(speedup: float, low: float | None = None, high: float | None = None) -> Timing:
    interval = (low or speedup - 0.01, high or speedup + 0.01)
    processes = tuple(
        ProcessTiming(
            quads=9, calls=40, ratio=speedup * off, eager_us=100.0 * off, compiled_us=100.0 / speedup,
            control_ratio=1.0, harness_us=0.1,
        )
        for off in (1 / 1.001, 1.0, 1.001)
    )  # fmt: skip
    return Timing(
        speedup=speedup, speedup_ci=interval, eager_us=100.0, compiled_us=100.0 / speedup, control_ratio=1.0,
        deployed_speedup=speedup - 0.1, deployed_speedup_ci=(speedup - 0.11, speedup - 0.09), processes=processes,
    )  # fmt: skip


def record(task: Task, graph: str, outcome: Outcome = Outcome.CORRECT, **fields: Any) -> GraphRecord:
    ref = next(ref for ref in task.refs if ref.name == graph)
    correct = {"correct_at": -6, "timing": timing(1.5)} if outcome is Outcome.CORRECT else {}
    known = {
        "task": task.name,
        "graph": graph,
        "graph_hash": ref.load().content_hash,
        "pass_set_hash": read_pass_set(task.pass_dir).content_hash,
        "protocol_hash": Protocol().content_hash,
        "compiler": "passes",
        "device": "cpu",
        "outcome": outcome,
        "compared_calls": 40,
        "max_error": MaxError(abs=0.0, rel=0.0),
        "seconds": 4.0,
        "sandbox": ("namespaces:files", "namespaces:network", "namespaces:processes"),
    }
    return GraphRecord(**(known | correct | fields))


def write_run(
    path: Path,
    tasks: Sequence[Path],
    *,
    graphs: int = 1,
    outcome: Outcome = Outcome.CORRECT,
    device: str = "cpu",
    compiler: str = "passes",
    **fields: Any,
) -> Path:
    """A run directory of `passnet eval` on the first graphs of some tasks."""
    protocol = Protocol()
    settings = {
        "paths": [str(task) for task in tasks],
        "device": device,
        "compiler": compiler,
        "graphs": graphs,
        "protocol": protocol.model_dump(),
    }
    run = Run.open(path, settings, MACHINE)
    for directory in tasks:
        task = Task.read(directory)
        for ref in task.refs[:graphs]:
            run.append(record(task, ref.name, outcome, device=device, **fields))
    run.close()
    return path
