"""The report of runs: reads them, computes everything once, and writes one HTML file, whole or not at all."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import passnet
from passnet.authored import one_line
from passnet.report.page import template
from passnet.report.run import section_charts, sections
from passnet.report.run.commands import run_commands
from passnet.report.run.episodes import at_k, block_of, figures_of
from passnet.report.run.figures import run_figures
from passnet.report.run.payload import DEFAULT_BYTES, Blocks, script_json
from passnet.report.run.reading import RunData, read_runs
from passnet.report.run.sections import Grid, Part, RunView
from passnet.report.run.sources import find_sources
from passnet.report.run.tables import episode_table, graph_table, task_table
from passnet.report.run.tasks import task_block
from passnet.writing import write_atomic, writing

_HERE: Final = Path(__file__).parents[1] / "templates"
_SCRIPTS: Final = ("run_dom.js", "run_table.js", "run_task.js", "run_episode.js", "run_route.js")
_STYLE: Final = "run.css"
# What is left out first when a page would grow too large: less and less of the long texts.
_LEVELS: Final = (
    {"passes": True, "sources": True},
    {"passes": True, "sources": False},
    {"passes": False, "sources": False},
)


@dataclass(frozen=True)
class Written:
    """What was written. `missing`: what a reader must know of the runs and of the page, in sentences."""

    path: Path
    bytes: int
    runs: tuple[str, ...]
    missing: tuple[str, ...]


def write_report(
    paths: Sequence[Path], out: Path, *, root: Path, limit: int = DEFAULT_BYTES, say: Callable[[str], None] | None = None
) -> Written:
    """Write the report of runs to `out`.  `root`: where their task paths count from. `limit`: bytes for long parts.

    Errors: `UsageError` for what is no run or holds nothing, and where `out` cannot be written. Then nothing is there.
    """
    tell = say or (lambda _: None)
    runs = read_runs(paths)
    views = []
    for run in runs:
        tell(f"{run.name}: {len(run.records)} graphs, {len(run.episodes)} episodes")
        views.append(_view(run, root))
    tell("writing the page")
    text, notes = render(views, limit)
    with writing(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(out, text)
    return Written(out, len(text.encode()), tuple(view.run.name for view in views), tuple(notes))


def _view(run: RunData, root: Path) -> RunView:
    sources = find_sources(run, root)
    episodes = tuple(figures_of(run, episode) for episode in run.episodes)
    return RunView(run, sources, run_figures(sources), episodes, at_k(run, episodes))


def render(views: Sequence[RunView], limit: int = DEFAULT_BYTES) -> tuple[str, list[str]]:
    """The page, and what is missing in it."""
    blocks = Blocks(limit)
    data, left_out = _data(views, blocks)
    notes = [*(f"{view.run.name}: {note}" for view in views for note in sections.missing(view)), *left_out]
    style = (_HERE / _STYLE).read_text(encoding="utf-8").strip()
    script = "\n".join((_HERE / name).read_text(encoding="utf-8").strip() for name in _SCRIPTS)
    page = template("run.html").render(
        title=f"Runs: {', '.join(view.run.name for view in views)}" if len(views) > 1 else f"Run {views[0].run.name}",
        views=views,
        version=passnet.__version__,
        notes=notes,
        differences=sections.differences(views) if len(views) > 1 else [],
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
    return page, notes


def _hash(text: str) -> str:
    """The hash by which the page's policy admits exactly this script or style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _data(views: Sequence[RunView], blocks: Blocks) -> tuple[dict[str, Any], list[str]]:
    """What the script shows: tables at once, parts of tasks and episodes when they are opened."""
    sources = [view.sources for view in views]
    names = dict.fromkeys(record.task for view in views for record in view.run.records)
    names |= dict.fromkeys(episode.start.task for view in views for episode in view.run.episodes)
    notes: list[str] = []
    tasks = {}
    for number, name in enumerate(names):
        kept = _keep(blocks, f"task-{number}", [lambda texts=t: task_block(name, sources, texts) for t in _LEVELS])  # type: ignore[misc]
        tasks[one_line(name)] = f"task-{number}" if kept is not None else None
        if kept != 0:
            notes.append(f"{one_line(name)}: {'nothing' if kept is None else 'not everything'} fitted into the page")
    episodes, cut = _episodes(views, blocks)
    notes += cut
    tables = [task_table(sources), graph_table(sources)] if any(view.run.records for view in views) else []
    played = [(view.run, view.episodes) for view in views if view.episodes]
    tables += [episode_table(played)] if played else []
    return {
        "runs": [{"name": view.run.name, "what": view.run.what, "device": view.run.device} for view in views],
        "tables": [table.to_json() for table in tables],
        "tasks": tasks,
        "episodes": episodes,
    }, _shortened(notes)


def _episodes(views: Sequence[RunView], blocks: Blocks) -> tuple[dict[str, Any], list[str]]:
    found: dict[str, Any] = {}
    notes = []
    for view in views:
        for episode, figures in zip(view.run.episodes, view.episodes, strict=True):
            key = f"episode-{len(found)}"
            kept = _keep(
                blocks, key, [lambda t=t, e=episode, f=figures: block_of(e, f, texts=t) for t in (True, False)]  # type: ignore[misc]
            )
            found[figures.key] = {"task": figures.task, "block": key if kept is not None else None}
            if kept != 0:
                notes.append(f"{figures.key}: {'nothing' if kept is None else 'no text'} of it fitted into the page")
    return found, notes


def _keep(blocks: Blocks, key: str, makers: Sequence[Callable[[], object]]) -> int | None:
    """Add the first of several forms for which there is room. Its place, or None."""
    return next((place for place, make in enumerate(makers) if blocks.add(key, make())), None)


def _shortened(notes: Sequence[str], most: int = 5) -> list[str]:
    return [*notes[:most], f"and so for {len(notes) - most} more"] if len(notes) > most else list(notes)


def _parts(views: Sequence[RunView]) -> list[Part]:
    """The sections in order. Those without content are left out."""
    noise, control = section_charts.control_charts(views)
    judged = [view for view in views if view.run.records]
    summary: list[Grid] = [
        sections.summary_grid(judged), sections.losing_grid(judged), sections.convention_grid(judged),
        sections.group_grid(judged),
    ]  # fmt: skip
    parts = [
        Part("summary", "Summary", grids=summary if judged else []),
        Part("tolerances", "By tolerance", charts=section_charts.curve_charts(views),
             lead="From t = -10, the strictest, to 1 outputs may be off by more and more. From 2 on whole kinds of "
             "failure are forgiven."),
        Part("speedups", "Speedups", charts=section_charts.speed_charts(views)),
        Part("outcomes", "Outcomes and integrity", charts=[*section_charts.outcome_charts(judged), *noise],
             grids=[section_charts.outcome_grid(judged), section_charts.finding_grid(judged), control] if judged else []),
        Part("authors", "Authors", charts=section_charts.author_charts(views),
             grids=[section_charts.author_grid(views), section_charts.ending_grid(views), section_charts.tool_grid(views)]),
        Part("environment", "Environment", grids=[sections.environment_grid(views), sections.protocol_grid(views)]),
    ]  # fmt: skip
    return [
        Part(part.id, part.title, part.lead, [grid for grid in part.grids if grid.rows or grid.note and grid.title.startswith("Integrity")], part.charts)
        for part in parts
        if part.charts or any(grid.rows for grid in part.grids)
    ]
