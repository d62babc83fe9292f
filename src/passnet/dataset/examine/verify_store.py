"""Checks a stored dataset against itself: every row, every task, the split."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from passnet.authored import one_line
from passnet.dataset.examine import decontaminate
from passnet.dataset.tables import store
from passnet.dataset.tables.cards import Card, CardMaker
from passnet.dataset.tables.rows import Row
from passnet.dataset.tables.task_row import TaskRow, task_id_of
from passnet.errors import PassNetError, counted
from passnet.graph import Graph

_SHOWN = 20
SPLITS = (None, "train", "eval", "reserve")
# Columns that follow from the graph and its path, and those that are written for questions only.
_PLACED = {"split", "task_id", "in_task", "all_sources", "originals"}
_DERIVED = tuple(field.name for field in fields(Row) if field.name not in _PLACED)
_COUNTED = ("num_ops", "num_inputs", "input_bytes")


@dataclass(frozen=True)
class Problem:
    """One problem: the check that found it, the graph or task, and the reason."""

    check: str
    where: str
    what: str


@dataclass(frozen=True)
class Verified:
    """The checks and their findings.  `counts`: check -> things checked. `ran`: graphs propagated."""

    path: Path
    counts: Mapping[str, int]
    problems: tuple[Problem, ...]
    ran: int = 0

    @property
    def ok(self) -> bool:
        """Nothing is wrong and there is something."""
        return not self.problems and self.counts.get("rows", 0) > 0

    def text(self) -> str:
        """The counts, then the problems: the number of each kind, and the first ones completely."""
        done = ", ".join(f"{count} {name}" for name, count in self.counts.items())
        lines = [f"{self.path}: {'sound' if self.ok else 'NOT sound'}; checked {done}"]
        by_check = Counter(problem.check for problem in self.problems)
        lines += [f"  {check}: {counted(count, 'problem')}" for check, count in sorted(by_check.items())]
        lines += [f"  {item.check}: {item.where}: {item.what}" for item in self.problems[:_SHOWN]]
        return "\n".join(map(one_line, lines))


def verify(path: Path | str, *, sample: int = 0, every: int = 1) -> Verified:
    """Check every row and task of a store. `sample` graphs, evenly spread, are also propagated on fake tensors.

    - Rows: the graph is rebuilt and its source parses. Hashes, uid, operators and counts are those of the source. The
      uid occurs once.
    - Tasks: they name graphs that exist, of their kind, operators and split. These graphs name the task.
    - Split: training and evaluation share nothing.

    With `every` above 1, only each `every`-th row is rebuilt, the first row among them, and also the propagated rows.
    All other checks cover all rows.  Errors: `UsageError` when there is no readable store.
    """
    problems: list[Problem] = []
    cards: dict[str, Card] = {}
    maker = CardMaker()
    run_every = _every(path, sample)
    rebuilt = ran = 0
    for number, record in enumerate(store.read_records(path)):
        runs = run_every > 0 and number % run_every == 0
        if runs or number % every == 0:
            row, found = _checked(record)
            problems += found
            if row is None:
                continue
            rebuilt += 1
            if runs and not found:
                problems += _run(row)
                ran += 1
        card = maker.of_record(record)
        if card.uid in cards:
            problems.append(Problem("uid", card.uid, f"occurs twice: {cards[card.uid].path}, {card.path}"))
        cards[card.uid] = card
    tasks = list(store.read_tasks(path)) if store.is_store(path) else []
    problems += [problem for task in tasks for problem in _task_problems(task, cards)]
    problems += _membership(tasks, cards.values())
    problems += _split_problems(cards.values())
    counts = {"rows": len(cards), "rows rebuilt": rebuilt, "tasks": len(tasks), "graphs run": ran}
    return Verified(Path(path), counts, tuple(problems), ran)


def _every(path: Path | str, sample: int) -> int:
    """Every how many rows one is run."""
    if sample <= 0:
        return 0
    total = sum(1 for _ in store.read_records(path, ["uid"]))
    return max(1, total // sample)


def _checked(record: Mapping[str, object]) -> tuple[Row | None, list[Problem]]:
    """The row of a record, or None when it gives no graph, and the problem."""
    from passnet.dataset.tables.schema import row_of

    where = str(record.get("uid"))
    try:
        row = row_of(record)
        graph = row.graph()
        # Parses the source and fits the specs to it, as writing does.
        graph.files()
        again = Row.from_graph(graph, path=row.path)
    except (PassNetError, ValueError, TypeError, KeyError, RecursionError) as error:
        return None, [Problem("graph", where, f"{type(error).__name__}: {error}")]
    pairs = {name: (getattr(row, name), getattr(again, name)) for name in _DERIVED}
    pairs |= {name: (record[name], getattr(again, name)) for name in _COUNTED}
    pairs["meta op_names"] = (graph.meta.get("op_names", list(again.op_names)), list(again.op_names))
    found = [Problem(name, where, f"stored {old}, is {new}") for name, (old, new) in pairs.items() if old != new]
    return row, found + _fit(row, graph)


def _fit(row: Row, graph: Graph) -> list[Problem]:
    """Specs and parameters, and words from the closed sets."""
    params = graph.program.params
    found = []
    if tuple(spec.name for spec in graph.specs) != params:
        found.append(Problem("specs", row.uid, f"describe {len(graph.specs)} inputs, forward has {len(params)}"))
    if row.split not in SPLITS:
        found.append(Problem("split", row.uid, f"unknown split {row.split!r}"))
    if row.originals is not None and not _is_object(row.originals):
        found.append(Problem("originals", row.uid, "not a JSON object"))
    return found


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _run(row: Row) -> list[Problem]:
    from passnet.graph import fake_inputs, propagate

    graph = row.graph()
    try:
        module = graph.module("cpu", propagated=False)
    except PassNetError as error:
        return [Problem("run", row.uid, str(error))]
    done = propagate(module, fake_inputs(graph.specs))
    return [] if done.complete else [Problem("run", row.uid, f"{row.path}: {done.node}: {done.reason}")]


def _task_problems(task: TaskRow, cards: Mapping[str, Card]) -> list[Problem]:
    members = [cards[uid] for uid in task.uids if uid in cards]
    found = [f"names graph {uid}, which is not in the store" for uid in task.uids if uid not in cards]
    if not task.uids:
        found.append("holds no graph")
    if len(set(task.uids)) != len(task.uids):
        found.append("names a graph twice")
    if task.task_id != task_id_of(task.uids):
        found.append("its name is not the hash of its uids")
    checks: Mapping[str, Callable[[Card], bool]] = {
        "kind": lambda card: card.kind == task.kind,
        "operators": lambda card: card.op_names == task.op_names,
        "split": lambda card: card.split == task.split,
    }
    found += [
        f"graph {card.uid} has another {name}" for name, same in checks.items() for card in members if not same(card)
    ]
    return [Problem("task", task.task_id, what) for what in found]


def _membership(tasks: Iterable[TaskRow], cards: Iterable[Card]) -> list[Problem]:
    known = {task.task_id for task in tasks}
    return [
        Problem("task_id", card.uid, f"belongs to task {card.task_id}, which does not exist")
        for card in cards
        if card.task_id is not None and card.task_id not in known
    ]


def _split_problems(cards: Iterable[Card]) -> list[Problem]:
    """Nothing to prove when the store is not split."""
    sides = {name: [card for card in cards if card.split == name] for name in ("train", "eval")}
    if not sides["eval"]:
        return []
    report = decontaminate.check(sides["train"], sides["eval"])
    return [
        Problem("contamination", item.value, f"shared {item.property}: train {item.train[0]}, eval {item.eval[0]}")
        for item in report.violations
    ]
