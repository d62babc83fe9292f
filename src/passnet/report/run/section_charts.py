"""Charts and counts of the page that need no script: curves, speedups, outcomes, findings, A/A noise, authors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from passnet.authored import one_line
from passnet.report.charts import Chart
from passnet.report.plots import COLOURS, lines, ranked, shares, violins
from passnet.report.run.episodes import costs, mean_course, tools_used
from passnet.report.run.figures import FASTER, SLOWER, TIE, speeds_by, verdict
from passnet.report.run.names import shown_name
from passnet.report.run.sections import Grid, RunView, of_runs
from passnet.report.traits import UNKNOWN, Traits
from passnet.score import OUTCOME_RULES, Outcome

_MOST_INCIDENTS: Final = 100
# A verdict, and its class among ranked bars.
_RANKS: Final = {FASTER: "faster", TIE: "tie", SLOWER: "slower"}
_WORST: Final = tuple(outcome.value for outcome in Outcome)
# Classes of colour: right, wrong values, wrong form, did not run, nothing done, cheating, nobody's verdict.
OUTCOME_CLASSES: Final = {
    "correct": "o-right", "accuracy": "o-wrong", "dtype_mismatch": "o-form", "shape_mismatch": "o-form2",
    "nan_inf": "o-wrong2", "runtime_error": "o-crash", "compile_error": "o-crash2", "timeout": "o-crash3",
    "no_match": "o-none", "integrity": "o-cheat", "unstable": "o-void", "reference_error": "o-void2",
    "out_of_memory": "o-void3", "infrastructure": "o-void4",
}  # fmt: skip


def curve_charts(views: Sequence[RunView]) -> list[Chart]:
    """ES(t) and S(t) of all runs, and the share of graphs that are right at each level."""
    named = {view.run.name: view.figures for view in views if view.figures.es}
    colours = _colours(views)
    if not named:
        return []
    es = {name: sorted(f.es.items()) for name, f in named.items()}
    s = {name: sorted(f.s.items()) for name, f in named.items()}
    right = {name: [(t, 100 * share) for t, share in sorted(f.right_at.items())] for name, f in named.items()}
    return [
        Chart.of(
            lines(
                "ES(t): error-aware speedup by tolerance",
                es,
                x="tolerance level t",
                y="ES(t)",
                log=True,
                colours=colours,
            ),
            "es",
        ),
        Chart.of(
            lines("S(t): speedup by tolerance", s, x="tolerance level t", y="S(t)", log=True, colours=colours), "s"
        ),
        Chart.of(
            lines("Graphs that are right at level t", right, x="tolerance level t", y="% of graphs", colours=colours),
            "right",
        ),
    ]


def _colours(views: Sequence[RunView]) -> dict[str, int]:
    return {view.run.name: view.number for view in views}


def speed_charts(views: Sequence[RunView]) -> list[Chart]:
    """Ranked speedups of each run, and their distribution by whatever tells graphs apart."""
    charts = []
    for view in views[:COLOURS]:
        rows = [
            (record.timing.speedup, _RANKS[verdict(record)])
            for record in view.run.records
            if record.timing is not None and record.outcome is Outcome.CORRECT
        ]
        if rows:
            title = f"Speedups of right graphs{_of(view, views)}"
            charts.append(Chart.of(ranked(title, rows), f"ranked-{view.number}"))
    groups = {view.run.name: speeds_by(view.run.records, _traits(view), "dtype") for view in views}
    everything = {name: [s for values in found.values() for s in values] for name, found in groups.items()}
    if len(views) > 1 and any(everything.values()):
        charts.append(Chart.of(violins("Speedups by run", everything), "by-run"))
    for view in views[:COLOURS]:
        charts += list(_trait_charts(view, _of(view, views)))
    return charts


def _of(view: RunView, views: Sequence[RunView]) -> str:
    """The end of a title that says of which run a chart is, where there are several."""
    return f": {view.run.name}" if len(views) > 1 else ""


def _traits(view: RunView) -> list[Traits]:
    return [view.sources.traits(record) for record in view.run.records]


def _trait_charts(view: RunView, of: str) -> Iterator[Chart]:
    traits = _traits(view)
    for name in ("dtype", "kind", "domain", "regime"):
        found = speeds_by(view.run.records, traits, name)
        known = {value: speeds for value, speeds in found.items() if value != UNKNOWN}
        if len(known) > 1:
            yield Chart.of(violins(f"Speedups by {name}{of}", found), f"{name}-{view.number}")


def outcome_charts(views: Sequence[RunView]) -> list[Chart]:
    rows = {view.run.name: dict(view.figures.outcomes) for view in views if view.figures.graphs}
    if not rows:
        return []
    return [Chart.of(shares("Outcomes of graphs", rows, OUTCOME_CLASSES, "graphs"), "outcomes")]


def outcome_grid(views: Sequence[RunView]) -> Grid:
    """How many graphs ended as what, and whose failure it is."""
    used = [name for name in _WORST if any(view.figures.outcomes.get(name) for view in views)]
    rows = []
    for name in used:
        owner = OUTCOME_RULES[Outcome(name)].owner.value if name != Outcome.CORRECT else "none"
        rows.append([name, owner, *(str(view.figures.outcomes.get(name, 0)) for view in views)])
    return Grid("Outcomes", ["outcome", "owner of the failure", *(view.run.name for view in views)], rows)


def finding_grid(views: Sequence[RunView]) -> Grid:
    """Integrity findings by layer and class."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for view in views:
        for record in view.run.records:
            for finding in record.findings:
                counts[(one_line(finding.layer)[:80], one_line(finding.exploit)[:80], view.run.name)] += 1
    kinds = dict.fromkeys((layer, kind) for layer, kind, _ in counts)
    rows = [[layer, kind, *(str(counts[layer, kind, view.run.name]) for view in views)] for layer, kind in kinds]
    note = "" if rows else "No integrity finding in any record."
    return Grid("Integrity findings by layer", ["layer", "class", *(view.run.name for view in views)], rows, note)


def control_charts(views: Sequence[RunView]) -> tuple[list[Chart], Grid]:
    """Eager against eager: how far from 1 the clock itself was."""
    ratios = {
        view.run.name: [
            record.timing.control_ratio
            for record in view.run.records
            if record.timing is not None and record.timing.control_ratio is not None
        ]
        for view in views
    }
    known = {name: sorted(values) for name, values in ratios.items() if values}
    rows = [
        [name, str(len(v)), f"{v[len(v) // 2]:.4f}", f"{v[round(0.025 * (len(v) - 1))]:.4f}",
         f"{v[round(0.975 * (len(v) - 1))]:.4f}", f"{100 * sum(abs(x - 1) <= 0.01 for x in v) / len(v):.0f} %"]
        for name, v in known.items()
    ]  # fmt: skip
    columns = ["run", "graphs", "median", "2.5 %", "97.5 %", "within 1 % of 1"]
    grid = of_runs(Grid("Eager against eager", columns, rows), views)
    charts = [Chart.of(violins("Eager against eager", known, "ratio of eager to eager"), "aa")] if known else []
    return charts, grid


def author_charts(views: Sequence[RunView]) -> list[Chart]:
    """Best score so far by step, and by the number of attempts."""
    playing = [view for view in views if view.episodes]
    course = {view.run.name: mean_course(view.episodes) for view in playing}
    charts, colours = [], _colours(views)
    if any(course.values()):
        charts.append(
            Chart.of(
                lines("Best AS so far, mean over episodes", course, x="step", y="AS", steps=True, colours=colours),
                "course",
            )
        )
    by_k = {view.run.name: [(k + 1, row[0]) for k, row in enumerate(view.at_k.best)] for view in playing}
    if any(len(points) > 1 for points in by_k.values()):
        charts.append(
            Chart.of(lines("Expected best of k attempts", by_k, x="attempts k", y="AS", colours=colours), "best-at-k")
        )
    return charts


def author_grid(views: Sequence[RunView]) -> Grid:
    """What the episodes of each run cost and brought."""
    rows = []
    for view in (view for view in views if view.episodes):
        spent, k = costs(view.episodes), view.at_k
        last = len(k.best)
        best = (
            f"{k.best[-1][0]:.3f} [{k.best[-1][1]:.3f}, {k.best[-1][2]:.3f}] (k = {last}, {k.tasks} tasks)"
            if last
            else "-"
        )
        cost = spent["cost_usd"]
        rows.append([
            view.run.name, f"{spent['finished']:.0f} of {spent['episodes']:.0f}", best,
            f"{100 * k.passed[-1]:.0f} %" if k.passed else "-", f"{spent['steps']:,.0f}",
            f"{spent['evaluations']:,.0f}",
            f"{spent['tokens']:,.0f}", "unknown" if cost is None else f"{cost:.2f}", f"{spent['hours']:.2f}",
        ])  # fmt: skip
    columns = ["run", "episodes finished", "best@k", "pass@k", "steps", "evaluations", "tokens", "cost, USD", "hours"]
    note = "The mean over tasks starts at 0.1, the worth of a task without passes."
    return of_runs(Grid("What it cost", columns, rows, note), views)


def tool_grid(views: Sequence[RunView]) -> Grid:
    used = {view.run.name: tools_used(view.run) for view in views if view.episodes}
    names = dict.fromkeys(name for counts in used.values() for name, _ in counts.most_common())
    rows = [[name, *(str(counts[name]) for counts in used.values())] for name in names]
    return Grid("Calls by tool", ["tool", *used], rows, folded=True)


def ending_grid(views: Sequence[RunView]) -> Grid:
    used = {v.run.name: Counter(episode.exit_reason for episode in v.episodes) for v in views if v.episodes}
    names = dict.fromkeys(name for counts in used.values() for name, _ in counts.most_common())
    rows = [[name, *(str(counts[name]) for counts in used.values())] for name in names]
    return Grid("How episodes ended", ["ended by", *used], rows)


def incident_grid(views: Sequence[RunView]) -> Grid:
    """What was tried again because the machine failed."""
    rows = [
        [shown_name(one.task), shown_name(one.graph), view.run.name, str(one.attempt), one_line(one.reason)[:200]]
        for view in views
        for one in view.run.incidents[:_MOST_INCIDENTS]
    ]
    columns = ["task", "graph", "run", "attempt", "reason"]
    return of_runs(Grid("Tried again after the machine failed", columns, rows, folded=True, numeric=False), views)
