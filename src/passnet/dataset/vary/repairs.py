"""Finds the literals of an operation that must follow the symbols, from its operands' shapes before and after a probe.

The probe runs the graph with every symbol multiplied by a different prime.  If the size of an operand grew, the
literals of that size (in a view, an expand, a slice, ...) must grow in the same way. The factor shows which symbol they
hold.  Some literals belong to no operand (the end of an `arange`, the sizes of `zeros`). Such a literal follows when it
equals a symbol or a product of symbols.  If there are several readings, they become a `Decision` with choices.  No
torch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from passnet.dataset.vary.arguments import Entries, aligned, argument, indexed_dims, is_size, operand, size_entries
from passnet.dataset.vary.dims import leaf
from passnet.dataset.vary.literals import Path
from passnet.dataset.vary.rules import Choice, Decision, FromEnd, Rule, Scale, Shape, ShapeOf, Share, Size, Units
from passnet.graph.text.program import Op, SliceValue, Value

MAX_CHOICES = 4


class Repairs:
    """Finds the decisions of each operation, given the shapes before and after the probe."""

    def __init__(self, units: Units, before: ShapeOf, after: ShapeOf) -> None:
        self.units, self.before, self.after = units, before, after

    def of(self, op: Op, result: Shape) -> list[Decision]:
        """The decisions of an operation whose original result has the shape `result`."""
        reader = _READERS.get(leaf(op))
        return [] if reader is None else [decision for decision in reader(self, op, result) if decision is not None]

    # --- literals that belong to an operand

    def view(self, op: Op, result: Shape) -> Iterator[Decision]:
        ref = operand(op)
        entries = size_entries(op, 1, "size", "shape")
        if ref is not None and len(entries) == len(result) and self.grew(ref):
            yield from self.regrouped(ref, range(len(self.before(ref))), entries, result)

    def unflatten(self, op: Op, result: Shape) -> Iterator[Decision]:
        ref, dim = operand(op), argument(op, 1, "dim")
        if ref is not None and isinstance(dim, int) and self.grew(ref):
            dim %= len(self.before(ref))
            entries = size_entries(op, 2, "sizes")
            yield from self.regrouped(ref, [dim], entries, result[dim : dim + len(entries)])

    def regrouped(self, ref: int, dims: Sequence[int], entries: Entries, result: Shape) -> Iterator[Decision]:
        """A view: sizes of the operand and of the result fall into groups of equal products, read group by group."""
        shape = self.before(ref)
        for inside, outside in aligned([shape[dim] for dim in dims], result):
            places = tuple(dims[i] for i in inside)
            growth = self.growth(ref, places)
            if growth is not None and growth != 1:
                decision = self.group(ref, places, [(entries[j], result[j] or 0) for j in outside], growth)
                if decision is not None:
                    yield decision

    def group(
        self, ref: int, dims: tuple[int, ...], entries: Sequence[tuple[tuple[Path, Value], int]], growth: Fraction
    ) -> Decision | None:
        """How the entries of one group share the growth of the operand's sizes."""
        follows = [(path if is_size(value) else None, size) for (path, value), size in entries]
        literal = [path for path, _ in follows if path is not None]
        if not literal:
            return None
        wide = [path for path, size in follows if size != 1]
        powers = self.units.powers_of(growth)
        lone = literal[0] if len(entries) == 1 else wide[0] if powers is None and len(wide) == 1 else None
        if lone is not None:
            return Decision(lone, ({lone: Size(ref, dims)},))
        choices = self.shares(follows, powers) if powers is not None else ()
        return Decision(literal[0], choices) if choices else None

    def shares(self, entries: Sequence[tuple[Path | None, int]], powers: Sequence[int]) -> tuple[Choice, ...]:
        """Ways to give each symbol's growth to one of the entries. `None` marks an entry that follows by itself."""
        rankings = []
        for number, power in enumerate(powers):
            ranked = self.ranked(number, [size for _, size in entries], [path is None for path, _ in entries])
            rankings += [(number, ranked, offset) for offset in range(power)]
        if any(not ranked for _, ranked, _ in rankings):
            return ()
        best = [ranked[min(offset, len(ranked) - 1)] for _, ranked, offset in rankings]
        picks = [best]
        for position, (_, ranked, _) in enumerate(rankings):
            picks += [[*best[:position], other, *best[position + 1 :]] for other in ranked if other != best[position]]
        return tuple(self.choice(entries, [n for n, _, _ in rankings], pick) for pick in picks[:MAX_CHOICES])

    def choice(self, entries: Sequence[tuple[Path | None, int]], numbers: list[int], pick: list[int]) -> Choice:
        """The rules when symbol `numbers[k]` is in entry `pick[k]`."""
        rules: dict[Path, Rule] = {}
        for place, (path, _) in enumerate(entries):
            held = [number for number, entry in zip(numbers, pick, strict=True) if entry == place]
            if path is not None and held:
                rules[path] = Scale(tuple(held.count(i) for i in range(len(self.units.primes))))
        return rules

    def ranked(self, number: int, sizes: Sequence[int], free: Sequence[bool]) -> list[int]:
        """The entries that may hold a symbol: equal sizes, then one that follows by itself, multiples, divisors."""
        value = self.units.dims.symbols[number].value
        scores = []
        for place, size in enumerate(sizes):
            exact = 4 if size == value else 0
            by_itself = 3 if free[place] else 0
            related = 2 if size % value == 0 else 1 if size > 1 and value % size == 0 else 0
            scores.append((max(exact, by_itself, related), place))
        return [place for score, place in sorted(scores, key=lambda pair: (-pair[0], pair[1])) if score]

    def expand(self, op: Op, result: Shape) -> Iterator[Decision | None]:
        ref, entries = operand(op), size_entries(op, 1, "size", "sizes")
        if ref is None:
            return
        shape, grown = self.before(ref), self.after(ref)
        for place, (path, value) in enumerate(entries):
            dim = place - (len(entries) - len(shape))
            if not is_size(value):
                continue
            if dim >= 0 and shape[dim] == value and (value != 1 or grown[dim] != 1):
                if grown[dim] != shape[dim]:
                    yield Decision(path, ({path: Size(ref, (dim,))},))
            else:
                yield self.free(path, value, leading=place == 0)

    def trailing(self, op: Op, result: Shape) -> Iterator[Decision]:
        """The normalised shape of a layer norm: the last sizes of the operand."""
        ref, entries = operand(op), size_entries(op, 1, "normalized_shape")
        if ref is None:
            return
        first = len(self.before(ref)) - len(entries)
        for place, (path, value) in enumerate(entries):
            if is_size(value) and self.growth(ref, (first + place,)) not in {None, Fraction(1)}:
                yield Decision(path, ({path: Size(ref, (first + place,))},))

    def split(self, op: Op, result: Shape) -> Iterator[Decision]:
        ref, dim = operand(op), argument(op, 2, "dim", default=0)
        if ref is None or not isinstance(dim, int):
            return
        dim %= max(len(self.before(ref)), 1)
        growth, size = self.growth(ref, (dim,)), self.before(ref)[dim]
        if growth is None or growth == 1 or size is None:
            return
        value = argument(op, 1, "split_size_or_sections", "split_size", "split_sizes")
        path: Path = (1,) if len(op.args) > 1 else (next(key for key, _ in op.kwargs if key.startswith("split")),)
        if isinstance(value, int) and size % value == 0:
            yield Decision(path, ({path: Share(ref, dim, size // value)},))
        elif isinstance(value, (tuple, list)):
            yield from self.sections(path, value, growth, size)

    def sections(self, path: Path, sections: Sequence[Value], growth: Fraction, size: int) -> Iterator[Decision]:
        """Split sizes that add up to a size that grew: one of them follows, or all of them together."""
        choices: list[Choice] = []
        for power, value in self.units.products():
            added = size * growth - size
            for place, section in enumerate(sections):
                if section == value and value * (self.grown(power) - 1) == added:
                    choices.append({(*path, place): Scale(power)})
        powers = self.units.powers_of(growth)
        if powers is not None:
            choices.append({(*path, place): Scale(powers) for place in range(len(sections))})
        if choices:
            yield Decision(path, tuple(choices))

    def narrow(self, op: Op, result: Shape) -> Iterator[Decision | None]:
        ref, dim, length = operand(op), argument(op, 1, "dim"), argument(op, 3, "length")
        if ref is None or not isinstance(dim, int) or not is_size(length):
            return
        dim %= len(self.before(ref))
        path: Path = (3,) if len(op.args) > 3 else ("length",)
        if self.before(ref)[dim] == length and self.after(ref)[dim] != length:
            yield Decision(path, ({path: Size(ref, (dim,))},))
        else:
            yield self.free(path, length, leading=dim == 0)

    def slices(self, op: Op, result: Shape) -> Iterator[Decision | None]:
        ref = operand(op)
        if ref is None:
            return
        index = op.args[1]
        elements = index if isinstance(index, tuple) else (index,)
        dims = indexed_dims(elements, len(self.before(ref)))
        for place, (element, dim) in enumerate(zip(elements, dims, strict=True)):
            if isinstance(element, SliceValue) and dim is not None and dim < len(self.before(ref)):
                path: Path = (1, place) if isinstance(index, tuple) else (1,)
                yield self.stop((*path, "stop"), element.stop, ref, dim)
                yield self.start((*path, "start"), element.start, ref, dim)

    def stop(self, path: Path, value: Value, ref: int, dim: int) -> Decision | None:
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        if value == self.before(ref)[dim] and value != self.after(ref)[dim]:
            return Decision(path, ({path: Size(ref, (dim,))},))
        return self.position(path, value, ref, dim)

    def start(self, path: Path, value: Value, ref: int, dim: int) -> Decision | None:
        """The start of a slice: a symbol, or a symbol away from the end of a dimension that did not grow."""
        size = self.before(ref)[dim]
        if not isinstance(value, int) or isinstance(value, bool) or value == 0 or size is None:
            return None
        if value > 0 and size == self.after(ref)[dim]:
            for power, product in self.units.products():
                if product > 1 and product == size - value and not self.units.only_batch(power):
                    return Decision(path, ({path: FromEnd(ref, dim, product, power)}, {}))
        return self.position(path, value, ref, dim)

    def position(self, path: Path, value: int, ref: int, dim: int) -> Decision | None:
        """A place along a dimension. If it would leave a dimension that did not grow, it is unlikely to follow."""
        decision, size = self.free(path, value, leading=dim == 0), self.before(ref)[dim]
        rule = None if decision is None else decision.choices[0].get(path)
        if size is None or size != self.after(ref)[dim] or not isinstance(rule, Scale):
            return decision
        beyond = abs(value) * self.grown(rule.powers) >= size
        return Decision(path, ({}, {path: rule})) if beyond else decision

    # --- literals that belong to no operand

    def free(self, path: Path, literal: int, *, leading: bool) -> Decision | None:
        """A literal that follows when it equals a product of symbols, and may follow when it is a multiple of one."""
        size = abs(literal)
        exact = [power for power, value in self.units.products() if value == size > 1]
        if exact:
            follow: Choice = {path: Scale(exact[0])}
            doubtful = self.units.only_batch(exact[0]) and not leading
            return Decision(path, ({}, follow) if doubtful else (follow, {}))
        loose = [power for power, value in self.units.products() if value > 1 and size > 1 and size % value == 0]
        if leading:
            loose += [power for power, value in self.units.products() if value == 1]
        if not loose:
            return None
        loose.sort(key=self.units.value, reverse=True)
        return Decision(path, ({}, *({path: Scale(power)} for power in loose[: MAX_CHOICES - 1])))

    # --- growth

    def grew(self, ref: int) -> bool:
        """Whether a size of the value changed, and all its sizes are known."""
        before, after = self.before(ref), self.after(ref)
        return None not in before and None not in after and tuple(before) != tuple(after)

    def growth(self, ref: int, dims: Sequence[int]) -> Fraction | None:
        """The factor by which the product of some sizes grew, or None when one is unknown or zero."""
        before = [self.before(ref)[dim] for dim in dims]
        after = [self.after(ref)[dim] for dim in dims]
        known = [size for size in (*before, *after) if size]
        if len(known) != 2 * len(dims):
            return None
        return Fraction(math.prod(known[len(dims) :]), math.prod(known[: len(dims)]))

    def grown(self, power: Sequence[int]) -> int:
        return math.prod(prime**count for prime, count in zip(self.units.primes, power, strict=True))


Reader = Callable[[Repairs, Op, Shape], Iterator[Decision | None]]


def _sizes(position: int, *keywords: str, most: int | None = None) -> Reader:
    """The reader of sizes that belong to no operand."""

    def read(repairs: Repairs, op: Op, result: Shape) -> Iterator[Decision | None]:
        for place, (path, value) in enumerate(size_entries(op, position, *keywords)[:most]):
            if is_size(value):
                yield repairs.free(path, value, leading=place == 0)

    return read


_READERS: Mapping[str, Reader] = {
    "view": Repairs.view,
    "reshape": Repairs.view,
    "unflatten": Repairs.unflatten,
    "expand": Repairs.expand,
    "broadcast_to": Repairs.expand,
    "layer_norm": Repairs.trailing,
    "rms_norm": Repairs.trailing,
    "split": Repairs.split,
    "split_with_sizes": Repairs.split,
    "narrow": Repairs.narrow,
    "getitem": Repairs.slices,
    "__getitem__": Repairs.slices,
    "setitem": Repairs.slices,
    "repeat": _sizes(1, "repeats"),
    "tile": _sizes(1, "dims"),
    **{name: _sizes(0, "size") for name in ("zeros", "ones", "empty", "rand", "randn")},
    **{name: _sizes(1, "size") for name in ("new_zeros", "new_ones", "new_empty", "fold", "interpolate")},
    "full": _sizes(0, "size", most=None),
    "new_full": _sizes(1, "size"),
    "arange": _sizes(0, "end", most=2),
    "linspace": _sizes(2, "steps", most=1),
    "eye": _sizes(0, "n", most=2),
    "tril_indices": _sizes(0, "row", most=2),
    "triu_indices": _sizes(0, "row", most=2),
    "repeat_interleave": _sizes(1, "repeats", most=1),
    **{f"upsample_{kind}": _sizes(1, "output_size") for kind in ("nearest2d", "bilinear2d", "bicubic2d")},
}
