"""Tables of the page that need no script: summary, conventions, groups, environment, protocol; and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from passnet.authored import one_line
from passnet.bench.record.conventions import EVERYTHING, SUMMARY, UNKNOWN, RegimeSummary
from passnet.bench.record.records import LEAST_BUSY_US
from passnet.bench.timing.captured import OTHER_OUTPUTS
from passnet.errors import counted
from passnet.graph.bundled import REGIMES
from passnet.report.charts import Chart
from passnet.report.run.episodes import AtK, EpisodeFigures
from passnet.report.run.figures import RunFigures, score_of
from passnet.report.run.names import shown_name
from passnet.report.run.reading import RunData, planned_tasks, protocol_rows, text_of
from passnet.report.run.sentences import Sentence, joined, rows_of
from passnet.report.run.sources import NOT_CAPTURED, NOT_TIMED, RunSources, why_not_captured
from passnet.report.run.units import in_units
from passnet.report.run.why import Why
from passnet.score import OUTCOME_RULES, Figure, Outcome

# Figure -> its words, whether it is a share, and what it says.
FIGURES: Final[Mapping[str, tuple[str, bool, str]]] = {
    "AS_gmean": (
        "AS",
        False,
        "aggregated score: geometric mean over graphs, tasks and tolerance levels t, of which -5 to -3 weigh 1 each, "
        "-2 to 3 from 0.8 down to 0.26, and the others 0.001; a graph counts its speedup from the t on at which it is "
        "right, and 0.1 before",
    ),
    "AS_solved_gmean": ("AS, ties floored", False, "the same, but a graph that is not solved counts as one that fails"),
    "solved": ("solved", True, "right, a kernel of the pass ran, and the whole interval is above 1.05"),
    "subgraph_correct": ("graphs right", True, "at t = -5, the tolerance asked for, of those that count"),
    "task_correct": ("tasks right", True, "tasks in which every graph is right"),
    "speedup_gmean": ("speedup", False, "geometric mean of right graphs, direct"),
    "fast_1_2": ("right and 1.2x", True, "right and at least 1.2 times as fast as eager"),
    "slower": ("slower than eager", True, "right, with a speedup below 1"),
}
REGIME_ROWS: Final = (
    *((name, name, False) for name in SUMMARY),
    ("eager_bound_share", "bound: eager", True),
    ("bound_share", "bound: candidate", True),
)
_CONVENTIONS: Final = {
    "direct": "Direct: the program alone, called from Python; this one is scored.",
    "deployed": "Deployed: behind its guard.",
    "captured": "Captured: in a CUDA graph.",
    "device": "Device: the device's work alone.",
    "cold": "Cold: on data that no cache holds.",
    "published": "Published: by Dynamo's dispatch in one process.",
}
_MOST_REASONS: Final = 5
_MOST_NAMED: Final = 5
_REGIME_NOTE: Final = (
    "Geometric means over right graphs that have the figure. Launch: the device works for less time than issuing "
    "eager's kernels takes. Work: at least three times that. Mixed: between. Bound: the least time that the graph's "
    "work needs on this device, over the time taken: device time, on a CPU the call's."
)


@dataclass(frozen=True)
class Grid:
    """A table of texts with a heading for each row.

    `numeric`: all cells but the first are set to the right. `hints`: what a heading means. `of_tasks`: the headings are
    tasks, and lead to their parts; `titles` says what they are. `id`: by which a folded table is linked.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    folded: bool = False
    numeric: bool = True
    hints: Mapping[str, str] = field(default_factory=dict)
    of_tasks: bool = False
    titles: Mapping[str, str] = field(default_factory=dict)
    id: str = ""


@dataclass(frozen=True)
class LosingTask:
    """A task that loses, with its score and what became of its graphs."""

    name: str
    title: str
    score: str
    whys: Sequence[Why]


@dataclass(frozen=True)
class LosingGroup:
    """Tasks that lose by the same. `more`: where the others are, if not all are shown."""

    id: str
    heading: str
    tasks: Sequence[LosingTask]
    more: Sentence = ()


@dataclass(frozen=True)
class LosingTable:
    """The tasks of a run that lose, in groups."""

    id: str
    title: str
    groups: Sequence[LosingGroup]


def of_runs(grid: Grid, views: Sequence[RunView]) -> Grid:
    """The table without its column of runs where the page has only one."""
    if len(views) > 1:
        return grid
    place = list(grid.columns).index("run")
    rows = [[cell for at, cell in enumerate(row) if at != place] for row in grid.rows]
    return replace(grid, columns=[name for name in grid.columns if name != "run"], rows=rows)


@dataclass(frozen=True)
class RunPart:
    """A section: its id and heading, sentences, a list of `points`, tables of losing tasks, grids and charts.

    `legend`: words of the section and what they mean.
    """

    id: str
    title: str
    lead: str = ""
    grids: Sequence[Grid] = ()
    charts: Sequence[Chart] = ()
    points: Sequence[Sentence] = ()
    losing: Sequence[LosingTable] = ()
    legend: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RunView:
    """One run with everything that was computed of it. `number`: its place in the page, and its colour."""

    number: int
    run: RunData
    sources: RunSources
    figures: RunFigures
    episodes: tuple[EpisodeFigures, ...]
    at_k: AtK

    @property
    def size(self) -> str:
        """In words: how much there is."""
        words = f"{counted(self.figures.graphs, 'graph')} of {counted(self.figures.tasks, 'task')}"
        return f"{words}, {counted(len(self.episodes), 'episode')}" if self.episodes else words


def missing(view: RunView, *, several: bool) -> list[Sentence]:
    """What a reader must know before believing the figures of a run. `several`: the page has other runs too."""
    notes = (*view.run.problems, *_unfinished(view), *_chosen(view.run))
    after = (*_replays(view), *_doubtful(view.run), *map(one_line, view.sources.problems))
    return [*([note] for note in notes), *_uncounted(view, several=several), *([note] for note in after)]


def _unfinished(view: RunView) -> Iterator[str]:
    run = view.run
    if view.figures.reason and run.records:
        yield f"there is no score: {view.figures.reason}"
    if not run.records:
        yield "no task is finished yet, so there is no score; the episodes are shown"
    on = f"the command with --run {run.path.name} goes on"
    left = view.sources.missing()
    if left:
        yield f"{counted(left, 'graph')} without a record yet: the run is unfinished; {on}"
    total, done = planned_tasks(run), len({record.task for record in run.records})
    if total is not None and done < total:
        yield f"{done} of {total} tasks are finished; {on}"
    unfinished = sum(not episode.finished for episode in view.episodes)
    if unfinished:
        yield f"{counted(unfinished, 'open episode')}; {on}"


def _chosen(run: RunData) -> Iterator[str]:
    """Figures that are the best of several."""
    attempts = run.settings.get("attempts")
    if run.is_agent and isinstance(attempts, int) and attempts > 1:
        yield f"of each task the best of {attempts} attempts counts, which is too high for one; best@k has the mean"
    chosen = sum(episode.chosen_by_its_figures for episode in run.episodes if not episode.seed)
    if chosen:
        yield (
            f"{counted(chosen, 'episode')} whose passes are the best of several by the figures of this page, without a "
            "confirming measurement: these figures are too high on average"
        )


def _uncounted(view: RunView, *, several: bool) -> Iterator[Sentence]:
    uncounted = view.figures.graphs - view.figures.scored
    if uncounted:
        names = {n: c for n, c in view.figures.outcomes.items() if OUTCOME_RULES[Outcome(n)].owner.value != "candidate"}
        run = {"run": view.run.name} if several else {}
        words = joined([rows_of(count, "graphs", outcome=name, **run), f" {name}"] for name, count in names.items())
        graphs = counted(uncounted, "graph")
        yield [f"{graphs} left out of the score, because the failure is not the candidate's: ", *words]


def _replays(view: RunView) -> Iterator[str]:
    """Graphs that a user of CUDA graphs must not capture."""
    other = [r for r in view.run.records if r.timing is not None and r.timing.not_captured == OTHER_OUTPUTS]
    if other:
        named = ", ".join(f"{shown_name(r.task)} {view.sources.labels(r.task)[r.graph]}" for r in other[:_MOST_NAMED])
        more = f" and {len(other) - _MOST_NAMED} more" if len(other) > _MOST_NAMED else ""
        yield f"{counted(len(other), 'graph', ('gives', 'give'))} other outputs replayed as a CUDA graph: {named}{more}"


def _doubtful(run: RunData) -> Iterator[str]:
    """Records that are not like the others, or not like those that the bench writes."""
    if len(run.protocols()) > 1:
        yield f"records of {len(run.protocols())} protocols are mixed; the score treats them alike"
    if run.records and not run.tamper_proof:
        count = sum(not record.tamper_proof for record in run.records)
        yield f"{count} of {len(run.records)} records are not tamper-proof (published protocol, or no sandbox)"
    if run.incidents:
        tried = len({(incident.task, incident.graph) for incident in run.incidents})
        yield f"{counted(tried, 'graph')} tried again after the machine failed"


def differences(views: Sequence[RunView]) -> list[str]:
    """Why runs of one page are not measured alike."""
    found = []
    for name in ("gpu", "cpu", "torch", "passnet", "revision"):
        values = {one_line(str(view.run.environment.get(name))) for view in views}
        if len(values) > 1:
            found.append(f"the runs differ in {name}: {', '.join(sorted(values))}")
    if len({view.run.device for view in views}) > 1:
        found.append("the runs were measured on different kinds of device; their speedups say little about each other")
    if len({tuple(sorted(view.run.protocols())) for view in views if view.run.records}) > 1:
        found.append("the runs were measured by different protocols; see the table of settings")
    tasks = [frozenset(record.task for record in view.run.records) for view in views]
    if len(set(tasks)) > 1:
        shared = frozenset.intersection(*tasks)
        found.append(f"the runs judge different tasks; {counted(len(shared), 'task')} in all of them")
    return found


def summary_grid(views: Sequence[RunView]) -> Grid:
    """The figures of all runs side by side."""
    rows = [
        [words, *(figure_text(view.figures.figures.get(name), share=share) for view in views)]
        for name, (words, share, _) in FIGURES.items()
    ]
    rows += _shared_row(views)
    rows.append(["graphs, of them counted", *(f"{v.figures.graphs}, {v.figures.scored}" for v in views)])
    rows.append(["tasks", *(str(view.figures.tasks) for view in views)])
    hints = {words: hint for words, _, hint in FIGURES.values()}
    note = "Brackets: 95 % intervals that resample tasks."
    if len(views) > 1:
        note += " Those of paired runs, in the sentences above, are Student's t over tasks, as in passnet compare."
    reasons = {view.figures.solved_reason for view in views if view.figures.solved_reason}
    if reasons:
        why = one_line("; ".join(sorted(reasons)))
        note += f" A dash at solved or at ties floored: the records cannot say it, because {why}."
    return Grid("Scores", ["figure", *(view.run.name for view in views)], rows, note, hints=hints)


def _shared_row(views: Sequence[RunView]) -> list[list[str]]:
    """AS over the tasks that all runs have, where they have different ones."""
    tasks = [frozenset(view.run.by_task) for view in views]
    shared = frozenset.intersection(*tasks)
    if len(set(tasks)) == 1 or not shared:
        return []
    found = (score_of([r for r in view.run.records if r.task in shared]).get("AS_gmean") for view in views)
    return [[f"AS over {counted(len(shared), 'shared task')}", *map(figure_text, found)]]


def figure_text(figure: Figure | None, *, share: bool = False) -> str:
    """A figure with its interval. A dash where there is none."""
    if figure is None or figure.value is None:
        return "-"
    factor, digits, unit = (100, 1, " %") if share else (1, 3, "")
    value = f"{factor * figure.value:.{digits}f}"
    if figure.low is None or figure.high is None:
        return f"{value}{unit}"
    return f"{value} [{factor * figure.low:.{digits}f}, {factor * figure.high:.{digits}f}]{unit}"


def named(view: RunView, views: Sequence[RunView]) -> str:
    """The beginning of a row's heading: the run, where the page has several. So figures stand right beside it."""
    return f"{view.run.name}: " if len(views) > 1 else ""


def convention_grid(views: Sequence[RunView]) -> Grid:
    """Speedups by the ways of calling that the records have."""
    rows = []
    for view in views:
        for row in view.figures.conventions:
            of = "" if row.known == row.right else f" ({row.known} of {row.right} right graphs)"
            figures = (
                figure_text(row.figures.get(n), share=n == "slower") for n in ("speedup_gmean", "AS_gmean", "slower")
            )
            rows.append([f"{named(view, views)}{row.name}{of}", *figures])
    shown = {row.name for view in views for row in view.figures.conventions}
    note = " ".join(words for name, words in _CONVENTIONS.items() if name in shown)
    columns = ["convention", "speedup", "AS", "slower than eager"]
    return Grid("By convention of calling", columns, rows, note + _unresolved(views))


def _unresolved(views: Sequence[RunView]) -> str:
    """How many graphs have no figure by device time because it is too short."""
    left = sum(view.figures.unresolved for view in views)
    if not left:
        return ""
    graphs = counted(left, "right graph", ("is", "are"))
    return f" {graphs} left out of device: a device time of at most {LEAST_BUSY_US:g} us is too little to resolve."


def regime_grid(views: Sequence[RunView]) -> Grid:
    """Speedups by convention, of all right graphs and by what limits eager, and the shares of the bound."""
    held = {name for view in views for name, group in view.figures.regimes.items() if group.graphs}
    known = held.intersection(REGIMES)
    shown = [name for name in (EVERYTHING, *REGIMES, UNKNOWN) if name in held] if known else [EVERYTHING]
    rows = [
        [f"{named(view, views)}{words}", *(mean_text(view.figures.regimes[g], name, share=share) for g in shown)]
        for view in views
        if view.figures.regimes[EVERYTHING].graphs
        for name, words, share in REGIME_ROWS
    ]
    for view in views:
        if view.figures.regimes[EVERYTHING].graphs:
            rows.append([f"{named(view, views)}right graphs", *(str(view.figures.regimes[g].graphs) for g in shown)])
    heads = [NOT_CAPTURED if name == UNKNOWN else name for name in shown]
    return Grid("By convention and regime", ["convention", *heads], rows, _REGIME_NOTE)


def mean_text(group: RegimeSummary, name: str, *, share: bool) -> str:
    """A mean with its interval, and of how many graphs it is where others lack the figure."""
    mean = group.means[name]
    if not mean.graphs:
        return "not measured" if group.graphs else "-"
    of = "" if mean.graphs == group.graphs else f" (of {mean.graphs})"
    return f"{figure_text(mean.figure, share=share)}{of}"


def group_grid(views: Sequence[RunView]) -> Grid:
    rows = [
        [
            view.run.name, f"{row.trait} {row.value}", str(row.graphs), figure_text(row.figures.get("AS_gmean")),
            figure_text(row.figures.get("speedup_gmean")), figure_text(row.figures.get("subgraph_correct"), share=True),
            figure_text(row.figures.get("slower"), share=True),
        ]
        for view in views
        for row in view.figures.groups
    ]  # fmt: skip
    columns = ["run", "group", "graphs", "AS", "speedup", "graphs right", "slower than eager"]
    traits = list(dict.fromkeys(row.trait for view in views for row in view.figures.groups))
    title = f"By {', '.join(traits[:-1])}{' and ' if traits[1:] else ''}{''.join(traits[-1:])}"
    return of_runs(Grid(title, columns, rows, _without_regime(views)), views)


def _without_regime(views: Sequence[RunView]) -> str:
    """Why graphs have no regime: the groups of these in words."""
    values = {row.value for view in views for row in view.figures.groups if row.trait == "regime"}
    said = f"{NOT_TIMED.capitalize()}: the graph failed before a time was measured." if NOT_TIMED in values else ""
    if NOT_CAPTURED not in values:
        return said
    reasons = Counter(why for view in views for record in view.run.records if (why := why_not_captured(record)))
    words = "; ".join(f"{count} because {why}" for why, count in reasons.most_common(_MOST_REASONS))
    return (
        f"{said} {NOT_CAPTURED.capitalize()}: no CUDA graph could be made, so nobody knows the regime: {words}.".strip()
    )


def environment_grid(views: Sequence[RunView]) -> Grid:
    """What the machines were, one row for each thing, with what was measured above."""
    names = dict.fromkeys(name for view in views for name in view.run.environment)
    head = [
        ["measured", *(view.run.what for view in views)],
        ["device", *(view.run.device for view in views)],
        ["integrity", *(integrity_level(view.run) for view in views)],
    ]
    rows = [
        [one_line(name)[:60], *(one_line(in_units(name, view.run.environment.get(name)))[:300] for view in views)]
        for name in names
        if name != "device"
    ]
    return Grid("Machine", ["what", *(view.run.name for view in views)], [*head, *rows], numeric=False)


def integrity_level(run: RunData) -> str:
    """In words: who could have changed the figures."""
    protocol = run.settings.get("protocol")
    settings: Mapping[str, Any] = protocol if isinstance(protocol, dict) else {}
    level = "tamper-proof" if run.tamper_proof else "not tamper-proof" if run.records else "nothing judged"
    preset = text_of(settings.get("preset"), "unknown protocol")
    said = settings.get("sandbox")
    sandbox = ("sandbox" if said else "no sandbox") if isinstance(said, bool) else "sandbox not recorded"
    return f"{level}: protocol {preset}, policy {text_of(settings.get('policy'), 'unknown')}, {sandbox}"


def protocol_grid(views: Sequence[RunView]) -> Grid:
    """All settings of the protocols; those that differ first."""
    found = [protocol_rows(view.run) for view in views]
    names = dict.fromkeys(name for rows in found for name in rows)
    rows = [[name, *(row.get(name, "-")[:200] for row in found)] for name in names]
    ordered = sorted(rows, key=lambda row: len(set(row[1:])) == 1)
    marked = [[f"{row[0]} (differs)" if len(set(row[1:])) > 1 else row[0], *row[1:]] for row in ordered]
    head = ["hash in the records", *(", ".join(view.run.protocols()) or "-" for view in views)]
    return Grid(
        "Protocol", ["setting", *(view.run.name for view in views)], [head, *marked], folded=True, numeric=False
    )
