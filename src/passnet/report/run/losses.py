"""Which tasks lose against eager and why: a sentence for each run, and a table for each run in which some lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from passnet.report.run.figures import task_scores
from passnet.report.run.lost import (
    ALL_RIGHT,
    BELOW,
    FAILS,
    PARTLY,
    UNSCORED,
    WAYS,
    column_of,
    failures,
    lost_by,
    slower_by,
    task_means,
    task_reason,
)
from passnet.report.run.names import shown_name
from passnet.report.run.sections import Grid, RunView
from passnet.report.run.sentences import Link, Sentence, joined, of_run, rows_of, task_link
from passnet.report.run.titles import task_titles
from passnet.report.words import counted

_MOST_SHOWN: Final = 60
_MOST_NAMED: Final = 5


def losses_in_words(views: Sequence[RunView]) -> list[Sentence]:
    """A sentence for each run: how many of its tasks lose, and what their graphs are."""
    return [_told(view, _sentence(view), several=len(views) > 1) for view in views]


def against_eager(views: Sequence[RunView]) -> list[Sentence]:
    """For each run: on how many tasks it is slower than eager by each way of calling that was measured."""
    return [_told(view, words, several=len(views) > 1) for view in views if (words := _slower_in_words(view))]


def _told(view: RunView, sentence: Sentence, *, several: bool) -> Sentence:
    """The sentence as a line of its own: behind the name of its run, or with a capital letter."""
    first, *rest = sentence
    capital = first[:1].upper() + first[1:] if isinstance(first, str) and not several else first
    return of_run(view.run.name, [capital, *rest], several=several)


def _slower_in_words(view: RunView) -> Sentence:
    lost = lost_by(view.run)
    parts = []
    for way, words in WAYS.items():
        tasks = task_means(view.run, way)
        if tasks:
            slower = _tasks(view, lost, slower_by(way))
            parts.append([slower, f" of {counted(len(tasks), 'task')} {words}"])
    begin = "right graphs are slower than eager, by the geometric mean of a task, on "
    return [begin, *joined(parts), "."] if parts else []


def _tasks(view: RunView, lost: dict[str, list[str]], word: str) -> str | Link:
    """How many tasks lose by this, as a link to them."""
    return rows_of(sum(word in words for words in lost.values()), "tasks", **{column_of(view.run): word})


def _sentence(view: RunView) -> Sentence:
    lost, known = lost_by(view.run), view.run.by_task
    counts = Counter(word for words in lost.values() for word in words)
    tasks = counted(len(known) - counts[UNSCORED], "scored task")
    without = _unscored(view, lost)
    if not counts[BELOW]:
        return [f"none of {tasks} loses against eager (AS below 1).", *without]
    failed = Counter(word for task, words in lost.items() if FAILS in words for word in failures(known[task]))
    outcomes = ", ".join(f"{count} {word}" for word, count in failed.most_common())
    graphs = counted(sum(failed.values()), "graph", ("fails", "fail"))
    parts: list[Sentence] = []
    parts += [[_tasks(view, lost, FAILS), f" because {graphs} ({outcomes})"]] if counts[FAILS] else []
    parts += [[_tasks(view, lost, ALL_RIGHT), " because graphs are right but slower"]] if counts[ALL_RIGHT] else []
    lose = "loses" if counts[BELOW] == 1 else "lose"
    said = [_tasks(view, lost, BELOW), f" of {tasks} {lose} against eager (AS below 1), ", *joined(parts, " and "), "."]
    if counts[PARTLY]:
        more = f" more {'task has' if counts[PARTLY] == 1 else 'tasks have'} graphs that fail or are surely slower."
        said += [" ", _tasks(view, lost, PARTLY), more]
    return [*said, *without]


def _unscored(view: RunView, lost: dict[str, list[str]]) -> Sentence:
    """The tasks without a score by name: only the reference or the machine failed in them."""
    names = [task for task, words in lost.items() if UNSCORED in words]
    if not names:
        return []
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    word = "task has" if len(names) == 1 else "tasks have"
    links = joined([[task_link(task)] for task in names[:_MOST_NAMED]])
    return [" ", _tasks(view, lost, UNSCORED), f" {word} no score: ", *links, f"{more}."]


def losing_grids(views: Sequence[RunView]) -> list[Grid]:
    """For each run in which tasks lose: those with the lowest scores, and what became of their graphs."""
    return [grid for view in views if (grid := _grid(view, several=len(views) > 1)) is not None]


def _grid(view: RunView, *, several: bool) -> Grid | None:
    lost, scores = lost_by(view.run), task_scores(view.run.records)
    chosen = {word: [task for task, words in lost.items() if word in words] for word in (BELOW, PARTLY)}
    if not chosen[BELOW]:
        return None
    tasks = sorted([*chosen[BELOW], *chosen[PARTLY]], key=lambda task: (scores[task]["AS"], task))
    rows = [[shown_name(task), f"{scores[task]['AS']:.3f}", task_reason(view.sources, task)] for task in tasks]
    title = f"{f'{view.run.name}: ' if several else ''}{counted(len(chosen[BELOW]), 'task')} with an AS below 1"
    title += f", and {len(chosen[PARTLY])} more with graphs that fail or are surely slower" if chosen[PARTLY] else ""
    title += f"; the first {_MOST_SHOWN}" if len(rows) > _MOST_SHOWN else ""
    titles = task_titles([view.sources])
    return Grid(title, ["task", "AS", "why"], rows[:_MOST_SHOWN], numeric=False, of_tasks=True, titles=titles)
