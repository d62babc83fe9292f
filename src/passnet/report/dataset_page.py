"""The page of a dataset: its content, and the results of the models that it was made from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from passnet.dataset.examine.capture_stats import CaptureStats
from passnet.dataset.examine.stats import Stats
from passnet.report.charts import Chart, bars, columns, stacked
from passnet.report.page import Page, PageSection, PageTable, write

_TOP = 25


def write_dataset_page(stats: Stats, path: Path | str) -> Path:
    """Write the report of a dataset as one HTML file."""
    return write(dataset_page(stats), path)


def dataset_page(stats: Stats) -> Page:
    """The page of a dataset's numbers."""
    sections = [_contents(stats), _operators(stats), _sizes(stats), _origins(stats)]
    if stats.capture is not None:
        sections.append(_capture(stats.capture))
    return Page(
        title=f"Dataset {stats.name}",
        lead="Computation graphs cut from real models, and the tasks made of them.",
        figures=(
            (_thousands(stats.graphs), "graphs"),
            (_thousands(stats.structures), "distinct structures"),
            (_thousands(stats.tasks), "tasks"),
            (_thousands(stats.models), "models"),
            (_thousands(stats.families_total), "model families"),
            (_thousands(stats.operators), "operators"),
            (f"{stats.bytes_on_disk / 1e6:.1f} MB", "as Parquet"),
        ),
        sections=sections,
        notes=tuple((name, _note(value)) for name, value in sorted(stats.notes.items())),
    )


def _contents(stats: Stats) -> PageSection:
    return PageSection(
        "Contents",
        "Training and evaluation share no sequence of operators, no structure and no model family; what belongs to "
        "neither is the reserve."
        if "eval" in stats.tables
        else "",
        charts=_some(
            _bars("Graphs by kind", stats.kinds, "graphs", "kinds"),
            _bars("Graphs by dtype", stats.dtypes, "graphs", "dtypes"),
            _bars("Graphs by shape variant", stats.shapes, "graphs", "shapes"),
        ),
        tables=(PageTable("By split and kind", ("split", "kind", "graphs", "structures", "tasks"), stats.contents),),
    )


def _operators(stats: Stats) -> PageSection:
    grams = [
        _bars(f"Runs of {length} operators", patterns, "occurrences", f"grams{length}")
        for length, patterns in stats.patterns.items()
    ]
    return PageSection(
        "Operators and structural patterns",
        "Counted once per distinct structure.",
        charts=_some(_bars("Operators", stats.op_frequency, "occurrences", "operators"), *grams),
        tables=(
            _counts("All operators", "operator", stats.op_frequency, "occurrences"),
            _counts("Most frequent whole sequences", "operators", stats.sequences, "graphs"),
        ),
    )


def _sizes(stats: Stats) -> PageSection:
    return PageSection(
        "Sizes",
        charts=_some(
            _columns("Distinct structures by number of operations", stats.sizes, "structures", "sizes"),
            _columns("Distinct structures by number of graphs", stats.variants, "structures", "variants"),
            _columns("Tasks by number of graphs", stats.task_sizes, "tasks", "tasks"),
            _columns("Graphs by bytes of all inputs, from", stats.memory, "graphs", "memory"),
        ),
    )


def _origins(stats: Stats) -> PageSection:
    return PageSection(
        "Where the graphs come from",
        charts=_some(
            _bars("Graphs by domain", stats.domains, "graphs", "domains"),
            _bars("Graphs by library", stats.libraries, "graphs", "libraries"),
            _bars("Graphs by model family", stats.families, "graphs", "families"),
        ),
        tables=(_counts("All model families", "family", stats.families, "graphs"),),
    )


def _capture(capture: CaptureStats) -> PageSection:
    reasons = _counts("Failures by reason", "reason", capture.reasons, "models")
    failures = [
        (item.library, item.model, item.family, item.domain, item.stage, item.method, item.reason)
        for item in capture.failures
    ]
    names = ("library", "model", "family", "domain", "stage", "method", "reason")
    verdicts = ("passed", "failed", "skipped")
    gates = [(name, *(str(row[word]) for word in verdicts)) for name, row in capture.gates.items()]
    return PageSection(
        "Capture",
        f"{_thousands(capture.captured)} of {_thousands(capture.tried)} models gave at least one graph, in "
        f"{capture.seconds / 3600:.1f} hours of one worker.",
        charts=_some(
            _captured("Models by library", capture.libraries, "by-library"),
            _captured("Models by domain", capture.domains, "by-domain"),
            _bars("Failed models by stage", capture.stages, "models", "stages"),
            _bars("Captured models by method", capture.methods, "models", "methods"),
        ),
        tables=[
            table
            for table in (
                PageTable("Quality gates, graphs", ("gate", *verdicts), gates),
                reasons,
                PageTable("Models that failed", names, failures, folded=True),
            )
            if table.rows
        ],
    )


def _captured(title: str, rows: Mapping[str, Mapping[str, int]], key: str) -> Chart | None:
    counts = {name: (row["captured"], row["failed"]) for name, row in rows.items()}
    return stacked(title, counts, series=("captured", "failed"), key=key) if counts else None


def _bars(title: str, counts: Mapping[str, int], unit: str, key: str) -> Chart | None:
    shown = dict(islice(counts.items(), _TOP))
    heading = title if len(counts) <= _TOP else f"{title} (first {_TOP} of {len(counts)})"
    return bars(heading, shown, unit=unit, key=key) if shown else None


def _columns(title: str, counts: Mapping[str, int], unit: str, key: str) -> Chart | None:
    return columns(title, counts, unit=unit, key=key) if counts else None


def _some(*charts: Chart | None) -> tuple[Chart, ...]:
    return tuple(chart for chart in charts if chart is not None)


def _counts(title: str, name: str, counts: Mapping[str, int], unit: str) -> PageTable:
    return PageTable(title, (name, unit), [(key, str(count)) for key, count in counts.items()], folded=True)


def _thousands(number: int) -> str:
    return f"{number:,}"


def _note(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and all(isinstance(item, (str, int, float)) for item in value.values()):
        return ", ".join(f"{key} {item}" for key, item in sorted(value.items()))
    return json.dumps(value, ensure_ascii=False)
