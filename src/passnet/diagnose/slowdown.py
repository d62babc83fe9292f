"""`passnet slowdown`: where a compiler loses on a model or on a data set, by piece.

It is an evaluation in both conventions. A run directory holds the graphs (`graphs`), the capture of models (`capture`),
the evaluation (`evaluation`, a run like any other) and the result as a table (`slowdown.csv`) and as JSON.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from passnet import environment
from passnet.bench.evaluate import EvaluationRequest, Progress, evaluate
from passnet.bench.names import WITH_PASSES
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord
from passnet.diagnose.losses import Slowdown, row_of
from passnet.diagnose.subjects import Selection, check_kinds, selected
from passnet.errors import UsageError
from passnet.graph import Graph
from passnet.writing import write_atomic, write_json

if TYPE_CHECKING:
    from passnet.dataset.pipeline.settings import BuildStep

EVALUATION, TABLE, DOCUMENT = "evaluation", "slowdown.csv", "slowdown.json"
# A spreadsheet takes a text that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class SlowdownRequest:
    """The settings of `passnet slowdown`. `run_path`: its directory; the same one resumes it."""

    selection: Selection
    compiler: str
    device: str
    protocol: Protocol
    run_path: Path


@dataclass(frozen=True)
class Reports:
    """Who is told of progress: of units of the capture, and of records."""

    captured: Callable[[BuildStep], None]
    judged: Callable[[Progress], None]


def slowdown(request: SlowdownRequest, reports: Reports) -> Slowdown:
    """Find the graphs, judge them, write the table. All errors of a user are raised before anything is judged."""
    environment.check_device(request.device)
    check_kinds(request.selection.kinds)
    if request.compiler in WITH_PASSES:
        raise UsageError(
            "a slowdown is of a compiler without passes", field="--compiler", found=request.compiler,
            hint="passnet eval judges passes",
        )  # fmt: skip
    graphs = selected(request.selection, request.run_path, reports.captured)
    evaluation = EvaluationRequest(
        (graphs,), request.device, request.compiler, request.protocol, request.run_path / EVALUATION
    )
    records = [record for score in evaluate(evaluation, reports.judged) for record in score.records]
    found = slowdown_of(graphs, request.compiler, request.device, records)
    write_atomic(request.run_path / TABLE, table_text(found))
    write_json(request.run_path / DOCUMENT, found.to_json())
    return found


def slowdown_of(graphs: Path, compiler: str, device: str, records: list[GraphRecord]) -> Slowdown:
    """The rows of these records. `graphs`: the directory in which their graphs lie by the names of their tasks."""
    rows = (row_of(Graph.read(graphs / record.task), record) for record in records)
    return Slowdown.of(compiler, device, rows)


def table_text(found: Slowdown) -> str:
    """The rows as CSV. Figures that are missing are empty."""
    out = io.StringIO()
    rows = [row.to_json() for row in found.rows]
    names = list(rows[0]) if rows else []
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(row[name]) for name in names])
    return out.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return _cell(" ".join(str(part) for part in value))
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return str(value)
