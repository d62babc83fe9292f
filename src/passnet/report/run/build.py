"""The report of runs: reads them, computes everything once, and writes one HTML file, whole or not at all."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import passnet
from passnet.errors import counted
from passnet.graph.targets import Target
from passnet.report.page import template
from passnet.report.run import section_charts, sections
from passnet.report.run.caution import caution_grid, caution_note
from passnet.report.run.commands import run_commands
from passnet.report.run.data import page_data
from passnet.report.run.episodes import at_k, figures_of
from passnet.report.run.figures import run_figures
from passnet.report.run.losses import (
    against_eager,
    legend,
    losing_tables,
    losses_in_words,
    scores_in_words,
    worked_grid,
)
from passnet.report.run.paired import against_each_other
from passnet.report.run.payload import DEFAULT_BYTES, Blocks, script_json
from passnet.report.run.reading import RunData, read_runs
from passnet.report.run.sections import RunPart, RunView
from passnet.report.run.sentences import Sentence, of_run, plain
from passnet.report.run.sources import find_sources
from passnet.writing import refuse_file_of, write_atomic, writing

_HERE: Final = Path(__file__).parents[1] / "templates"
_SCRIPTS: Final = ("run_dom.js", "run_table.js", "run_task.js", "run_episode.js", "run_chart.js", "run_route.js")
_STYLE: Final = "run.css"


@dataclass(frozen=True)
class Written:
    """What was written. `missing`: what a reader must know of the runs and of the page, in sentences."""

    path: Path
    bytes: int
    runs: tuple[str, ...]
    missing: tuple[str, ...]


def write_report(
    paths: Sequence[Path],
    out: Path,
    *,
    root: Path,
    limit: int = DEFAULT_BYTES,
    say: Callable[[str], None] | None = None,
) -> Written:
    """Write the report of runs to `out`.  `root`: where their task paths count from. `limit`: bytes for long parts.

    Errors: `UsageError` for what is no run or holds nothing, and where `out` cannot be written. Then nothing is there.
    """
    tell = say or (lambda _: None)
    refuse_file_of(out, paths)
    runs = read_runs(paths)
    views: list[RunView] = []
    tasks: dict[Path, Sequence[Target]] = {}
    for number, run in enumerate(runs):
        tell(f"{run.name}: {counted(len(run.records), 'graph')}, {counted(len(run.episodes), 'episode')}")
        views.append(_view(number, run, root, tasks))
    tell("writing the page")
    text, notes = render(views, limit)
    with writing(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(out, text)
    return Written(out, len(text.encode()), tuple(view.run.name for view in views), tuple(notes))


def _view(number: int, run: RunData, root: Path, tasks: dict[Path, Sequence[Target]]) -> RunView:
    sources = find_sources(run, root, tasks)
    episodes = tuple(figures_of(run, episode) for episode in run.episodes)
    return RunView(number, run, sources, run_figures(sources), episodes, at_k(run, episodes))


def render(views: Sequence[RunView], limit: int = DEFAULT_BYTES) -> tuple[str, list[str]]:
    """The page, and what is missing in it."""
    blocks = Blocks(limit)
    data, left_out = page_data(views, blocks)
    several = len(views) > 1
    notes: list[Sentence] = [
        *(of_run(v.run.name, note, several=several) for v in views for note in sections.missing(v, several=several)),
        *([note] for note in left_out),
    ]
    style = (_HERE / _STYLE).read_text(encoding="utf-8").strip()
    script = "\n".join((_HERE / name).read_text(encoding="utf-8").strip() for name in _SCRIPTS)
    page = template("run.html").render(
        title=f"Runs: {', '.join(view.run.name for view in views)}" if several else f"Run {views[0].run.name}",
        views=views,
        version=passnet.__version__,
        notes=[*([words] for words in (sections.differences(views) if several else [])), *notes, *caution_note(views)],
        parts=_parts(views),
        commands=[(view.run.name, run_commands(view.run)) for view in views],
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
        data=script_json(data),
        blocks=blocks.found,
        tables=[table["id"] for table in data["tables"]],
    )
    return page, [plain(note) for note in notes]


def _hash(text: str) -> str:
    """The hash by which the page's policy admits exactly this script or style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _parts(views: Sequence[RunView]) -> list[RunPart]:
    """The sections in order. What has no content is left out."""
    judged = [view for view in views if view.run.records]
    parts = [*_judged_parts(judged)] if judged else []
    played = [view for view in views if view.episodes]
    if played:
        grids = [
            section_charts.author_grid(played),
            section_charts.ending_grid(played),
            section_charts.tool_grid(played),
        ]
        parts.append(RunPart("authors", "Authors", "", grids, section_charts.author_charts(played)))
    machine = [sections.environment_grid(views), sections.protocol_grid(views)]
    return [*parts, RunPart("environment", "Environment", "", machine)]


def _judged_parts(views: Sequence[RunView]) -> Iterator[RunPart]:
    grids = [
        sections.summary_grid(views),
        sections.convention_grid(views),
        sections.regime_grid(views),
        sections.group_grid(views),
    ]
    shown = [grid for grid in grids if grid.rows]
    points = [
        *scores_in_words(views),
        *([words] for words in against_each_other(views)),
        *losses_in_words(views),
        *against_eager(views),
    ]
    yield RunPart("summary", "Summary", "", [], points=points)
    losing = losing_tables(views)
    if losing:
        worked = [grid for grid in [worked_grid(views)] if grid is not None]
        yield RunPart("losses", "What loses, and why", "", worked, losing=losing, legend=legend(views))
    yield RunPart("figures", "Figures", "", [*shown, caution_grid(views)])
    lead = (
        "From t = -10, the strictest level, to 0 outputs may be off by more and more. From 1 on wrong numbers count as "
        "1 in ES(t), from 3 on most other failures. Cheats and passes without a match never do. In S(t) nothing is "
        "forgiven. Both are geometric means over graphs: a right one counts its speedup, one that fails 0.1."
    )
    yield RunPart("tolerances", "By tolerance", lead, [], section_charts.curve_charts(views))
    speeds = section_charts.speed_charts(views)
    if speeds:
        yield RunPart("speedups", "Speedups", "", [], speeds)
    noise, control = section_charts.control_charts(views)
    counts = [section_charts.outcome_grid(views), section_charts.finding_grid(views)]
    counts += [grid for grid in (control, section_charts.incident_grid(views)) if grid.rows]
    yield RunPart("outcomes", "Outcomes and integrity", "", counts, [*section_charts.outcome_charts(views), *noise])
