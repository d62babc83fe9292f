"""Captures many models into a directory of published-format graphs, one record per model. Resumes where it stopped."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from passnet.dataset.capture.record import ModelRecord, append_record, cluster_of, read_records, reason_text
from passnet.dataset.capture.targets import CaptureSubject, Model
from passnet.dataset.forks import Bounds, Ended, ForkUnit, run_units
from passnet.dataset.models.source import Method, ModelSource
from passnet.errors import UsageError
from passnet.graph import Graph
from passnet.writing import inside, unwritable

RECORDS = "records.jsonl"
DEFAULT_BOUNDS = Bounds(seconds=300.0, memory_bytes=8 << 30)
# A function that captures one model, in its own process.
Capture = Callable[[ModelSource, str, Sequence[Method] | None], tuple[ModelRecord, list[Graph]]]


@dataclass(frozen=True)
class CaptureStep:
    """One model is done: its record, how many of how many, and whether the record was there already."""

    record: ModelRecord
    done: int
    total: int
    resumed: bool


def run(
    models: Sequence[Model],
    out: Path,
    methods: Sequence[Method] | None = None,
    *,
    bounds: Bounds = DEFAULT_BOUNDS,
    workers: int = 1,
    capture: Capture | None = None,
) -> Iterator[CaptureStep]:
    """Capture each model that `out/records.jsonl` does not hold yet, each in its own process. Yields as one ends.

    A model that hangs, crashes or exceeds `bounds` is one failed record. Its graphs are written before its record.
    Stopping at any moment therefore loses at most the models in progress. Closing the iterator ends these. `capture`
    replaces `capture_model`. Errors: UsageError for a directory that cannot be written and for a record file of another
    kind.
    """
    known = read_records(out / RECORDS) if (out / RECORDS).exists() else {}
    kept = [known[model.key] for model in models if model.key in known]
    for done, record in enumerate(kept, start=1):
        yield CaptureStep(record, done, len(models), resumed=True)
    missing = {model.key: model for model in models if model.key not in known}
    new_run_directory(out)
    with tempfile.TemporaryDirectory(dir=out, prefix=".capture.") as scratch:
        units = [
            ForkUnit(
                key, partial(_capture_into, model, out, methods, capture or _warm()), Path(scratch) / f"{place}.json"
            )
            for place, (key, model) in enumerate(missing.items())
        ]
        targets = {unit.key: unit.target for unit in units}
        for done, ended in enumerate(run_units(units, workers, bounds), start=len(kept) + 1):
            record = _record_of(missing[ended.key], ended, targets[ended.key])
            append_record(out / RECORDS, record)
            yield CaptureStep(record, done, len(models), resumed=False)


def _warm() -> Capture:
    """`capture_model` with all that it imports, so that no child has to."""
    import torch._dynamo

    from passnet.dataset.capture.model import capture_model

    torch.set_num_threads(1)
    return lambda source, name, methods: capture_model(source, name, methods=methods)


def _capture_into(model: Model, out: Path, methods: Sequence[Method] | None, capture: Capture) -> bytes:
    """Runs in the child: capture, write the graphs, and return the record's text."""
    import torch

    torch.set_num_threads(1)
    record, graphs = capture(model.source, model.name, methods)
    for graph in graphs:
        graph.write(inside(out, graph_path(graph)), overwrite=True)
    return record.model_dump_json().encode()


def _record_of(model: Model, ended: Ended, target: Path) -> ModelRecord:
    """The record that the child left, or the one that says how the child ended."""
    if ended.failure is None and target.exists():
        record = ModelRecord.model_validate_json(target.read_bytes())
        target.unlink()
        return record.model_copy(update={"peak_memory_mb": round(ended.peak_memory_mb, 1)})
    failure = ended.failure or "Exit: left without a result"
    return record_of_failure(model, failure, ended.seconds, ended.peak_memory_mb)


def record_of_failure(model: CaptureSubject, failure: str, seconds: float, peak_memory_mb: float) -> ModelRecord:
    """The record of a model whose process did not leave one. `failure` says how it ended (see `forks.Ended`)."""
    kind, _, what = failure.partition(": ")
    reason = reason_text(kind, what)
    return ModelRecord(
        library=model.library, model=model.name, family=model.family,
        domain=model.domain, outcome="failed", stage="capture", reason=reason,
        cluster=cluster_of(reason), seconds=round(seconds, 2), peak_memory_mb=round(peak_memory_mb, 1),
    )  # fmt: skip


def new_run_directory(path: Path) -> None:
    """Make the directory unless it is there. Errors: UsageError when it cannot be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(error, path) from None


def graph_path(graph: Graph) -> str:
    """The place of a full graph below the directory: the one that its provenance names."""
    if not graph.sources:
        raise UsageError("a graph without provenance has no place", path=graph.name)
    return next(iter(graph.sources))


def failures(records: Sequence[ModelRecord]) -> list[tuple[str, str, int, str]]:
    """Failures as (stage, cluster of reasons, number of models, one of them), the most frequent first."""
    failed = [record for record in records if record.outcome == "failed"]
    counts = Counter((record.stage, record.cluster or "") for record in failed)
    example: Mapping[tuple[str, str], str] = {
        (record.stage, record.cluster or ""): record.key for record in reversed(failed)
    }
    rows = [(stage, cluster, count, example[stage, cluster]) for (stage, cluster), count in counts.items()]
    return sorted(rows, key=lambda row: (-row[2], row[0], row[1]))


def document(records: Sequence[ModelRecord], out: Path) -> dict[str, object]:
    """The machine contract of `passnet capture --json`."""
    captured = [record for record in records if record.outcome == "captured"]
    return {
        "schema": 1,
        "out": str(out),
        "tried": len(records),
        "captured": len(captured),
        "graphs": sum(record.graphs for record in captured),
        "ops": sum(record.ops for record in captured),
        "models": [json.loads(record.model_dump_json()) for record in records],
        "failures": [
            {"stage": stage, "cluster": cluster, "models": count, "example": example}
            for stage, cluster, count, example in failures(records)
        ],
    }
