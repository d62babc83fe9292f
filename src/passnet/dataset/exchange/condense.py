"""Makes a small store of a large one: one graph of every piece, and the evaluation tasks whole."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from passnet.dataset import layout
from passnet.dataset.exchange.exporting import ExportedDataset
from passnet.dataset.split.grouping import make_tasks, task_order
from passnet.dataset.split.rarity import rarities
from passnet.dataset.split.split import EVAL
from passnet.dataset.tables import store
from passnet.dataset.tables.cards import Card, read_cards
from passnet.dataset.tables.fitting import rows_of
from passnet.errors import UsageError


def condense(path: Path | str, out: Path | str, *, overwrite: bool = False) -> ExportedDataset:
    """Write a smaller store: the captured graph of each piece, and all graphs of evaluation tasks.

    Other tasks are made again from the remaining graphs. The missing graphs can be made again, because variants follow
    from the captured graph (`passnet.dataset.vary.generalise`). Errors: UsageError for a store without graphs and when
    `out` exists (unless `overwrite`).
    """
    held = [task for task in store.read_tasks(path) if task.split == EVAL]
    whole = {uid for task in held for uid in task.uids}
    kept = whole | _representatives(read_cards(path))
    if not kept:
        raise UsageError("the dataset holds no graphs", path=path)
    others = [card for card in read_cards(path) if card.uid in kept and card.split != EVAL]
    tasks = sorted([*held, *make_tasks(others, rarities=rarities(card.op_names for card in others))], key=task_order)
    of_group = {(task.split, task.kind, task.op_names): task for task in tasks}
    notes = store.read_notes(path)
    with rows_of(path), store.create(out, notes, overwrite=overwrite, read=[Path(path)]) as writer:
        for row in store.read_rows(path, store.Where(uids=frozenset(kept))):
            task = of_group.get((row.split, *row.group))
            task_id = None if task is None else task.task_id
            writer.add(replace(row, task_id=task_id, in_task=task is not None and row.uid in task.uids))
        for task in tasks:
            writer.add_task(task)
    return ExportedDataset(Path(out), len(kept), len(tasks))


def _representatives(cards: Iterable[Card]) -> set[str]:
    """Of the variants of every piece the captured one, else the first."""
    best: dict[tuple[str, str], tuple[tuple[bool, bool, str], str]] = {}
    for card in cards:
        piece = card.path[max(0, card.path.find(f"{layout.SAMPLES}/")) :]
        rank = (card.shape_index not in {layout.ORIGINAL, None}, card.dtype != "float32", card.uid)
        if (card.kind, piece) not in best or rank < best[card.kind, piece][0]:
            best[card.kind, piece] = rank, card.uid
    return {uid for _, uid in best.values()}
