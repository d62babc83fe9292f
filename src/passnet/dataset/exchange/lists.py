"""Lists of tasks or graphs as text, CSV and uids, and the rows that a list names."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Literal

from passnet.dataset.exchange.exporting import task_path
from passnet.dataset.tables import store
from passnet.dataset.tables.cards import Card, read_cards
from passnet.dataset.tables.store import Where
from passnet.errors import UsageError
from passnet.writing import new_directory, write_new

Of = Literal["tasks", "graphs"]
_TASK_COLUMNS = ("path", "task_id", "kind", "split", "num_graphs", "num_ops", "rarity", "rank")
_GRAPH_COLUMNS = (
    "path",
    "uid",
    "kind",
    "split",
    "task_id",
    "dtype",
    "shape_index",
    "library",
    "model",
    "family",
    "num_ops",
)
_RECORD = dict[str, object]


def write_lists(
    path: Path | str, out: Path | str, *, of: Of = "tasks", where: Where | None = None, overwrite: bool = False
) -> list[Path]:
    """Write one list per split and kind into `out`: `<split>_<kind>.txt` (paths), `.csv`, `.uids.txt`.

    Paths are those that an export of the same form writes, uids are task ids for tasks.  Lists of graphs are also
    written as published ones are, `.tsv`: uid, tab, path.  Returns the files.
    """
    records = _task_records(path, where) if of == "tasks" else _graph_records(path, where)
    columns = _TASK_COLUMNS if of == "tasks" else _GRAPH_COLUMNS
    groups: dict[str, list[_RECORD]] = {}
    for record in records:
        groups.setdefault(f"{record['split'] or 'all'}_{record['kind']}", []).append(record)
    out = Path(out)
    written: list[Path] = []
    with new_directory(out, overwrite=overwrite, read=[Path(path)]) as directory:
        for stem, group in sorted(groups.items()):
            for name, text in _texts(stem, group, columns).items():
                write_new(directory, name, text)
                written.append(out / name)
    return written


def _task_records(path: Path | str, where: Where | None) -> Iterator[_RECORD]:
    for task in store.read_tasks(path, where):
        record: _RECORD = {name: getattr(task, name) for name in _TASK_COLUMNS if name != "path"}
        yield record | {"path": task_path(task)}


def _graph_records(path: Path | str, where: Where | None) -> Iterator[_RECORD]:
    yield from store.read_records(path, _GRAPH_COLUMNS, where)


def _texts(stem: str, records: list[_RECORD], columns: tuple[str, ...]) -> dict[str, str]:
    table = io.StringIO()
    writer = csv.DictWriter(table, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    pairs = "".join(f"{record['uid']}\t{record['path']}\n" for record in records if "uid" in columns)
    return ({f"{stem}.tsv": pairs} if pairs else {}) | {
        f"{stem}.txt": "".join(f"{record['path']}\n" for record in records),
        f"{stem}.csv": table.getvalue(),
        f"{stem}.uids.txt": "".join(f"{record[columns[1]]}\n" for record in records),
    }


def named_cards(path: Path | str, entries: Iterable[str]) -> list[Card]:
    """The cards of a store that the entries of a list name: uids, paths of graphs, task ids or paths of tasks.

    A task stands for the graphs that it holds.  Errors: `UsageError` for an entry that names nothing in the store.
    """
    wanted = dict.fromkeys(entry.strip().strip("/") for entry in entries)
    of_task: dict[str, tuple[str, ...]] = {}
    for task in store.read_tasks(path):
        of_task |= dict.fromkeys((task.task_id, task_path(task), task.directory), task.uids)
    uids = {uid for entry in wanted for uid in of_task.get(entry) or of_task.get(PurePosixPath(entry).name, ())}
    known = {entry for entry in wanted if entry in of_task or PurePosixPath(entry).name in of_task}
    found = []
    for card in read_cards(path):
        names = {card.uid, card.path, f"graphs/{card.path}"} & wanted.keys()
        known |= names
        if names or card.uid in uids:
            found.append(card)
    unknown = [entry for entry in wanted if entry not in known]
    if unknown:
        raise UsageError(f"{len(unknown)} entries are not in the store", path=path, found=unknown[0])
    return found
