"""The content of a dataset in numbers, counted in one pass over the needed columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from passnet.dataset.capture.record import read_records
from passnet.dataset.examine.capture_stats import CaptureStats, largest_first, of_records
from passnet.dataset.layout import FULL, KINDS, ORIGINAL
from passnet.dataset.tables import store
from passnet.dataset.tables.schema import Record
from passnet.dataset.tables.task_row import TaskRow

_COLUMNS = (
    "kind", "split", "structure_hash", "op_names", "dtype", "shape_index", "library", "model", "family", "families",
    "domain", "input_bytes",
)  # fmt: skip
_GRAM_LENGTHS = (2, 3, 4)
_KEPT = 40
_SEPARATOR = " → "


@dataclass(frozen=True)
class Stats:
    """Counts over a store. Every mapping is in the order in which it is shown.

    - `op_frequency`: occurrences in distinct structures.
    - `patterns`: length -> operators -> count. Runs of consecutive operators in distinct structures that are pieces.
    - `sequences`: pieces per whole sequence.
    - `sizes`: distinct structures by number of operations.
    - `memory`: graphs by bytes of inputs.
    - `variants`: structures by number of graphs.
    - `tables`: split -> kind -> {"graphs", "structures", "tasks"}.
    """

    name: str
    graphs: int
    structures: int
    tasks: int
    models: int
    families_total: int
    operators: int
    bytes_on_disk: int
    tables: Mapping[str, Mapping[str, Mapping[str, int]]]
    kinds: Mapping[str, int]
    dtypes: Mapping[str, int]
    domains: Mapping[str, int]
    libraries: Mapping[str, int]
    families: Mapping[str, int]
    shapes: Mapping[str, int]
    sizes: Mapping[str, int]
    memory: Mapping[str, int]
    variants: Mapping[str, int]
    task_sizes: Mapping[str, int]
    op_frequency: Mapping[str, int]
    patterns: Mapping[int, Mapping[str, int]]
    sequences: Mapping[str, int]
    notes: Record = field(default_factory=dict)
    capture: CaptureStats | None = None

    @property
    def contents(self) -> list[tuple[str, ...]]:
        """The rows of `tables` as text: split, kind, graphs, structures, tasks."""
        return [
            (split, kind, *(str(cell[word]) for word in ("graphs", "structures", "tasks")))
            for split, kinds in self.tables.items()
            for kind, cell in kinds.items()
        ]

    def data(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return asdict(self)


def of_store(path: Path | str, records: Path | None = None) -> Stats:
    """Count a store, and the capture records of its build (a JSON-lines file) when they are given.

    Errors: `UsageError` when there is no readable store.
    """
    counting = _Counting()
    for record in store.read_records(path, _COLUMNS):
        counting.add(record)
    for task in store.read_tasks(path) if store.is_store(path) else ():
        counting.add_task(task)
    size = sum(file.stat().st_size for file in Path(path).rglob("*.parquet")) if Path(path).is_dir() else 0
    captured = of_records(read_records(records).values()) if records is not None else None
    return counting.stats(
        Path(path).resolve().name, size or Path(path).stat().st_size, store.read_notes(path), captured
    )


class _Counting:
    """The counters of one pass.  A structure is counted when it is first seen."""

    def __init__(self) -> None:
        self._by: dict[str, Counter[str]] = {
            name: Counter() for name in ("kind", "dtype", "domain", "library", "family")
        }
        self._structures: Counter[str] = Counter()
        self._models: set[tuple[str, str]] = set()
        self._families: set[str] = set()
        self._shapes: Counter[str] = Counter()
        self._sizes: Counter[int] = Counter()
        self._memory: Counter[int] = Counter()
        self._ops: Counter[str] = Counter()
        self._grams: dict[int, Counter[tuple[str, ...]]] = {length: Counter() for length in _GRAM_LENGTHS}
        self._sequences: Counter[tuple[str, ...]] = Counter()
        self._tables: dict[str, dict[str, Counter[str]]] = {}
        self._placed: set[tuple[str, str, str]] = set()
        self._task_sizes: Counter[int] = Counter()

    def add(self, record: Record) -> None:
        for name, counter in self._by.items():
            counter[record[name] or "unknown"] += 1
        self._models.add((record["library"], record["model"]))
        self._families.update(record["families"])
        index = record["shape_index"]
        self._shapes["none" if index is None else "original" if index == ORIGINAL else str(index)] += 1
        self._memory[record["input_bytes"].bit_length()] += 1
        ops = tuple(record["op_names"])
        structure = record["structure_hash"]
        if structure not in self._structures:
            self._sizes[len(ops)] += 1
            self._ops.update(ops)
        if record["kind"] != FULL:
            self._add_piece(ops, new=structure not in self._structures)
        self._structures[structure] += 1
        self._place(record["split"], record["kind"], structure)

    def _add_piece(self, ops: tuple[str, ...], *, new: bool) -> None:
        self._sequences[ops] += 1
        for length, grams in self._grams.items() if new else ():
            grams.update(ops[start : start + length] for start in range(len(ops) - length + 1))

    def _place(self, split: str | None, kind: str, structure: str) -> None:
        cell = self._tables.setdefault(split or "all", {}).setdefault(kind, Counter())
        cell["graphs"] += 1
        if (split or "all", kind, structure) not in self._placed:
            self._placed.add((split or "all", kind, structure))
            cell["structures"] += 1

    def add_task(self, task: TaskRow) -> None:
        self._task_sizes[task.num_graphs] += 1
        self._tables.setdefault(task.split or "all", {}).setdefault(task.kind, Counter())["tasks"] += 1

    def stats(self, name: str, size: int, notes: Mapping[str, object], capture: CaptureStats | None) -> Stats:
        return Stats(
            name=name,
            graphs=self._by["kind"].total(),
            structures=len(self._structures),
            tasks=self._task_sizes.total(),
            models=len(self._models),
            families_total=len(self._families),
            operators=len(self._ops),
            bytes_on_disk=size,
            tables=_table(self._tables),
            kinds={kind: self._by["kind"][kind] for kind in KINDS if kind in self._by["kind"]},
            dtypes=largest_first(self._by["dtype"]),
            domains=largest_first(self._by["domain"]),
            libraries=largest_first(self._by["library"]),
            families=largest_first(self._by["family"]),
            shapes=dict(sorted(self._shapes.items())),
            sizes=powers_of_two(self._sizes),
            memory=_memory(self._memory),
            variants=powers_of_two(Counter(self._structures.values())),
            task_sizes=powers_of_two(self._task_sizes),
            op_frequency=largest_first(self._ops),
            patterns={length: _frequent(grams) for length, grams in self._grams.items()},
            sequences=_frequent(self._sequences),
            notes=notes,
            capture=capture,
        )


def powers_of_two(counts: Mapping[int, int]) -> dict[str, int]:
    """A histogram with bins 0, 1, 2, 3-4, 5-8, 9-16, ... Empty bins between the first and the last are kept."""
    bins: Counter[int] = Counter()
    for value, count in counts.items():
        bins[_bin(value)] += count
    if not bins:
        return {}
    return {_bin_name(place): bins[place] for place in range(min(bins), max(bins) + 1)}


def _bin(value: int) -> int:
    """0 -> 0, 1 -> 1, 2 -> 2, 3 and 4 -> 3, 5 to 8 -> 4, ..."""
    return value if value <= 1 else (value - 1).bit_length() + 1


def _bin_name(place: int) -> str:
    if place <= 2:
        return str(place)
    return f"{2 ** (place - 2) + 1}-{2 ** (place - 1)}"


def _memory(bits: Mapping[int, int]) -> dict[str, int]:
    """Graphs by the size of their inputs, in steps of 16."""
    steps = ("0 B", "16 B", "256 B", "4 KB", "64 KB", "1 MB", "16 MB", "256 MB", "4 GB")
    bins: Counter[int] = Counter()
    for length, count in bits.items():
        bins[min(max(length - 1, 0) // 4, len(steps) - 1)] += count
    return {steps[place]: bins[place] for place in range(min(bins, default=0), max(bins, default=-1) + 1)}


def _frequent(counts: Counter[tuple[str, ...]]) -> dict[str, int]:
    found = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_KEPT]
    return {_SEPARATOR.join(ops): count for ops, count in found}


def _table(tables: Mapping[str, Mapping[str, Counter[str]]]) -> dict[str, dict[str, dict[str, int]]]:
    return {
        split: {
            kind: {word: tables[split][kind][word] for word in ("graphs", "structures", "tasks")}
            for kind in KINDS
            if kind in tables[split]
        }
        for split in sorted(tables)
    }
