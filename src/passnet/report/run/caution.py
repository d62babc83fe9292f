"""Which figures to read with care: precision that was not reached, processes that differ, a control that is off."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from passnet.bench.record.records import GraphRecord, Timing
from passnet.errors import counted
from passnet.report.run.measured import shares_of
from passnet.report.run.names import shown_name
from passnet.report.run.sections import Grid, RunView, of_runs
from passnet.report.run.sentences import Link, Sentence, rows_of
from passnet.report.run.titles import task_titles

# Processes differ by 1 to 2 %, because their memory lies in different places. Blocks on a slow core are few.
_APART, _CONTROL_OFF, _SLOW_SHARE = 0.1, 0.08, 0.1
_SHOWN: Final = 12
_BLOCKS_OF_GROUP: Final = 6
_ID: Final = "care"
# The column of the table of graphs, and its value for all of these graphs.
CARE, ANY = "care", "read with care"


Doubtful = tuple[RunView, GraphRecord, list[str]]


def caution_note(views: Sequence[RunView]) -> list[Sentence]:
    """A line that leads to the table, if it has a row."""
    found = _doubtful(views)
    return [[Link(f"{counted(len(found), 'graph')} to read with care", f"#{_ID}"), *_all_of(found)]] if found else []


def _all_of(found: Sequence[Doubtful]) -> Sentence:
    """Where all of them are, if the table has only some."""
    return [" (", rows_of(len(found), "graphs", [CARE], **{CARE: ANY}), " in the table of graphs)"]


def caution_grid(views: Sequence[RunView]) -> Grid:
    """A row for each graph with a doubtful figure, the most doubts first."""
    found = _doubtful(views)
    rows = [
        [shown_name(record.task), view.run.name, view.sources.labels(record.task)[record.graph], _figure(record),
         "; ".join(doubts)]
        for view, record, doubts in found[:_SHOWN]
    ]  # fmt: skip
    timed = sum(record.timing is not None for view in views for record in view.run.records)
    checks = (
        f"Looked for in {counted(timed, 'timed graph')}: an interval wider than was asked for, processes more than "
        f"{_APART:.0%} apart, a process in which eager against eager (A/A) is more than {_CONTROL_OFF:.0%} off, and "
        "many blocks on a core that a neighbour slows. The bench leaves out a pair whose A/A is beyond the protocol's "
        "control_band by more than its noise. Deployed and cold figures come from fewer calls than direct ones."
    )
    more = f"; the {_SHOWN} with the most doubts, the table of graphs has all" if len(found) > _SHOWN else ""
    title = f"{counted(len(found), 'graph')} to read with care{more}" if found else "No graph is doubtful"
    grid = Grid(
        title,
        ["task", "run", "graph", "speedup", "what is doubtful"],
        rows,
        checks + _cached(views),
        folded=True,
        numeric=False,
        of_tasks=True,
        titles=task_titles([view.sources for view in views]),
        id=_ID,
    )
    return of_runs(grid, views)


def _doubtful(views: Sequence[RunView]) -> list[Doubtful]:
    found = [
        (view, record, doubts)
        for view in views
        for record in view.run.records
        if record.timing is not None and (doubts := list(doubts_of(record.timing).values()))
    ]
    return sorted(found, key=lambda row: -len(row[2]))


def _cached(views: Sequence[RunView]) -> str:
    """Why some graphs are faster than the bound."""
    shares = [shares_of(record)[1] for view in views for record in view.run.records]
    above = sum(share is not None and share > 1 for share in shares)
    if not above:
        return ""
    graphs = counted(above, "candidate", ("is", "are"))
    return f" {graphs} above 100 % of the bound: it counts the device's memory, and a cache holds their data."


def doubts_of(timing: Timing) -> dict[str, str]:
    """What makes this graph's figure doubtful: in a word or two, and in a sentence."""
    return dict(_doubts(timing))


def care_of(record: GraphRecord) -> list[str]:
    """By what a filter finds the graph, if it is to be read with care."""
    doubts = list(doubts_of(record.timing)) if record.timing is not None else []
    return [ANY, *doubts] if doubts else []


def _doubts(timing: Timing) -> Iterator[tuple[str, str]]:
    low, high = timing.speedup_ci
    half = math.sqrt(high / low) - 1
    if timing.precision is not None and timing.ended == "limit" and half > 1.02 * timing.precision:
        yield "wide interval", f"the interval reached {half:.1%} where {timing.precision:.0%} was asked for"
    ratios = [process.ratio for process in timing.processes]
    if len(ratios) > 1 and max(ratios) / min(ratios) - 1 > _APART:
        yield "processes differ", f"its {len(ratios)} processes differ by {max(ratios) / min(ratios) - 1:.0%}"
    controls = [process.control_ratio for process in timing.processes]
    worst = max(controls, key=lambda ratio: abs(math.log(ratio)), default=1.0)
    if abs(math.log(worst)) > _CONTROL_OFF:
        yield "A/A off", f"eager against eager gave {worst:.3f} in one process"
    blocks = _BLOCKS_OF_GROUP * sum(process.quads for process in timing.processes)
    if timing.on_slow_core > _SLOW_SHARE * blocks:
        yield "slow core", f"{timing.on_slow_core} blocks count although their core was slow"


def _figure(record: GraphRecord) -> str:
    timing = record.timing
    assert timing is not None
    low, high = timing.speedup_ci
    return (
        f"{timing.speedup:.3f} [{low:.3f}, {high:.3f}]{', scored at its low end' if timing.scored_at == 'low' else ''}"
    )
