"""`Card`: the few facts of a graph for grouping, splitting and checking. Sixty thousand fit in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from passnet.dataset.tables.rows import Row

T = TypeVar("T")
# Shape -> its buckets, one per dimension.
Buckets = tuple[tuple[int, ...], ...]

COLUMNS = (
    "uid", "path", "kind", "op_names", "structure_hash", "dtype", "shape_index", "input_shapes", "library", "family",
    "families", "domain", "split", "task_id",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Card:
    """A graph's identity, operators, shape buckets and origins."""

    uid: str
    path: str
    kind: str
    op_names: tuple[str, ...]
    structure_hash: str
    dtype: str
    shape_index: int | None
    buckets: Buckets
    library: str
    family: str
    families: tuple[str, ...]
    domain: str
    split: str | None = None
    task_id: str | None = None

    @property
    def group(self) -> tuple[str, tuple[str, ...]]:
        """The key of a task: the kind and the operators in order."""
        return self.kind, self.op_names


def bucket(dim: int) -> int:
    """floor(log2 d) // 4: dimensions within a factor of 16 share a bucket. An empty dimension has -1."""
    return (dim.bit_length() - 1) // 4


class CardMaker:
    """Makes cards that share their common parts."""

    def __init__(self) -> None:
        self._seen: dict[object, Any] = {}

    def of_row(self, row: Row) -> Card:
        """The card of a row."""
        plain = {name: getattr(row, name) for name in COLUMNS if name != "input_shapes"}
        return self._card(plain, row.specs.shapes)

    def of_record(self, record: Mapping[str, Any]) -> Card:
        """The card of a record of the stored table."""
        return self._card(record, record["input_shapes"])

    def _card(self, record: Mapping[str, Any], shapes: Iterable[Sequence[int]]) -> Card:
        return Card(
            uid=record["uid"],
            path=record["path"],
            kind=self._shared(record["kind"]),
            op_names=self._shared(tuple(self._shared(name) for name in record["op_names"])),
            structure_hash=self._shared(record["structure_hash"]),
            dtype=self._shared(record["dtype"]),
            shape_index=record["shape_index"],
            buckets=self._shared(tuple(self._shared(tuple(bucket(dim) for dim in shape)) for shape in shapes)),
            library=self._shared(record["library"]),
            family=self._shared(record["family"]),
            families=self._shared(tuple(self._shared(name) for name in record["families"])),
            domain=self._shared(record["domain"]),
            split=record["split"],
            task_id=record["task_id"],
        )

    def _shared(self, value: T) -> T:
        shared: T = self._seen.setdefault(value, value)
        return shared


def read_cards(path: Path | str) -> Iterator[Card]:
    """The cards of a store, of a directory of Parquet files or of one, in order."""
    from passnet.dataset.tables.store import read_records

    maker = CardMaker()
    for record in read_records(path, COLUMNS):
        yield maker.of_record(record)
