"""Run directories without measuring: records with the figures that a test wants, and copies with planted changes."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from passnet.bench.layers import LAYERS
from passnet.bench.names import WITH_PASSES
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.record.records import GraphRecord, MaxError, ProcessTiming, Timing
from passnet.bench.record.run import RECORDS, Run
from passnet.score import JUDGED, Outcome

MACHINE = {
    "passnet": "0.1.0", "revision": "0123456789ab", "python": "3.12.1", "torch": "2.13.0", "system": "Linux 6.1.0",
    "cpu": "Some Processor", "cores": 2, "date": "2026-11-23T10:00:00+00:00",
}  # fmt: skip
PROTOCOL = make("direct", precision=0.02)
NASTY = "<script>alert('x') & \"y\"</script>"


def timing(speedup: float, half: float = 0.02, /, **other: Any) -> Timing:
    """A timing whose interval is `half` wide on the scale of logarithms, from three pairs of processes."""
    # No two pairs take the same; this leaves their centre and medians where they are asked for.
    processes = tuple(
        ProcessTiming(
            quads=9, calls=40, ratio=speedup * off, eager_us=90.0 * off, compiled_us=90.0 / speedup,
            control_ratio=1.0, harness_us=0.1,
        )
        for off in (1 / 1.001, 1.0, 1.001)
    )  # fmt: skip
    fields = {
        "speedup": speedup, "speedup_ci": (speedup * math.exp(-half), speedup * math.exp(half)), "eager_us": 90.0,
        "compiled_us": 90.0 / speedup, "control_ratio": 1.0, "processes": processes, "ended": "narrow",
    }  # fmt: skip
    return Timing.model_validate(fields | other)


def record(
    task: str = "one", graph: str = "float32/0/samples/timm/resnet", speedup: float | None = 1.2, **other: Any
) -> GraphRecord:
    """A right graph of the given speedup, or with `outcome` what else it is. `half`: see `timing`."""
    half, protocol = other.pop("half", 0.02), other.pop("protocol", PROTOCOL)
    outcome = Outcome(other.pop("outcome", Outcome.CORRECT))
    judged = outcome in JUDGED and speedup is not None
    with_passes = other.get("compiler", "passes") in WITH_PASSES
    fields: dict[str, Any] = {
        "task": task, "graph": graph, "graph_hash": f"hash of {task}/{graph}",
        "pass_set_hash": "p" if with_passes else None,
        "protocol_hash": protocol.content_hash, "compiler": "passes", "device": "cpu", "outcome": outcome,
        "timing": timing(speedup, half) if judged and speedup is not None else None,
        "correct_at": (-10 if outcome is Outcome.CORRECT else 0) if judged else None, "own_kernels": True,
        "sandbox": LAYERS if with_passes else None, "compared_calls": 40,
        "max_error": MaxError(abs=0.0, rel=0.0), "seconds": 4.0,
    }  # fmt: skip
    return GraphRecord.model_validate(fields | other)


def write_run(
    path: Path,
    records: Iterable[GraphRecord],
    *,
    machine: dict[str, Any] | None = None,
    protocol: Protocol = PROTOCOL,
    **settings: Any,
) -> Path:
    """A run directory as the bench writes it."""
    found = MACHINE if machine is None else machine
    own = {"paths": [], "device": "cpu", "compiler": "passes", "graphs": None, "protocol": protocol.model_dump()}
    same = {key: found.get(key) for key in ("passnet", "torch", "cpu", "gpu")}
    run = Run.open(path, own | {"machine": same} | settings, found)
    for one in records:
        run.append(one)
    run.close()
    return path


def altered(run: Path, to: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Path:
    """A copy of a run whose records were changed: the way to plant a regression."""
    shutil.copytree(run, to)
    lines = (to / RECORDS).read_text().splitlines()
    (to / RECORDS).write_text("".join(json.dumps(change(json.loads(line))) + "\n" for line in lines))
    return to


def slower(factor: float, wanted: Callable[[dict[str, Any]], bool]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A change that makes the wanted graphs so many times slower, with their intervals."""

    def change(line: dict[str, Any]) -> dict[str, Any]:
        if wanted(line) and line["timing"] is not None:
            low, high = line["timing"]["speedup_ci"]
            line["timing"] |= {
                "speedup": line["timing"]["speedup"] / factor, "speedup_ci": [low / factor, high / factor],
                "compiled_us": line["timing"]["compiled_us"] * factor,
                "processes": [
                    each | {"ratio": each["ratio"] / factor, "compiled_us": each["compiled_us"] * factor}
                    for each in line["timing"]["processes"]
                ],
            }  # fmt: skip
        return line

    return change


def benchmark(tasks: int = 4, graphs: int = 5, speedup: float = 1.2, **other: Any) -> list[GraphRecord]:
    """Records of a benchmark of the same shape for every run."""
    return [
        record(f"task{task}", f"float32/{graph}/samples/timm/model{task}", speedup, **other)
        for task in range(tasks)
        for graph in range(graphs)
    ]
