"""Makes the finished dataset from rows in any order: sorted, split, grouped into tasks, stored."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from passnet.authored import one_line
from passnet.dataset.layout import TASK_KINDS
from passnet.dataset.split.grouping import GroupSettings, make_tasks
from passnet.dataset.split.rarity import rarities
from passnet.dataset.split.split import TRAIN, Split, SplitSettings, choose
from passnet.dataset.tables import sorting, store
from passnet.dataset.tables.cards import Card, CardMaker
from passnet.dataset.tables.fitting import rows_of
from passnet.dataset.tables.rows import Row
from passnet.dataset.tables.task_row import TaskRow
from passnet.errors import counted
from passnet.writing import refuse_replacing, refuse_taken

TaskMaker = Callable[[list[Card]], list[TaskRow]]


@dataclass(frozen=True)
class Assembled:
    """The content of a dataset: graphs and tasks by (split, kind), families held out, and repeated rows."""

    path: Path
    graphs: Mapping[tuple[str, str], int]
    tasks: Mapping[tuple[str, str], int]
    held_out: tuple[str, ...] = ()
    duplicates: int = 0
    # Kind -> evaluation tasks that were wanted and could not be had.
    short: Mapping[str, int] | None = None

    def text(self) -> str:
        """A few lines for people."""
        lines = [
            f"{self.path}: {counted(sum(self.graphs.values()), 'graph')} in {counted(sum(self.tasks.values()), 'task')}"
        ]
        for split, kind in sorted(self.graphs.keys() | self.tasks.keys()):
            tasks, graphs = self.tasks.get((split, kind), 0), self.graphs.get((split, kind), 0)
            lines.append(f"  {split or 'unsplit'} {kind}: {counted(graphs, 'graph')}, {counted(tasks, 'task')}")
        if self.held_out:
            lines.append(f"  {len(self.held_out)} model families held out: {', '.join(self.held_out)}")
        if self.duplicates:
            lines.append(f"  {self.duplicates} rows came twice and were left out")
        lines += [
            f"  {missing} {kind} evaluation tasks fewer than wanted" for kind, missing in (self.short or {}).items()
        ]
        return "\n".join(map(one_line, lines))


def assemble(
    rows: Iterable[Row],
    out: Path | str,
    *,
    notes: Mapping[str, object] | None = None,
    split: SplitSettings | None = None,
    tasks: TaskMaker | None = None,
    overwrite: bool = False,
) -> Assembled:
    """Sort, split and group the rows and store them at `out`, all or nothing. Memory holds one `Card` a row.

    Without `split` the rows keep no split and every graph may be in a task.  Earlier splits and tasks of the rows are
    forgotten.  `tasks` makes tasks of the cards in place of `make_tasks`.  `notes` (JSON values: versions, licences,
    ...) are kept in the files.
    """
    refuse_taken(Path(out), overwrite=overwrite)
    with _spooled(rows, Path(out)) as spool:
        plan = choose(spool.cards, split) if split is not None else None
        cards = spool.cards if plan is None else [_labelled(card, plan) for card in spool.cards]
        made = tasks(cards) if tasks is not None else _grouped(cards, plan)
        place = _Places(cards, made, plan, by_group=tasks is None)
        found = {**(notes or {}), "groups": asdict(GroupSettings())} | _plan_notes(plan, split)
        with store.create(out, found, overwrite=overwrite) as writer:
            for row in sorting.merge(spool.runs):
                writer.add(place.row(row))
            for task in made:
                writer.add_task(task)
    return _summary(Path(out), cards, made, plan, split, spool.given - len(cards))


@dataclass(frozen=True)
class _Spool:
    """Sorted runs of the rows, the cards of the distinct ones, and how many were given."""

    runs: list[Path]
    cards: list[Card]
    given: int


@contextmanager
def _spooled(rows: Iterable[Row], out: Path) -> Iterator[_Spool]:
    """The rows on disk beside `out` while the block runs."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name[:60]}.runs.", dir=out.parent) as directory:
        cards: dict[str, Card] = {}
        maker = CardMaker()
        given = 0

        def watched() -> Iterator[Row]:
            nonlocal given
            for row in rows:
                given += 1
                clean = replace(row.with_all_origins(), split=None, task_id=None, in_task=False)
                cards.setdefault(clean.uid, maker.of_row(clean))
                yield clean

        runs = sorting.spill(watched(), Path(directory))
        yield _Spool(runs, list(cards.values()), given)


def _labelled(card: Card, plan: Split) -> Card:
    """The card as its row will be: with its split, and without held-out families if it is for training."""
    label = plan.label(card)
    kept = card.families if label != TRAIN else tuple(name for name in card.families if name not in plan.held_out)
    return replace(card, split=label, families=kept)


def _grouped(cards: list[Card], plan: Split | None) -> list[TaskRow]:
    if plan is None:
        return make_tasks(cards, rarities=rarities(card.op_names for card in cards if card.kind in TASK_KINDS))
    return make_tasks(cards, rarities=plan.rarities, ranks=plan.ranks)


class _Places:
    """Gives each row its split and task, and removes held-out origins from training rows."""

    def __init__(self, cards: list[Card], tasks: Iterable[TaskRow], plan: Split | None, *, by_group: bool) -> None:
        self._splits = {card.uid: card.split for card in cards}
        self._held_out = plan.held_out if plan is not None else frozenset()
        self._of_group: dict[tuple[object, ...], str] = {}
        self._of_member: dict[str, str] = {}
        for task in tasks:
            if by_group:
                self._of_group[task.split, task.kind, task.op_names] = task.task_id
            for uid in task.uids:
                self._of_member.setdefault(uid, task.task_id)

    def row(self, row: Row) -> Row:
        split = self._splits[row.uid]
        if split == TRAIN and not self._held_out.isdisjoint(row.families):
            row = row.without_origins(self._held_out)
        task_id = self._of_member.get(row.uid) or self._of_group.get((split, *row.group))
        return replace(row, split=split, task_id=task_id, in_task=row.uid in self._of_member)


def _plan_notes(plan: Split | None, settings: SplitSettings | None) -> dict[str, object]:
    if plan is None or settings is None:
        return {}
    return {"split": {**asdict(settings), "held_out": sorted(plan.held_out)}}


def _summary(
    path: Path,
    cards: list[Card],
    tasks: list[TaskRow],
    plan: Split | None,
    settings: SplitSettings | None,
    duplicates: int,
) -> Assembled:
    ranks = Counter(kind for kind, _ in plan.ranks) if plan is not None else Counter()
    wanted = settings.wanted if settings is not None else {}
    return Assembled(
        path=path,
        graphs=Counter((card.split or "", card.kind) for card in cards),
        tasks=Counter((task.split or "", task.kind) for task in tasks),
        held_out=tuple(sorted(plan.held_out)) if plan is not None else (),
        duplicates=duplicates,
        short={kind: count - ranks[kind] for kind, count in sorted(wanted.items()) if ranks[kind] < count},
    )


def resplit(
    path: Path | str,
    out: Path | str,
    *,
    split: SplitSettings,
    overwrite: bool = False,
) -> Assembled:
    """Split a stored dataset again into another store (`out` may be `path` with `overwrite`). Its notes are kept."""
    if overwrite and os.path.realpath(out) != os.path.realpath(path):
        refuse_replacing(Path(out), [Path(path)])
    notes = {name: value for name, value in store.read_notes(path).items() if name not in {"split", "groups"}}
    with rows_of(path):
        return assemble(store.read_rows(path), out, notes=notes, split=split, overwrite=overwrite)
