"""Which tasks lose against eager and why: a sentence for each run, and a table for each run in which some lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from passnet.authored import one_line
from passnet.bench.record.records import GraphRecord, Timing
from passnet.report.run.figures import task_scores, verdict
from passnet.report.run.names import shown_name
from passnet.report.run.sections import Grid, RunView
from passnet.report.words import counted
from passnet.score import OUTCOME_RULES, Outcome, Owner

_WORST_SHOWN: Final = 10
_LONGEST: Final = 160


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
    parts = [f"{len(failed)} because of graphs that fail ({words})"] if failed else []
    slow = len(losing) - len(failed)
    parts += [f"{slow} because right graphs are slower"] if slow else []
    lose = "loses" if len(losing) == 1 else "lose"
    return f"{name}: {len(losing)} of {tasks} {lose} against eager, {' and '.join(parts)}.{without}"


def _grid(view: RunView, losing: dict[str, float]) -> Grid:
    worst = list(losing)[:_WORST_SHOWN]
    rows = [[shown_name(task), f"{losing[task]:.3f}", _why(view.run.by_task[task])] for task in worst]
    shown = f", the lowest {len(worst)}" if len(worst) < len(losing) else ""
    title = f"{view.run.name}: {counted(len(losing), 'task')} with an AS below 1{shown}"
    return Grid(title, ["task", "AS", "why"], rows, numeric=False, of_tasks=True)


def _failures(records: Sequence[GraphRecord]) -> list[str]:
    """The outcomes of graphs at which the candidate failed."""
    failed = (record.outcome for record in records if record.outcome is not Outcome.CORRECT)
    return [outcome.value for outcome in failed if OUTCOME_RULES[outcome].owner is Owner.CANDIDATE]


def _times(timings: Sequence[Timing]) -> str:
    """The slowest right graph: its speedup, what a call takes and what it would take at the bound."""
    if not timings:
        return ""
    worst = min(timings, key=lambda timing: timing.speedup)
    of = "" if len(timings) == 1 else f" of {len(timings)}, at worst"
    low, high = worst.speedup_ci
    words = f"; right graphs{of}: {worst.speedup:.3f} [{low:.3f}, {high:.3f}] of eager's speed, "
    words += f"a call takes {worst.compiled_us:.1f} us{_guarded(worst)} where eager takes {worst.eager_us:.1f}"
    if worst.compiled_busy_us is not None and worst.eager_busy_us is not None:
        words += f", the device works {worst.compiled_busy_us:.1f} us and {worst.eager_busy_us:.1f}"
    if worst.bound_us is not None:
        words += f", and the work takes at least {worst.bound_us:.2f} us"
    return words


def _guarded(timing: Timing) -> str:
    """What a call takes behind the guard that a user's model needs."""
    if timing.deployed_speedup is None:
        return ""
    return f", behind its guard {timing.eager_us / timing.deployed_speedup:.1f},"


def _why(records: Sequence[GraphRecord]) -> str:
    """Counts of verdicts, the worst first, and what the first failure says."""
    failures = Counter(record.outcome.value for record in records if record.outcome is not Outcome.CORRECT)
    words = [f"{count} {word}" for word, count in failures.most_common()]
    right = [record for record in records if record.outcome is Outcome.CORRECT]
    verdicts = Counter(map(verdict, right))
    words += [f"{verdicts[word]} {word}" for word in ("slower", "tie", "faster") if verdicts[word]]
    between = _times([record.timing for record in right if record.timing is not None])
    detail = next((r.detail for r in records if r.outcome is not Outcome.CORRECT and r.detail), None)
    said = f"; {one_line(detail.split(chr(10))[0])[:_LONGEST]}" if detail else ""
    return ", ".join(words) + between + said
