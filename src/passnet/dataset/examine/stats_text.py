"""The numbers of a dataset as plain text: headed tables of aligned columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from passnet.authored import one_line
from passnet.dataset.examine.capture_stats import CaptureStats
from passnet.dataset.examine.stats import Stats

_TOP = 15
_SEQUENCE_WIDTH = 90

# A heading, the names of the columns, the rows.
Table = tuple[str, Sequence[str], list[tuple[str, ...]]]


def text(stats: Stats, *, top: int = _TOP) -> str:
    """Every table, the long ones cut after `top` rows."""
    head = (
        f"{stats.name}: {stats.graphs} graphs, {stats.structures} structures, {stats.tasks} tasks, {stats.models} "
        f"models of {stats.families_total} families, {stats.operators} operators, {stats.bytes_on_disk / 1e6:.1f} MB"
    )
    return "\n\n".join([one_line(head), *(_aligned(*table) for table in tables(stats, top=top))]) + "\n"


def tables(stats: Stats, *, top: int = _TOP) -> list[Table]:
    """The tables that `text` prints, for a caller that draws them itself."""
    found: list[Table] = [("Contents", ("split", "kind", "graphs", "structures", "tasks"), stats.contents)]
    counted: Mapping[str, Mapping[str, int]] = {
        "dtype": stats.dtypes,
        "domain": stats.domains,
        "library": stats.libraries,
        "family": stats.families,
        "shape variant": stats.shapes,
        "bytes of inputs, from": stats.memory,
    }
    found += [_counts(f"Graphs by {name}", name, counts, top) for name, counts in counted.items()]
    found.append(_counts("Structures by operations", "operations", stats.sizes, len(stats.sizes)))
    found.append(_counts("Structures by graphs", "graphs", stats.variants, len(stats.variants)))
    found.append(_counts("Tasks by graphs", "graphs", stats.task_sizes, len(stats.task_sizes)))
    found.append(_counts("Operators in distinct structures", "operator", stats.op_frequency, top))
    for length, patterns in stats.patterns.items():
        found.append(_counts(f"Most frequent runs of {length} operators", "operators", patterns, top))
    found.append(_counts("Most frequent whole sequences", "operators", stats.sequences, top))
    found += _capture(stats.capture, top) if stats.capture is not None else []
    return [table for table in found if table[2]]


def _counts(title: str, name: str, counts: Mapping[str, int], top: int) -> Table:
    shown = list(counts.items())[:top]
    heading = title if len(counts) <= top else f"{title} (first {top} of {len(counts)})"
    return heading, (name, "count"), [(_cut(key), str(count)) for key, count in shown]


def _capture(capture: CaptureStats, top: int) -> list[Table]:
    words = ("tried", "captured", "failed")
    found: list[Table] = [
        (f"Models by {name}", (name, *words), [(key, *(str(row[word]) for word in words)) for key, row in rows.items()])
        for name, rows in (("library", capture.libraries), ("domain", capture.domains))
    ]
    gates = [
        (name, *(str(row[word]) for word in ("passed", "failed", "skipped"))) for name, row in capture.gates.items()
    ]
    found.append(("Quality gates, graphs", ("gate", "passed", "failed", "skipped"), gates))
    found.append(_counts("Captured models by method", "method", capture.methods, top))
    found.append(_counts("Failed models by stage", "stage", capture.stages, top))
    found.append(_counts("Failed models by reason", "reason", capture.reasons, top))
    rows: list[tuple[str, ...]] = [
        (item.library, item.model, item.stage, _cut(item.reason)) for item in capture.failures[:top]
    ]
    found.append((_first("Failed models", len(capture.failures), top), ("library", "model", "stage", "reason"), rows))
    return found


def _first(title: str, total: int, top: int) -> str:
    return title if total <= top else f"{title} (first {top} of {total})"


def _cut(words: str) -> str:
    return words if len(words) <= _SEQUENCE_WIDTH else words[: _SEQUENCE_WIDTH - 3] + "..."


def _aligned(title: str, columns: Sequence[str], rows: Iterable[tuple[str, ...]]) -> str:
    rows = [tuple(map(one_line, row)) for row in rows]
    widths = [max(len(row[place]) for row in (tuple(columns), *rows)) for place in range(len(columns))]
    numeric = [all(row[place].isdecimal() for row in rows) for place in range(len(columns))]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(cells, widths, numeric, strict=True)
        ]
        return "  " + "  ".join(padded).rstrip()

    return "\n".join([title, line(columns), *(line(row) for row in rows)])
