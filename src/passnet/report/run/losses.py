"""Which tasks lose against eager and why: a sentence for each run, and a table for each run in which some lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from passnet.bench.record.records import GraphRecord
from passnet.report.run.figures import task_scores, verdict
from passnet.report.run.names import short_names, shown_name
from passnet.report.run.reasons import reason
from passnet.report.run.sections import Grid, RunView
from passnet.report.traits import UNKNOWN
from passnet.report.words import counted
from passnet.score import OUTCOME_RULES, Outcome, Owner

_MOST_SHOWN: Final = 60


def losses_in_words(views: Sequence[RunView]) -> list[str]:
    """A sentence for each run: how many of its tasks lose, and what their graphs are."""
    return [_sentence(view) for view in views]


def losing_grids(views: Sequence[RunView]) -> list[Grid]:
    """For each run in which tasks lose: those with the lowest scores, and what became of their graphs."""
    return [_grid(view, losing) for view in views if (losing := _losing(view))]


def _losing(view: RunView) -> dict[str, float]:
    """The tasks with an AS below 1, the lowest first."""
    known = {task: score for task, score in _scores(view).items() if score < 1}
    return dict(sorted(known.items(), key=lambda item: (item[1], item[0])))


def _partly(view: RunView) -> dict[str, float]:
    """The tasks with an AS of 1 and more that have a graph which fails or is surely slower, the lowest first."""
    known = {task: score for task, score in _scores(view).items() if score >= 1}
    bad = {"not right", "cheats", "slower"}
    found = {task: score for task, score in known.items() if bad & set(map(verdict, view.run.by_task[task]))}
    return dict(sorted(found.items(), key=lambda item: (item[1], item[0])))


def _scores(view: RunView) -> dict[str, float]:
    """The AS of each task that has one. A task has none where only the reference or the machine failed."""
    found = task_scores(view.run.records)
    return {task: figures["AS"] for task, figures in found.items() if figures["AS"] is not None}


def _sentence(view: RunView) -> str:
    losing, known, scored = _losing(view), view.run.by_task, len(_scores(view))
    name, tasks = view.run.name, counted(scored, "scored task")
    without = f" {counted(len(known) - scored, 'task')} without a score." if len(known) > scored else ""
    if not losing:
        return f"{name}: none of {tasks} loses against eager.{without}"
    failed = {task: found for task in losing if (found := _failures(known[task]))}
    counts = Counter(word for found in failed.values() for word in found)
    words = ", ".join(f"{count} {word}" for word, count in counts.most_common())
    graphs = counted(sum(counts.values()), "graph", ("fails", "fail"))
    parts = [f"{len(failed)} because {graphs} ({words})"] if failed else []
    slow = len(losing) - len(failed)
    parts += [f"{slow} because right graphs are slower"] if slow else []
    lose = "loses" if len(losing) == 1 else "lose"
    partly = len(_partly(view))
    others = f" {counted(partly, 'task')} more {'has' if partly == 1 else 'have'} graphs that fail or are slower."
    told = others if partly else ""
    return f"{name}: {len(losing)} of {tasks} {lose} against eager (AS below 1), {' and '.join(parts)}.{told}{without}"


def _grid(view: RunView, losing: dict[str, float]) -> Grid:
    partly = _partly(view)
    rows = [[shown_name(t), f"{score:.3f}", _why(view, view.run.by_task[t])] for t, score in (losing | partly).items()]
    title = f"{view.run.name}: {counted(len(losing), 'task')} with an AS below 1"
    title += f", and {len(partly)} more with graphs that fail or are slower" if partly else ""
    title += f"; the first {_MOST_SHOWN}" if len(rows) > _MOST_SHOWN else ""
    return Grid(title, ["task", "AS", "why"], rows[:_MOST_SHOWN], numeric=False, of_tasks=True)


def _failures(records: Sequence[GraphRecord]) -> list[str]:
    """The outcomes of graphs at which the candidate failed."""
    failed = (record.outcome for record in records if record.outcome is not Outcome.CORRECT)
    return [outcome.value for outcome in failed if OUTCOME_RULES[outcome].owner is Owner.CANDIDATE]


def _why(view: RunView, records: Sequence[GraphRecord]) -> str:
    """What became of the graphs: those that fail, by what their records say, the slow ones, and how many others."""
    names = _labels(view, records)
    parts: dict[str, list[str]] = {}
    slow = [record for record in records if verdict(record) == "slower"]
    for record in records:
        if record.outcome is not Outcome.CORRECT:
            parts.setdefault(": ".join(filter(None, (record.outcome.value, reason(record)))), []).append(record.graph)
    if slow:
        worst = max(slow, key=lambda record: 1 / record.timing.speedup if record.timing else 0.0)
        words = f"slower{', at worst' if len(slow) > 1 else ','} {reason(worst)}"
        parts[words] = [record.graph for record in slow]
    said = [f"{', '.join(names[graph] for graph in graphs)}: {words}" for words, graphs in parts.items()]
    verdicts = Counter(verdict(record) for record in records if record.outcome is Outcome.CORRECT)
    return "; ".join([*said, *(f"{verdicts[word]} {word}" for word in ("tie", "faster") if verdicts[word])])


def _labels(view: RunView, records: Sequence[GraphRecord]) -> dict[str, str]:
    """Graph -> its dtype, if that tells the task's graphs apart, else a short name."""
    dtypes = {record.graph: view.sources.traits(record).dtype for record in records}
    told_apart = len(set(dtypes.values())) == len(dtypes) and UNKNOWN not in dtypes.values()
    return dtypes if told_apart else short_names(dtypes)
