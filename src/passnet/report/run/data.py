"""The data of the page: tables that are shown at once, and parts of tasks and episodes that are read when opened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from passnet.report.run.episodes import block_of
from passnet.report.run.names import shown_name
from passnet.report.run.payload import Blocks
from passnet.report.run.sections import RunView
from passnet.report.run.tables import DataTable, episode_table, graph_table, task_table
from passnet.report.run.tasks import task_block
from passnet.report.run.titles import task_titles

# What is left out first when a page would grow too large: less and less of the long texts.
_LEVELS: Final = (
    {"passes": True, "sources": True},
    {"passes": True, "sources": False},
    {"passes": False, "sources": False},
)


def page_data(views: Sequence[RunView], blocks: Blocks) -> tuple[dict[str, Any], list[str]]:
    """What the page's script shows, and what found no room. Large parts go into `blocks`."""
    tasks, notes = _tasks(views, blocks)
    episodes, cut = _episodes(views, blocks)
    data = {
        "runs": [{"name": view.run.name, "what": view.run.what, "device": view.run.device} for view in views],
        "tables": [table.to_json() for table in _tables(views)],
        "titles": task_titles([view.sources for view in views]),
        "tasks": tasks,
        "episodes": episodes,
    }
    return data, _shortened([*notes, *cut])


def _tables(views: Sequence[RunView]) -> list[DataTable]:
    judged = [view.sources for view in views if view.run.records]
    played = [(view.run, view.episodes) for view in views if view.episodes]
    tables = [task_table(judged), graph_table(judged)] if judged else []
    return [*tables, episode_table(played)] if played else tables


def _tasks(views: Sequence[RunView], blocks: Blocks) -> tuple[dict[str, str | None], list[str]]:
    """Task -> the id of its part, or None where there was no room."""
    sources = [view.sources for view in views]
    names = dict.fromkeys(record.task for view in views for record in view.run.records)
    names |= dict.fromkeys(episode.start.task for view in views for episode in view.run.episodes)
    found: dict[str, str | None] = {}
    notes = []
    for number, name in enumerate(names):
        key = f"task-{number}"
        kept = _keep(blocks, key, (task_block(name, sources, texts) for texts in _LEVELS))
        found[shown_name(name)] = key if kept is not None else None
        if kept != 0:
            notes.append(
                f"{shown_name(name)}: {'nothing' if kept is None else 'not everything'} of it fitted into the page"
            )
    return found, notes


def _episodes(views: Sequence[RunView], blocks: Blocks) -> tuple[dict[str, Any], list[str]]:
    """Name of an episode -> its task, and the id of its part."""
    found: dict[str, Any] = {}
    notes = []
    for view in views:
        for episode, figures in zip(view.run.episodes, view.episodes, strict=True):
            key = f"episode-{len(found)}"
            kept = _keep(blocks, key, (block_of(episode, figures, texts=texts) for texts in (True, False)))
            found[figures.key] = {"task": figures.task, "block": key if kept is not None else None}
            if kept != 0:
                notes.append(f"{figures.key}: {'nothing' if kept is None else 'no text'} of it fitted into the page")
    return found, notes


def _keep(blocks: Blocks, key: str, forms: Iterable[object]) -> int | None:
    """Add the first of several forms for which there is room. Its place, or None."""
    return next((place for place, form in enumerate(forms) if blocks.add(key, form)), None)


def _shortened(notes: Sequence[str], most: int = 5) -> list[str]:
    return [*notes[:most], f"and so for {len(notes) - most} more"] if len(notes) > most else list(notes)
