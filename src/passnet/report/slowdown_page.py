"""The page of a slowdown: on how many graphs a compiler loses to eager, in which convention, on what, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from passnet.bench.record.conventions import by_regime
from passnet.diagnose.losses import CONVENTIONS, REASONS, LossRow, Slowdown, shares
from passnet.report.charts import bars, stacked
from passnet.report.page import Page, PageSection, PageTable, write
from passnet.report.run.sections import REGIME_ROWS, mean_text

_TOP = 25
_SHOWN = 500
_GROUPS = {
    "by_kind": "kind of graph",
    "by_regime": "regime on this device",
    "by_operators": "number of operators",
    "by_eager_time": "time of eager",
}


def write_slowdown_page(found: Slowdown, path: Path) -> Path:
    """Write the page as one HTML file. Errors: `UsageError` when it cannot be written."""
    return write(slowdown_page(found), path)


def slowdown_page(found: Slowdown) -> Page:
    """The page of a slowdown's figures."""
    whole = shares(found.timed)
    return Page(
        title=f"Where {found.compiler} loses on {found.device}",
        lead="Each graph is timed against eager: through torch.compile (deployed), and by the compiled program alone "
        "(direct). Device times are known on a GPU only.",
        figures=[
            (str(len(found.timed)), "graphs with figures"),
            *((_percent(whole[name]), f"slower than eager, {name}") for name in CONVENTIONS),
        ],
        sections=[_groups(found), _reasons(found), _losses(found)],
    )


def _groups(found: Slowdown) -> PageSection:
    groups = found.groups()
    charts = [
        stacked(
            f"Graphs by {words}: slower as deployed, and the others",
            {word: _split(rows) for word, rows in groups[name].items()},
            series=("slower", "not slower"),
            key=name.replace("_", "-"),
        )
        for name, words in _GROUPS.items()
        if groups[name]
    ]
    columns = ("group", "graphs", *(f"slower, {name}" for name in CONVENTIONS))
    tables = [PageTable(f"By {words}", columns, _rows(groups[name])) for name, words in _GROUPS.items() if groups[name]]
    return PageSection("By kind, regime and size", charts=charts, tables=[_speedups(found), *tables])


def _speedups(found: Slowdown) -> PageTable:
    """The geometric means by convention and regime. A regime without graphs is left out."""
    groups = {name: group for name, group in by_regime(found.measured).items() if group.graphs}
    columns = ("speedup of right graphs", *(f"{name} ({group.graphs})" for name, group in groups.items()))
    rows = [
        (words, *(mean_text(group, name, share=share) for group in groups.values()))
        for name, words, share in REGIME_ROWS
    ]
    return PageTable("Geometric means by convention and regime", columns, rows)


def _rows(groups: Mapping[str, Sequence[LossRow]]) -> list[tuple[str, ...]]:
    found = {word: shares(rows) for word, rows in groups.items()}
    return [
        (word, str(share["graphs"]), *(_percent(share[name]) for name in CONVENTIONS)) for word, share in found.items()
    ]


def _split(rows: Sequence[LossRow]) -> tuple[int, int]:
    slower = sum(row.deployed is not None and row.deployed < 1.0 for row in rows)
    return slower, len(rows) - slower


def _reasons(found: Slowdown) -> PageSection:
    counts = {word: sum(row.why == word for row in found.timed) for word in REASONS}
    lead = (
        "The largest part of each loss. Guards and wrapper: what a call through torch.compile takes more than the "
        "compiled program alone. Kernels: what the device works longer. Launches: the rest. Without device times, "
        "launches and kernels cannot be told apart."
    )
    return PageSection(
        "What the time is lost on", lead, charts=[bars("Slower graphs", counts, unit="graphs", key="why")]
    )


def _losses(found: Slowdown) -> PageSection:
    losing = [row for row in found.timed if (row.loss_us or 0.0) > 0]
    charts = []
    if losing:
        nanoseconds = {row.graph: round((row.loss_us or 0.0) * 1e3) for row in losing[:_TOP]}
        charts = [bars("Largest losses as deployed, at all places", nanoseconds, unit="ns", key="losses")]
    columns = (
        "graph", "kind", "operators", "places", "outcome", "eager us", "direct us", "deployed us", "loss us", "why",
    )  # fmt: skip
    table = PageTable("All graphs, the largest losses first", columns, [_row(row) for row in found.rows[:_SHOWN]])
    return PageSection("Where it is lost", charts=charts, tables=[table])


def _row(row: LossRow) -> tuple[str, ...]:
    times = (row.eager_us, row.compiled_us, row.deployed_us, row.loss_us)
    figures = ("-" if value is None else f"{value:.1f}" for value in times)
    return (row.graph, row.kind, str(len(row.ops)), str(row.places), row.outcome, *figures, row.why or "-")


def _percent(share: float | int | None) -> str:
    return "not known" if share is None else f"{100 * share:.0f} %"
