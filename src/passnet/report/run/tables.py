"""The tables of the page as data: columns with their kinds, and rows of plain values. The page's script shows them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from passnet.bench.record.conventions import CONVENTIONS
from passnet.bench.record.records import GraphRecord
from passnet.report.run.caution import CARE, care_of
from passnet.report.run.episodes import EpisodeFigures
from passnet.report.run.figures import FASTER, SLOWER, TIE, task_scores, verdict
from passnet.report.run.lost import BELOW, PARTLY, UNSCORED, WAYS, column_of, lost_by, task_means
from passnet.report.run.measured import AT_MOST, shares_of, speed_of, unresolved
from passnet.report.run.names import short_names, shown_name
from passnet.report.run.reading import RunData
from passnet.report.run.reasons import reason
from passnet.report.run.sources import RunSources
from passnet.report.run.why import task_reason
from passnet.score import OUTCOME_RULES, Outcome, Owner

ColumnKind = Literal["text", "number", "percent", "interval", "outcome", "task", "graph", "episode", "words", "flags"]
Row = list[object]
# Beyond this many runs a table of tasks shows AS alone for each.
_WIDE = 4
_OF_BOUND = "the least time of the graph's work in the device's memory / the candidate's; above 100 % a cache holds it"
# The words of a right graph, the worst first.
_VERDICTS = (SLOWER, TIE, FASTER)
_LOSES = "slower: the geometric mean of the task's right graphs is below 1, by this way of calling"
_RIGHT_ONLY = "geometric mean of right graphs; failing ones are not in it, but in AS"
_SURELY = "by the whole interval; a tie: it holds 1"
_DEVICE = f"speedup, device; {AT_MOST}: the device time is too little to resolve"


@dataclass(frozen=True)
class Column:
    """`filter`: the page offers its values to choose from. `hint`: what it says, in a few words.

    `optional`: hidden until it is chosen. `rising`: the first click sorts from the smallest value up.
    """

    key: str
    label: str
    kind: ColumnKind = "text"
    digits: int = 2
    filter: bool = False
    hint: str = ""
    optional: bool = False
    rising: bool = False


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
    """A row for each graph of each run, those of the tasks with the lowest scores first."""
    records = [record for found in sources for record in found.run.records]
    shown = [name for name in CONVENTIONS if name != "direct" and any(speed_of(r, name) for r in records)]
    more = [
        Column("AS", "AS of its task", "number", 3, rising=True),
        Column("scored", "scored at", filter=True, hint="low: the interval is wide, so the speedup is its lower end"),
        *(Column(name, name, "number", 3, hint=_DEVICE if name == "device" else f"speedup, {name}") for name in shown),
        Column("eager", "eager us", "number", 1),
        Column("compiled", "compiled us", "number", 1),
        Column("bound", "of the bound", "percent", 0, hint=_OF_BOUND),
        Column("eager_bound", "eager of it", "percent", 0, hint="the least time of the graph's work / eager's"),
        Column("t", "right from t", "number", 0, hint="smallest tolerance level at which every output is right"),
        Column("solved", "solved", filter=True),
        Column("dtype", "dtype", filter=True),
        Column("kind", "kind", filter=True),
        Column("domain", "domain", filter=True),
        Column("regime", "regime", filter=True, hint="what limits eager on the device, or why nobody knows"),
        Column(CARE, "with care", "flags", filter=True, hint="why to read its figures with care"),
        Column("control", "A/A", "number", 3, hint="eager against eager; should be 1"),
        Column("seconds", "seconds", "number", 1, hint="time to judge it"),
    ]
    columns = [
        Column("task", "task", "task"),
        *([Column("run", "run", filter=True)] if len(sources) > 1 else []),
        Column("graph", "graph", "graph"),
        Column("speedup", "speedup", "number", 3, hint="direct: eager time / compiled time"),
        Column("why", "why", "words", hint="why it fails, is slower or ties"),
        Column("outcome", "outcome", "outcome", filter=True),
        Column("verdict", "verdict", filter=True, hint=_SURELY),
        Column("interval", "95 % interval", "interval", 3),
        *(replace(column, optional=True) for column in more),
    ]
    names = _names_by_task(records)
    rows = [row for found in sources for row in _graph_rows(found, names, len(sources) > 1, shown)]
    rows.sort(key=lambda row: str(row[0]))
    return DataTable("graphs", "Graphs", *_without_constant(columns, rows), "AS")


def _graph_rows(
    sources: RunSources, names: Mapping[str, Mapping[str, str]], several: bool, shown: Sequence[str]
) -> list[Row]:
    rows: list[Row] = []
    scores = task_scores(sources.run.records)
    for record in sources.run.records:
        timing, traits = record.timing, sources.traits(record)
        rows.append(
            [
                shown_name(record.task),
                *([sources.run.name] if several else []),
                names[record.task][record.graph],
                timing.speedup if timing else None,
                reason(record, sources.run.fp64_factor) or None,
                record.outcome.value,
                verdict(record),
                list(timing.speedup_ci) if timing else None,
                scores[record.task]["AS"],
                timing.scored_at if timing else "-",
                *(shown_speed(record, name) for name in shown),
                timing.eager_us if timing else None,
                timing.compiled_us if timing else None,
                *reversed(shares_of(record)),
                record.correct_at,
                _yes(record.solution[0]),
                traits.dtype,
                traits.kind,
                traits.domain,
                traits.regime,
                care_of(record),
                timing.control_ratio if timing else None,
                record.seconds,
            ]
        )
    return rows


def shown_speed(record: GraphRecord, name: str) -> float | str | None:
    """The speedup by a way of calling, or the words for a device time that cannot be resolved."""
    return AT_MOST if name == "device" and unresolved(record.timing) else speed_of(record, name)


def _without_constant(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[list[Column], list[Row]]:
    """Columns that say nothing are left out: filters with one value, and figures that no row has."""

    def speaks(place: int, column: Column) -> bool:
        values = {str(row[place]) for row in rows}
        if column.kind == "flags":
            return values != {"[]"}
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
    """A row for each task, with the scores of each run, the lowest first."""
    scores = [task_scores(found.run.records) for found in sources]
    tasks = dict.fromkeys(record.task for found in sources for record in found.run.records)
    traits = {record.task: found.traits(record) for found in reversed(sources) for record in found.run.records}
    lost = [lost_by(found.run) for found in sources]
    ways = [(found, way, task_means(found.run, way)) for found in sources for way in WAYS if way != "direct"]
    columns = [
        Column("task", "task", "task"),
        *(_score_column(found.run, len(sources)) for found in sources),
        Column("why", "why", "words", hint="what became of the graphs, where some fail, are slower or tie"),
        Column("worst", "its worst graph", hint="how it failed, or how fast it is; of all runs that are shown here"),
        *(column for found in sources for column in _other_columns(found.run, len(sources))),
        *(_losing_column(found.run, len(sources)) for found in sources),
        *(_way_column(found.run, way, len(sources)) for found, way, _ in ways),
        Column("graphs", "graphs", "number", 0, optional=True),
        Column("kind", "kind", filter=True, optional=True),
        Column("domain", "domain", filter=True, optional=True),
        Column("library", "library", filter=True, optional=True),
    ]
    rows: list[Row] = []
    for task in sorted(tasks):
        row: Row = [shown_name(task), *(score[task]["AS"] if task in score else None for score in scores)]
        row += [_whys(sources, lost, task)]
        row += [_worst([record for found in sources for record in found.run.by_task.get(task, ())])]
        for score in scores:
            row += _other_cells(score.get(task), len(sources))
        row += [words.get(task, []) for words in lost]
        row += [math.exp(means[task]) if task in means else None for _, _, means in ways]
        graphs = max(score[task]["graphs"] for score in scores if task in score)
        rows.append([*row, graphs, traits[task].kind, traits[task].domain, traits[task].library])
    return DataTable("tasks", "Tasks", *_without_constant(columns, rows), f"AS {sources[0].run.name}")


def _worst(records: Sequence[GraphRecord]) -> str:
    """How the worst graph failed, or its verdict if all are right. Failures that are not the candidate's come last."""
    failed = [record.outcome for record in records if record.outcome is not Outcome.CORRECT]
    ours = [outcome.value for outcome in failed if OUTCOME_RULES[outcome].owner is Owner.CANDIDATE]
    found = [Outcome.INTEGRITY.value] if Outcome.INTEGRITY in failed else ours
    verdicts = {verdict(record) for record in records}
    words = (*found, *(word for word in _VERDICTS if word in verdicts), *(outcome.value for outcome in failed))
    return words[0] if words else "not judged"


def _whys(sources: Sequence[RunSources], lost: Sequence[Mapping[str, Sequence[str]]], task: str) -> str | None:
    """Why a task loses, in each run in which it does."""
    losing = [
        found
        for found, words in zip(sources, lost, strict=True)
        if {BELOW, PARTLY, UNSCORED} & set(words.get(task, ()))
    ]
    several = len(sources) > 1
    return "; ".join(f"{f'{f.run.name}: ' if several else ''}{task_reason(f, task)}" for f in losing) or None


def _losing_column(run: RunData, runs: int) -> Column:
    label = f"loses{f' {run.name}' if runs > 1 else ''}"
    return Column(column_of(run), label, "flags", filter=True, hint=_LOSES, optional=True)


def _way_column(run: RunData, way: str, runs: int) -> Column:
    label = f"{way}{f' {run.name}' if runs > 1 else ''}"
    return Column(f"{way} {run.name}", label, "number", 3, hint=f"speedup, {way}: {_RIGHT_ONLY}", optional=True)


def _score_column(run: RunData, runs: int) -> Column:
    label = f"AS{f' {run.name}' if runs > 1 else ''}"
    return Column(f"AS {run.name}", label, "number", 3, hint=f"aggregated score, {run.what}", rising=True)


def _other_columns(run: RunData, runs: int) -> list[Column]:
    """What is shown of a task beside its score. With several runs it is hidden at first, as tables grow wide."""
    of = f" {run.name}" if runs > 1 else ""
    columns = []
    if runs <= _WIDE:
        columns.append(Column(f"speedup {run.name}", f"speedup{of}, right graphs", "number", 2, hint=_RIGHT_ONLY))
        columns.append(
            Column(
                f"correct {run.name}", f"correct{of}", "percent", 0, hint="share of right graphs, of those that count"
            )
        )
    if runs == 1:
        columns.append(Column("solved", "solved", "percent", 0, hint="share of graphs that are surely faster"))
    return [replace(column, optional=runs > 1) for column in columns]


def _other_cells(score: Mapping[str, Any] | None, runs: int) -> list[object]:
    if score is None:
        return [None] * (2 * (runs <= _WIDE) + (runs == 1))
    cells: list[object] = []
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
