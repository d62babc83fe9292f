"""The tables of the page as data: columns with their kinds, and rows of plain values. The page's script shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from passnet.bench.record.conventions import CONVENTIONS, convention_of
from passnet.bench.record.records import GraphRecord
from passnet.report.run.episodes import EpisodeFigures
from passnet.report.run.figures import task_scores, verdict
from passnet.report.run.names import short_names, shown_name
from passnet.report.run.reading import RunData
from passnet.report.run.reasons import reason
from passnet.report.run.sources import RunSources

ColumnKind = Literal["text", "number", "percent", "interval", "outcome", "task", "graph", "episode", "words"]
Row = list[object]
# Beyond this many runs a table of tasks shows AS alone for each.
_WIDE = 4
_WHY = 200
_OF_BOUND = "the least time of the graph's work in the device's memory / the candidate's; above 100 % a cache holds it"
# The words of a verdict, the worst first.
_VERDICTS = ("cheats", "not right", "slower", "tie", "faster")


@dataclass(frozen=True)
class Column:
    """`filter`: the page offers its values to choose from. `hint`: what it says, in a few words."""

    key: str
    label: str
    kind: ColumnKind = "text"
    digits: int = 2
    filter: bool = False
    hint: str = ""


@dataclass(frozen=True)
class DataTable:
    """One table. `sort`: the column by which it is sorted at first, with - for falling."""

    id: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    sort: str

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "caption": self.caption,
            "columns": [asdict(column) for column in self.columns],
            "rows": list(self.rows),
            "sort": self.sort,
        }


def graph_table(sources: Sequence[RunSources]) -> DataTable:
    """A row for each graph of each run."""
    records = [record for found in sources for record in found.run.records]
    shown = [name for name in CONVENTIONS if name != "direct" and any(convention_of(r, name) for r in records)]
    columns = [
        *([Column("run", "run", filter=True)] if len(sources) > 1 else []),
        Column("task", "task", "task"),
        Column("graph", "graph", "graph"),
        Column("outcome", "outcome", "outcome", filter=True),
        Column("verdict", "verdict", filter=True, hint="by the whole interval: faster, slower, or a tie"),
        Column("speedup", "speedup", "number", 3, hint="direct: eager time / compiled time"),
        Column("interval", "95 % interval", "interval", 3),
        Column("why", "why", "words", hint="why it fails or is slower"),
        Column("scored", "scored at", filter=True, hint="low: the interval is wide, so the speedup is its lower end"),
        *(Column(name, name, "number", 3, hint=f"speedup, {name}") for name in shown),
        Column("eager", "eager us", "number", 1),
        Column("compiled", "compiled us", "number", 1),
        Column("bound", "of the bound", "percent", 0, hint=_OF_BOUND),
        Column("eager_bound", "eager of it", "percent", 0, hint="the least time of the graph's work / eager's"),
        Column("t", "right from t", "number", 0, hint="smallest tolerance level at which every output is right"),
        Column("solved", "solved", filter=True),
        Column("dtype", "dtype", filter=True),
        Column("kind", "kind", filter=True),
        Column("domain", "domain", filter=True),
        Column("regime", "regime", filter=True, hint="what limits eager on the device"),
        Column("control", "A/A", "number", 3, hint="eager against eager; should be 1"),
        Column("seconds", "seconds", "number", 1, hint="time to judge it"),
    ]
    names = _names_by_task(records)
    rows = [row for found in sources for row in _graph_rows(found, names, len(sources) > 1, shown)]
    return DataTable("graphs", "Graphs", *_without_constant(columns, rows), "task")


def _graph_rows(
    sources: RunSources, names: Mapping[str, Mapping[str, str]], several: bool, shown: Sequence[str]
) -> list[Row]:
    rows: list[Row] = []
    for record in sources.run.records:
        timing, traits = record.timing, sources.traits(record)
        rows.append(
            [
                *([sources.run.name] if several else []),
                shown_name(record.task),
                names[record.task][record.graph],
                record.outcome.value,
                verdict(record),
                timing.speedup if timing else None,
                list(timing.speedup_ci) if timing else None,
                reason(record)[:_WHY] or None,
                timing.scored_at if timing else "-",
                *(convention_of(record, name) for name in shown),
                timing.eager_us if timing else None,
                timing.compiled_us if timing else None,
                *reversed(record.bound_shares),
                record.correct_at,
                _yes(record.solution[0]),
                traits.dtype,
                traits.kind,
                traits.domain,
                traits.regime,
                timing.control_ratio if timing else None,
                record.seconds,
            ]
        )
    return rows


def _without_constant(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[list[Column], list[Row]]:
    """Columns that say nothing are left out: filters with one value, and figures that no row has."""

    def speaks(place: int, column: Column) -> bool:
        values = {str(row[place]) for row in rows}
        return len(values) > 1 or not (column.filter or values <= {"None"}) or column.kind == "outcome"

    kept = [place for place, column in enumerate(columns) if speaks(place, column)]
    return [columns[place] for place in kept], [[row[place] for place in kept] for row in rows]


def _names_by_task(records: Sequence[GraphRecord]) -> dict[str, dict[str, str]]:
    tasks: dict[str, list[str]] = {}
    for record in records:
        tasks.setdefault(record.task, []).append(record.graph)
    return {task: short_names(names) for task, names in tasks.items()}


def _yes(value: bool | None) -> str:
    return "unknown" if value is None else "yes" if value else "no"


def task_table(sources: Sequence[RunSources]) -> DataTable:
    """A row for each task, with the scores of each run."""
    scores = [task_scores(found.run.records) for found in sources]
    tasks = dict.fromkeys(record.task for found in sources for record in found.run.records)
    traits = {record.task: found.traits(record) for found in reversed(sources) for record in found.run.records}
    columns = [
        Column("task", "task", "task"),
        Column("graphs", "graphs", "number", 0),
        *(column for found in sources for column in _score_columns(found.run, len(sources))),
        Column("worst", "its worst graph", filter=True, hint="of all runs that are shown here"),
        Column("kind", "kind", filter=True),
        Column("domain", "domain", filter=True),
        Column("library", "library", filter=True),
    ]
    rows: list[Row] = []
    for task in tasks:
        row: Row = [shown_name(task), max(score[task]["graphs"] for score in scores if task in score)]
        for score in scores:
            row += _score_cells(score.get(task), len(sources))
        verdicts = {verdict(record) for found in sources for record in found.run.by_task.get(task, ())}
        worst = next((word for word in _VERDICTS if word in verdicts), "not judged")
        rows.append([*row, worst, traits[task].kind, traits[task].domain, traits[task].library])
    return DataTable("tasks", "Tasks", *_without_constant(columns, rows), "task")


def _score_columns(run: RunData, runs: int) -> list[Column]:
    of = f" {run.name}" if runs > 1 else ""
    columns = [Column(f"AS {run.name}", f"AS{of}", "number", 3, hint=f"aggregated score of the task, {run.what}")]
    if runs <= _WIDE:
        columns.append(
            Column(f"speedup {run.name}", f"speedup{of}", "number", 2, hint="geometric mean of right graphs")
        )
        columns.append(
            Column(
                f"correct {run.name}", f"correct{of}", "percent", 0, hint="share of right graphs, of those that count"
            )
        )
    if runs == 1:
        columns.append(Column("solved", "solved", "percent", 0, hint="share of graphs that are surely faster"))
    return columns


def _score_cells(score: Mapping[str, Any] | None, runs: int) -> list[object]:
    if score is None:
        return [None] * (1 + 2 * (runs <= _WIDE) + (runs == 1))
    cells = [score["AS"]]
    if runs <= _WIDE:
        cells += [score["speedup"], score["correct"] / score["scored"] if score["scored"] else None]
    return [*cells, score["solved"]] if runs == 1 else cells


def episode_table(found: Sequence[tuple[RunData, Sequence[EpisodeFigures]]]) -> DataTable:
    """A row for each episode of each run."""
    several = len(found) > 1
    columns = [
        *([Column("run", "run", filter=True)] if several else []),
        Column("episode", "episode", "episode"),
        Column("task", "task", "task"),
        Column("attempt", "attempt", "number", 0),
        Column("AS", "AS", "number", 3, hint="the score that counts"),
        Column("first", "first AS", "number", 3, hint="of the first full evaluation"),
        Column("best", "best step", "number", 0),
        Column("steps", "steps", "number", 0),
        Column("evaluations", "evaluations", "number", 0),
        Column("tokens", "tokens", "number", 0),
        Column("cost", "cost USD", "number", 4),
        Column("minutes", "minutes", "number", 1),
        Column("end", "ended by", filter=True),
    ]
    rows: list[Row] = [
        [
            *([run.name] if several else []),
            one.key,
            one.task,
            one.attempt,
            one.score,
            one.first_score,
            one.best_step,
            one.steps,
            one.evaluations,
            one.tokens,
            one.cost_usd,
            one.seconds / 60,
            one.exit_reason,
        ]
        for run, episodes in found
        for one in episodes
    ]
    return DataTable("episodes", "Episodes", columns, rows, "task")
