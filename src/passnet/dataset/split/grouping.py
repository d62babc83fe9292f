"""Makes tasks of graphs: one task per kind and sequence of operators, holding one graph per shape bucket and dtype."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from passnet.dataset import layout
from passnet.dataset.tables.cards import Buckets, Card
from passnet.dataset.tables.task_row import TaskRow, task_id_of
from passnet.errors import UsageError

Group = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class GroupSettings:
    """How large a task may be.

    `cap`: graphs per task.  Published tasks hold up to 396. 30 is every shape of one piece (10) in every dtype (3), so
    that only tasks that mix many models lose buckets.  `dtypes`: how many a task may mix.
    """

    cap: int = 30
    dtypes: int = 3

    def __post_init__(self) -> None:
        if self.dtypes < 1 or self.cap < self.dtypes:
            raise UsageError("cap is too small", expected=f"at least {max(1, self.dtypes)}", found=self.cap)


@dataclass
class _Pile:
    """The graphs of one sequence of operators: the head of each bucket, and counts over all."""

    heads: dict[Buckets, dict[str, Card]] = field(default_factory=dict)
    total: int = 0

    def add(self, card: Card) -> None:
        self.total += 1
        by_dtype = self.heads.setdefault(card.buckets, {})
        known = by_dtype.get(card.dtype)
        if known is None or _precedence(card) < _precedence(known):
            by_dtype[card.dtype] = card

    def chosen(self, settings: GroupSettings) -> list[Card]:
        """Sort by dtype, then from small shapes to large ones."""
        names = {dtype for by_dtype in self.heads.values() for dtype in by_dtype}
        dtypes = sorted(names, key=_dtype_order)[: settings.dtypes]
        kept = [buckets for buckets in self.heads if any(dtype in self.heads[buckets] for dtype in dtypes)]
        shapes = evenly(sorted(kept, key=_size), settings.cap // len(dtypes))
        return [self.heads[shape][dtype] for dtype in dtypes for shape in shapes if dtype in self.heads[shape]]


def make_tasks(
    cards: Iterable[Card],
    settings: GroupSettings | None = None,
    *,
    rarities: Mapping[tuple[str, ...], float] | None = None,
    ranks: Mapping[Group, int] | None = None,
) -> list[TaskRow]:
    """The tasks of these graphs, sorted by split, kind, rank and operators. Full graphs belong to none.

    A bucket is (kind, operators, shape buckets of all inputs, dtype). Its head is the graph of original shape, if there
    is one, with the first path.  A task holds the heads of every shape bucket in up to three dtypes (float32, float16,
    bfloat16 first).  Beyond `cap`, it keeps shape buckets evenly spaced between smallest and largest, each with all its
    dtypes.  Reserve graphs make a task only where no other split has the same operators.
    """
    piles: dict[tuple[str | None, Group], _Pile] = {}
    for card in cards:
        if card.kind in layout.TASK_KINDS:
            piles.setdefault((card.split, card.group), _Pile()).add(card)
    taken = {group for split, group in piles if split != "reserve"}
    tasks = []
    for (split, (kind, ops)), pile in piles.items():
        if split != "reserve" or (kind, ops) not in taken:
            made = task_of(pile.chosen(settings or GroupSettings()), split=split, total=pile.total)
            tasks.append(replace(made, rarity=(rarities or {}).get(ops), rank=(ranks or {}).get((kind, ops))))
    return sorted(tasks, key=task_order)


def task_of(cards: Sequence[Card], *, split: str | None, total: int) -> TaskRow:
    """The task that holds these graphs. Its kind and operators are those of the first."""
    uids = tuple(card.uid for card in cards)
    return TaskRow(
        task_id=task_id_of(uids),
        kind=cards[0].kind,
        split=split,
        op_names=cards[0].op_names,
        uids=uids,
        total_graphs=total,
        dtypes=tuple(dict.fromkeys(card.dtype for card in cards)),
        structures=_distinct(card.structure_hash for card in cards),
        families=_distinct(family for card in cards for family in card.families),
        libraries=_distinct(card.library for card in cards),
        domains=_distinct(card.domain for card in cards),
    )


def evenly(items: Sequence[Buckets], count: int) -> list[Buckets]:
    """`count` of the items, first and last among them, evenly spaced. All when there are no more."""
    if len(items) <= count:
        return list(items)
    if count == 1:
        return [items[0]]
    return [items[round(place * (len(items) - 1) / (count - 1))] for place in range(count)]


def _precedence(card: Card) -> tuple[bool, str, str]:
    return card.shape_index != layout.ORIGINAL, card.path, card.uid


def _dtype_order(dtype: str) -> tuple[int, str]:
    return (layout.DTYPES.index(dtype) if dtype in layout.DTYPES else len(layout.DTYPES)), dtype


def _size(buckets: Buckets) -> tuple[int, Buckets]:
    """Small shapes first: the sum of all buckets grows with the size of all inputs together."""
    return sum(sum(shape) for shape in buckets), buckets


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(values)))


def task_order(task: TaskRow) -> tuple[str, int, int, tuple[str, ...]]:
    """The order of tables: split, kind, rank, operators."""
    rank = task.rank if task.rank is not None else 1 << 30
    return task.split or "", layout.KINDS.index(task.kind), rank, task.op_names
