"""Which tasks lose against eager and why: sentences for each run, and a table for each run in which some lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from passnet.bench.compare.closeness import GRAPH
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord
from passnet.errors import counted
from passnet.report.run.figures import SLOWER, task_scores, verdict
from passnet.report.run.lost import (
    BELOW,
    FAILS,
    NOISE,
    PARTLY,
    SLOW,
    UNSCORED,
    WAYS,
    column_of,
    failures,
    lost_by,
    slower_by,
    task_means,
)
from passnet.report.run.names import shown_name
from passnet.report.run.sections import Grid, LosingGroup, LosingTable, LosingTask, RunView, figure_text
from passnet.report.run.sentences import Link, Sentence, joined, of_run, rows_of, task_link
from passnet.report.run.titles import task_titles
from passnet.report.run.why import task_whys
from passnet.score import DEFAULT_WEIGHTS, OUTCOME_RULES, STRICT_T, T_RANGE, Owner, score_results

_MOST_SHOWN: Final = 60
# The ways of calling beside the score. All of them stand in a table.
_HEADLINE: Final = ("direct", "captured", "device")
_MOST_NAMED: Final = 5
_MOST_COLUMNS: Final = 6
_ID: Final = "losing"
# The groups of the table in order: the word, the end of the group's id, and the heading.
_GROUPS: Final = (
    (FAILS, "fail", "AS below 1: graphs fail"),
    (SLOW, "slow", "AS below 1: all graphs right, some surely slower"),
    (NOISE, "noise", "AS below 1: all graphs right, none surely slower, so within the noise of eager"),
    (PARTLY, "partly", "AS of 1 and more, but a graph fails or is surely slower"),
    (UNSCORED, "unscored", "No score: every failure is the reference's or the machine's"),
)
_WHICH: Final = {word: end for word, end, _ in _GROUPS}


def scores_in_words(views: Sequence[RunView]) -> list[Sentence]:
    """For each run that has a score: AS, and how fast right graphs are by the ways of calling that were measured."""
    return [_told(view, [words], several=len(views) > 1) for view in views if (words := _score_in_words(view))]


def _score_in_words(view: RunView) -> str:
    score = view.figures.figures.get("AS_gmean")
    if score is None or score.value is None:
        return ""
    speeds = {row.name: row.figures.get("speedup_gmean") for row in view.figures.conventions}
    ways = [f"{figure_text(speeds[way])} {WAYS[way]}" for way in _HEADLINE if way in speeds]
    faster = f"; speedup of right graphs over eager: {', '.join(ways)}" if ways else ""
    return f"AS {figure_text(score)}{faster}."


def losses_in_words(views: Sequence[RunView]) -> list[Sentence]:
    """Sentences for each run: how many of its tasks lose, and what their graphs are. Each task is in one of them."""
    several = len(views) > 1
    return [_told(view, said, several=several) for view in views for said in _sentences(view)]


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
            word, column = slower_by(way), column_of(view.run)
            shown = [f"{way} {view.run.name}"] if way != "direct" else []
            slower = rows_of(sum(word in found for found in lost.values()), "tasks", shown, **{column: word})
            parts.append([slower, f" of {counted(len(tasks), 'task')} {words}"])
    begin = "by speedup alone, right graphs are slower than eager (geometric mean of a task below 1) on "
    return [begin, *joined(parts), "."] if parts else []


def _sentences(view: RunView) -> Iterator[Sentence]:
    lost, known = lost_by(view.run), view.run.by_task
    counts = Counter(word for words in lost.values() for word in words)
    tasks = counted(len(known) - counts[UNSCORED], "scored task")

    def some(word: str) -> str | Link:
        end = f"-{_WHICH[word]}" if word in _WHICH else ""
        return Link(f"{counts[word]:,}", f"#{_ID}-{view.number}{end}") if counts[word] else "0"

    def graphs_of(word: str) -> str:
        return _graphs_in_words([record for task, words in lost.items() if word in words for record in known[task]])

    if not counts[BELOW]:
        yield [f"none of {tasks} loses against eager (AS below 1)."]
    else:
        parts: list[Sentence] = []
        parts += [[some(FAILS), f" because {graphs_of(FAILS)}"]] if counts[FAILS] else []
        parts += [[some(SLOW), f" because {graphs_of(SLOW)}"]] if counts[SLOW] else []
        parts += [[some(NOISE), " within the noise of eager (no graph is surely slower)"]] if counts[NOISE] else []
        lose = "loses" if counts[BELOW] == 1 else "lose"
        yield [some(BELOW), f" of {tasks} {lose} against eager (AS below 1): ", *joined(parts), "."]
    if counts[PARTLY]:
        have = "task has" if counts[PARTLY] == 1 else "tasks have"
        yield [some(PARTLY), f" more {have} an AS of 1 and more, although {graphs_of(PARTLY)}."]
    yield from _unscored(lost, some(UNSCORED))


def _graphs_in_words(records: Sequence[GraphRecord]) -> str:
    """How many of these graphs fail as what, and how many are surely slower."""
    failed = Counter(failures(records))
    slow = sum(verdict(record) == SLOWER for record in records)
    outcomes = ", ".join(f"{count} {word}" for word, count in failed.most_common())
    fail = f"{counted(sum(failed.values()), 'graph', ('fails', 'fail'))} ({outcomes})" if failed else ""
    are = f"{slow} {'is' if slow == 1 else 'are'} surely slower"
    slower = (are if failed else f"{counted(slow, 'graph', ('is', 'are'))} surely slower") if slow else ""
    return " and ".join(filter(None, (fail, slower)))


def _unscored(lost: Mapping[str, Sequence[str]], count: str | Link) -> Iterator[Sentence]:
    """The tasks without a score by name: only the reference or the machine failed in them."""
    names = [task for task, words in lost.items() if UNSCORED in words]
    if names:
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        word = "task has" if len(names) == 1 else "tasks have"
        links = joined([[task_link(task)] for task in names[:_MOST_NAMED]])
        why = "because the reference or the machine failed and not the candidate: "
        yield [count, f" more {word} no score, {why}", *links, f"{more}."]


def losing_tables(views: Sequence[RunView]) -> list[LosingTable]:
    """For each run in which tasks lose or fail: these tasks in groups, the lowest scores first, and why."""
    return [table for view in views if (table := _table(view, several=len(views) > 1)) is not None]


def _table(view: RunView, *, several: bool) -> LosingTable | None:
    lost, scores = lost_by(view.run), task_scores(view.run.records)
    titles = task_titles([view.sources])
    groups, left = [], _MOST_SHOWN
    counts = Counter(word for words in lost.values() for word in words)
    parts = ((BELOW, "with an AS below 1"), (PARTLY, "more with a graph that fails or is surely slower"))
    said = [f"{counts[word]:,} {what}" for word, what in (*parts, (UNSCORED, "without a score")) if counts[word]]
    if not said:
        return None
    for word, end, heading in _GROUPS:
        chosen = sorted((t for t, words in lost.items() if word in words), key=lambda t: (scores[t]["AS"] or 0.0, t))
        if not chosen:
            continue
        shown = [_row(view, task, titles, scores[task]["AS"]) for task in chosen[:left]]
        left -= len(shown)
        more: Sentence = []
        if len(shown) < len(chosen):
            rows = rows_of(len(chosen), "tasks", **{column_of(view.run): word})
            more = [f"{len(shown)} of them are shown here, all ", rows, " in the table of tasks."]
        place = f"{_ID}-{view.number}-{end}"
        groups.append(LosingGroup(place, f"{heading}: {counted(len(chosen), 'task')}", shown, more))
    of = counted(len(lost), "task")
    total = counts[BELOW] + counts[PARTLY] + counts[UNSCORED]
    title = f"{f'{view.run.name}: ' if several else ''}{total:,} of {of}: {', '.join(said)}"
    return LosingTable(f"{_ID}-{view.number}", title, groups)


def _row(view: RunView, task: str, titles: Mapping[str, str], score: float | None) -> LosingTask:
    name = shown_name(task)
    return LosingTask(
        name, titles.get(name, ""), "-" if score is None else f"{score:.3f}", task_whys(view.sources, task)
    )


def worked_grid(views: Sequence[RunView]) -> Grid | None:
    """How an AS comes about: the values of each graph of one task by tolerance, and their mean."""
    for view in views:
        lost, scores = lost_by(view.run), task_scores(view.run.records)
        chosen = sorted((t for t, words in lost.items() if BELOW in words), key=lambda t: (scores[t]["AS"], t))
        task = next((t for t in chosen if FAILS in lost[t]), chosen[0] if chosen else None)
        if task is not None:
            return _worked(view, task, scores[task]["AS"])
    return None


def _worked(view: RunView, task: str, score: float) -> Grid:
    names = view.sources.labels(task)
    counting = [r for r in view.run.by_task[task] if OUTCOME_RULES[r.outcome].owner is Owner.CANDIDATE]
    curves = {names[record.graph]: score_results([record.result()]).es for record in counting}
    together = score_results([record.result() for record in counting]).es
    shown = list(curves)[:_MOST_COLUMNS]
    rows = [
        [f"t = {t}{', the level asked for' if t == STRICT_T else ''}", f"{DEFAULT_WEIGHTS[t]:.3g}",
         *(f"{curves[name][t]:.3f}" for name in shown), f"{together[t]:.3f}"]
        for t in T_RANGE
    ]  # fmt: skip
    left = f" {len(curves) - len(shown)} more graphs are in the mean only." if len(curves) > len(shown) else ""
    note = (
        "A right graph counts its speedup from the level on at which it is right, and 0.1 before. From t = 1 on, "
        "failures are forgiven one kind after another and count 1. The last column is the geometric mean of the graphs."
        f" AS is its geometric mean over t by the weights: {score:.3f}. So a task whose graphs are all right at t = -5 "
        f"but not below has an AS a little under its speedup.{left}"
    )
    title = f"How an AS comes about: task {shown_name(task)} worked through"
    return Grid(title, ["tolerance", "weight", *shown, "mean"], rows, note, folded=True, id="worked")


def legend(views: Sequence[RunView]) -> dict[str, str]:
    """The words of the tables above it, each in a sentence."""
    stated = [view.run.fp64_factor for view in views if view.run.fp64_factor is not None]
    factor, cap = stated[0] if stated else Protocol().fp64_factor, Protocol().scale_cap
    return {
        "AS": "Aggregated score of a task. 1 is eager; below 1 the candidate loses. A failing graph costs far more "
        "than a fast one brings.",
        "t": "Tolerance level, from -10 (almost exact) to 4 (almost anything). -5 is the level asked for: torch's own "
        "tolerances. Each level up allows up to ten times as much.",
        "accuracy, nan_inf": "Outcomes of a graph: its numbers are beyond the tolerance, or NaN and infinities stand "
        "where eager has numbers.",
        "reference_error": "Eager itself failed on the graph, so nobody can judge the candidate.",
        "hard draws": "Inputs drawn far larger or less even than the model's own, to tell forms that break.",
        "RMS error of the spread": "Root-mean-square error against float64, divided by how much the output varies. "
        f"Allowed is the larger of {factor} times eager's own and the tolerance, and about {cap} at most.",
        "of its size": "The error of one element against float64, divided by its own size and the output's spread. It "
        "counts where elements are beyond the tolerance, and is compared with eager's farthest element. Where that is "
        f"too far off to be a measure, a fixed limit holds ({GRAPH.peak_cap:g} of an element's size): else any number "
        "would be right there.",
        "surely slower, surely faster": "The whole 95 % interval of the speedup is below 1, or above 1.",
        "tie, within noise": "The interval holds 1: no difference was measured.",
        "least time of the work (bound)": "What the device needs at least to move the graph's data and to compute. "
        "Near 100 % of the time nothing can be faster.",
        "the host's": "The time is spent in Python and in issuing kernels, and not in the kernels.",
    }
