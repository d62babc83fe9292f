"""Proves or refutes that two sets of graphs share no operator sequence, no structure and no model family."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from passnet.authored import one_line
from passnet.dataset.exchange.importing import RefusedSample, incomplete, read_directory
from passnet.dataset.layout import naming_root
from passnet.dataset.tables.cards import Card, CardMaker, read_cards
from passnet.dataset.tables.rows import Row
from passnet.errors import UsageError, counted
from passnet.graph import Task, find_graphs
from passnet.graph.listing import find_entry, read_entries
from passnet.graph.task import GRAPH_LIST

Property = Literal["sequence", "structure", "family"]
# A store, a Parquet file, a tree of directories, a list (txt, csv, uids), or rows.
Graphs = Path | str | Iterable[Row | Card]
UNKNOWN = "(unknown family)"
_EXAMPLES = 5
_NEEDS_STORE = "uids and paths inside a store need the store"


@dataclass(frozen=True)
class Contamination:
    """Something that both sides have: its value (operators joined by spaces, a hash, a family) and where it occurs."""

    property: Property
    value: str
    train: tuple[str, ...]
    eval: tuple[str, ...]
    train_count: int
    eval_count: int


@dataclass(frozen=True)
class Report:
    """The result.  `refused` are directories that could not be read, so nothing is proved about them."""

    train_graphs: int
    eval_graphs: int
    violations: tuple[Contamination, ...]
    refused: tuple[RefusedSample, ...] = ()

    @property
    def clean(self) -> bool:
        """Both sides were read completely, hold something, and share nothing."""
        return not self.violations and not self.refused and self.train_graphs > 0 and self.eval_graphs > 0

    def count(self, name: Property) -> int:
        """Violations of one property."""
        return sum(violation.property == name for violation in self.violations)

    def text(self) -> str:
        """A verdict and one line per violation."""
        lines = [
            f"train {counted(self.train_graphs, 'graph')}, eval {counted(self.eval_graphs, 'graph')}: "
            + ("nothing is shared" if self.clean else "NOT proved to be apart")
        ]
        for side, count in (("train", self.train_graphs), ("eval", self.eval_graphs)):
            if not count:
                lines.append(f"  {side} is empty")
        lines += [f"  not read: {item.path}: {item.reason}" for item in self.refused]
        for item in self.violations:
            where = f"train {item.train[0]} ({item.train_count}), eval {item.eval[0]} ({item.eval_count})"
            lines.append(f"  shared {item.property} {item.value}: {where}")
        return "\n".join(map(one_line, lines))


def check(train: Graphs, eval: Graphs, *, store: Path | str | None = None) -> Report:
    """Compare two sets of graphs, each given as a store, Parquet file, tree, list, rows or cards.

    The entries of a list are looked up in `store` when it is given. Otherwise they are directories of graphs or tasks
    relative to the list.  Graphs without a known family on both sides count as sharing one.  Errors: `UsageError` for
    anything that cannot be found.
    """
    refused: list[RefusedSample] = []
    sides = [_Side(_cards(graphs, store, refused)) for graphs in (train, eval)]
    violations = [
        _violation(name, value, sides)
        for name in _PROPERTIES
        for value in sorted(sides[0].values[name].keys() & sides[1].values[name].keys())
    ]
    return Report(sides[0].count, sides[1].count, tuple(violations), tuple(refused))


def _families(card: Card) -> Iterable[str]:
    return {name or UNKNOWN for name in (*card.families, card.family)}


_PROPERTIES: Mapping[Property, Callable[[Card], Iterable[str]]] = {
    "sequence": lambda card: (" ".join(card.op_names),),
    "structure": lambda card: (card.structure_hash,),
    "family": _families,
}


class _Side:
    """Every value that one side has, with the first graphs that have it."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self.count = 0
        self.values: dict[Property, dict[str, list[str]]] = {name: {} for name in _PROPERTIES}
        self.occurrences: dict[tuple[Property, str], int] = {}
        for card in cards:
            self.count += 1
            for name, values_of in _PROPERTIES.items():
                for value in values_of(card):
                    self._add(name, value, card.path)

    def _add(self, name: Property, value: str, path: str) -> None:
        self.occurrences[name, value] = self.occurrences.get((name, value), 0) + 1
        examples = self.values[name].setdefault(value, [])
        if len(examples) < _EXAMPLES:
            examples.append(path)


def _violation(name: Property, value: str, sides: list[_Side]) -> Contamination:
    train, evaluation = sides
    return Contamination(
        property=name,
        value=value,
        train=tuple(train.values[name][value]),
        eval=tuple(evaluation.values[name][value]),
        train_count=train.occurrences[name, value],
        eval_count=evaluation.occurrences[name, value],
    )


def _cards(graphs: Graphs, store: Path | str | None, refused: list[RefusedSample]) -> Iterator[Card]:
    if not isinstance(graphs, (Path, str)):
        maker = CardMaker()
        yield from (maker.of_row(item) if isinstance(item, Row) else item for item in graphs)
        return
    path = Path(graphs)
    if not path.exists():
        raise UsageError("no such file or directory", path=path)
    if path.is_file() and path.suffix != ".parquet":
        yield from _listed(path, store, refused)
    elif path.is_file() or _holds_parquet(path):
        yield from read_cards(path)
    else:
        yield from _tree(path, refused)


def _holds_parquet(path: Path) -> bool:
    return any(path.glob("*.parquet"))


def _tree(root: Path, refused: list[RefusedSample]) -> Iterator[Card]:
    """The graphs at or below a directory, named from `samples` on where the path has that part: it names the model."""
    maker = CardMaker()
    for directory in find_graphs(root):
        for item in read_directory(directory, naming_root(directory, root)):
            if isinstance(item, Row):
                yield maker.of_row(item)
            elif not item.part:
                refused.append(item)
    refused.extend(incomplete(root))


def _listed(path: Path, store: Path | str | None, refused: list[RefusedSample]) -> Iterator[Card]:
    entries = read_entries(path)
    if store is not None:
        from passnet.dataset.exchange.lists import named_cards

        yield from named_cards(store, [entry.path for entry in entries])
        return
    for entry in entries:
        yield from _entry(find_entry(path, entry, hint=_NEEDS_STORE), path, refused)


def _entry(directory: Path, listing: Path, refused: list[RefusedSample]) -> Iterator[Card]:
    """The graphs of one entry: those that its `graph_list.txt` names when it is a task, else those below it."""
    if not directory.is_dir():
        raise UsageError(
            "names no directory", path=listing, field=directory.name, expected="a graph or a task", hint=_NEEDS_STORE
        )  # fmt: skip
    is_task = (directory / GRAPH_LIST).is_file()
    graphs = [ref.path for ref in Task.read(directory).refs] if is_task else find_graphs(directory)
    if not graphs:
        raise UsageError("no graph here", path=directory)
    for graph in graphs:
        yield from _tree(graph, refused)
