"""Tasks that come with the package, found by name, in place: no repository is needed.  No torch."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, get_args

from passnet.authored import one_line
from passnet.errors import InfrastructureError, UsageError
from passnet.writing import copy_tree, new_directory

# Split -> its directory in the package. The words are those of `passnet tasks list --split`.
SPLITS = {"bundled": "tasks", "eval": "evaluation", "cases": "cases"}
# Names of several tasks at once -> what they stand for, below `home()`.
SETS = {**SPLITS, "demo": "demo.txt"}
# What limits eager on a GPU.
Regime = Literal["launch", "mixed", "work"]
REGIMES: tuple[Regime, ...] = get_args(Regime)
INDEX = "index.json"


@dataclass(frozen=True)
class ShippedTask:
    """One row of `index.json`.

    `split` and `kind` say where it is from. `regime` is estimated for its largest variant on a large GPU: `launch`
    (eager's work is shorter than its launches), `mixed`, or `work` (at least three times as long). `passes` is the
    number of pass files that it brings.
    """

    task: str
    split: str
    kind: str
    regime: str
    graphs: int
    dtypes: tuple[str, ...]
    operators: int
    model: str
    largest_bytes: int
    passes: int

    @property
    def path(self) -> Path:
        """The directory of the task in the installed package."""
        return home() / SPLITS[self.split] / self.task

    def to_json(self) -> dict[str, object]:
        """The row of `passnet tasks list --json`."""
        return {**vars(self), "dtypes": list(self.dtypes)}


@cache
def home() -> Path:
    """The directory of bundled data in the installed package.

    Errors: `InfrastructureError` when the package does not lie in a directory, or lacks its data.
    """
    place = Path(str(files("passnet") / "data"))
    if not (place / INDEX).is_file():
        raise InfrastructureError(f"{place / INDEX}: the bundled tasks are missing; install the package again")
    return place


@cache
def all_tasks() -> tuple[ShippedTask, ...]:
    """All bundled tasks in the order of their index: those with passes first."""
    rows = json.loads((home() / INDEX).read_text(encoding="utf-8"))["tasks"]
    return tuple(ShippedTask(**{**row, "dtypes": tuple(row["dtypes"])}) for row in rows)


def select(
    names: Sequence[str] = (), *, split: str | None = None, kind: str | None = None, regime: str | None = None
) -> list[ShippedTask]:
    """The tasks of these names (none: of any name) that have this split, kind and regime.

    A name is that of a task or of a set. Errors: `UsageError` for an unknown name or value, or when nothing is left.
    """
    for option, value, known in (
        ("--split", split, tuple(SPLITS)),
        ("--kind", kind, kinds()),
        ("--regime", regime, REGIMES),
    ):
        if value is not None and value not in known:
            raise UsageError(f"unknown {option[2:]} {value!r}", field=option, expected=f"one of {', '.join(known)}")
    wanted = {task for name in names for task in _members(name)}
    found = [
        row
        for row in all_tasks()
        if (not names or row.task in wanted)
        and split in (None, row.split)
        and kind in (None, row.kind)
        and regime in (None, row.regime)
    ]
    if not found:
        raise UsageError("no bundled task is all of that", hint="`passnet tasks list` shows split, kind and regime")
    return found


def kinds() -> tuple[str, ...]:
    """The kinds of bundled tasks."""
    return tuple(dict.fromkeys(row.kind for row in all_tasks()))


def place_of(name: str) -> Path | None:
    """The directory or list that a name of a task or of a set stands for. None when nothing bundled has the name."""
    if name in SETS:
        return home() / SETS[name]
    found = _by_name().get(name)
    return None if found is None else found.path


def nearest(name: str) -> str | None:
    """A question for the bundled names that are most like this one. None where nothing is like it."""
    near = difflib.get_close_matches(name, [*_by_name(), *SETS], n=3)
    return f"did you mean {' or '.join(near)}?" if near else None


def unknown(name: str) -> UsageError:
    """The error for a name of nothing bundled, with the nearest names."""
    hint = nearest(name) or "`passnet tasks list` names them"
    return UsageError(f"no bundled task is called {one_line(name)!r}", hint=hint)


def export(tasks: Sequence[ShippedTask], out: Path, *, overwrite: bool = False) -> list[Path]:
    """Copies tasks to `out`, a directory for each. Returns the directories.

    Nothing is written when one of them exists (unless `overwrite`); a task is written whole or not at all. Errors:
    `UsageError`, `StorageError`.
    """
    places = [out / row.task for row in tasks]
    taken = next((place for place in places if place.exists()), None)
    if taken is not None and not overwrite:
        raise UsageError("already exists", path=taken, hint="choose another --out, or give --overwrite")
    for row, place in zip(tasks, places, strict=True):
        with new_directory(place, overwrite=overwrite) as directory:
            # Installing compiles every Python file of a package, also those of tasks.
            copy_tree(row.path, directory, without=["__pycache__"])
            (directory / "pass_dir").mkdir(exist_ok=True)
    return places


def _members(name: str) -> tuple[str, ...]:
    """The tasks that a name stands for."""
    if name in SPLITS:
        return tuple(row.task for row in all_tasks() if row.split == name)
    if name in SETS:
        lines = (home() / SETS[name]).read_text(encoding="utf-8").split()
        return tuple(line.rpartition("/")[2] for line in lines)
    if name not in _by_name():
        raise unknown(name)
    return (name,)


@cache
def _by_name() -> dict[str, ShippedTask]:
    return {row.task: row for row in all_tasks()}
