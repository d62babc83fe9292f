"""Finds inputs that a graph compares with others, or with themselves, after some places or from the other end.

Labels are the next words, a signal comes late, a window is symmetric: no such thing holds where each element is drawn
by itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from passnet.graph.text.program import Op, Ref, SliceValue, Value, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.constants import constants
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.thresholds import COMPARING, forms_of
from passnet.graph.values.writes import renewed
from passnet.op_classes import PERMUTATIONS, RESHAPES, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# What two values have in common is seen behind these.
MEETING = COMPARING | word_set("sub rsub bitwise_xor mse_loss l1_loss smooth_l1_loss huber_loss dist")
# Which dimensions these turn round, where they are given none.
_FLIPS: Mapping[str, tuple[int, ...] | None] = {"flip": None, "fliplr": (1,), "flipud": (0,)}


@dataclass(frozen=True)
class Meeting:
    """The element of input `one` at a place, plus `by`, meets that of input `other` at this place. Along `flips` it is
    counted from the other end. Both may be one input.
    """

    one: int
    other: int
    by: tuple[int, ...]
    flips: frozenset[int] = frozenset()

    @property
    def back(self) -> Meeting:
        """The same the other way about."""
        return Meeting(self.other, self.one, tuple(-each for each in self.by), self.flips)


@dataclass(frozen=True)
class _Moved:
    """A value that begins at some place of an input, or follows from such a value element by element.

    `dims`: which dimension of the input each of its own is, -1 for a new one. None where nobody knows.
    """

    index: int
    starts: tuple[int, ...]
    flips: frozenset[int] = frozenset()
    dims: tuple[int, ...] | None = None

    def met(self, other: _Moved) -> Meeting | None:
        """None where both are in the same place, or of other dimensions."""
        flips = self.flips ^ other.flips
        if len(self.starts) != len(other.starts):
            return None
        both = enumerate(zip(self.starts, other.starts, strict=True))
        by = tuple(0 if dim in flips else mine - its for dim, (mine, its) in both)
        return Meeting(self.index, other.index, by, flips) if flips or any(by) else None

    def flipped(self, dims: Sequence[int]) -> _Moved:
        """Turned round along these dimensions of its own."""
        own = self.dims or ()
        turned = {own[dim] for dim in dims if -len(own) <= dim < len(own) and own[dim] >= 0}
        return replace(self, flips=self.flips ^ turned)

    def moved(self, dim: int, places: int) -> _Moved:
        """From so many places on, along a dimension of its own."""
        own = self.dims or ()
        if not -len(own) <= dim < len(own) or own[dim] < 0 or own[dim] in self.flips:
            return self
        starts = list(self.starts)
        starts[own[dim]] += places
        return replace(self, starts=tuple(starts))


def meetings_of(graph: Graph) -> list[Meeting]:
    """All of them, each once. An input that is turned round meets itself, whatever is compared."""
    return list(dict.fromkeys(_meetings(graph)))


def _meetings(graph: Graph) -> Iterator[Meeting]:
    known, shapes, forms = constants(graph), known_forms(graph), forms_of(graph)
    moved = {
        index: _Moved(index, (0,) * len(spec.shape), dims=tuple(range(len(spec.shape))))
        for index, spec in enumerate(graph.specs)
        if spec.shape and index not in known
    }
    view = renewed(graph)
    for place, op in enumerate(view.statements, start=len(graph.specs)):
        refs = [ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs))) if ref.index not in known]
        given = op.args[0].index if op.args and isinstance(op.args[0], Ref) else -1
        before = moved.get(given)
        if dims := flipped_dims(op, known, len(shapes[given][0] or ()) if given >= 0 else 0):
            turned = [before] if before else _as_a_whole(graph, forms.get(given, {}), shapes[given][0])
            for each in turned:
                after = each.flipped(dims)
                if (own := each.met(after)) is not None:
                    yield own
                if before is not None:
                    moved[place] = after
        elif len(set(refs)) == 1 and refs[0] in moved:
            if (kept := _after(op, moved[refs[0]], shapes, place)) is not None:
                moved[place] = kept
        elif place in view.partly and view.partly[place] in moved:
            moved[place] = moved[view.partly[place]]
        if plain_name(op) in MEETING:
            for one, other in itertools.combinations(dict.fromkeys(refs), 2):
                met = moved[one].met(moved[other]) if one in moved and other in moved else None
                if met is not None:
                    yield met


def _as_a_whole(graph: Graph, inputs: Mapping[int, object], shape: tuple[int, ...] | None) -> list[_Moved]:
    """The inputs of a value's shape from which it follows."""
    if not shape:
        return []
    dims = tuple(range(len(shape)))
    return [_Moved(index, (0,) * len(dims), dims=dims) for index in inputs if graph.specs[index].shape == shape]


def flipped_dims(op: Op, known: Mapping[int, tuple[float, ...]], rank: int) -> tuple[int, ...]:
    """Along which dimensions an operation turns its first argument round: a flip, or an index that counts down."""
    name = plain_name(op)
    if name in _FLIPS:
        dims = _FLIPS[name] or _integers(dict(op.kwargs).get("dims", op.args[1:]))
        return tuple(dim % rank for dim in dims if -rank <= dim < rank)
    if name == "index_select":
        given = arguments(op)
        dim, at = given.get("dim"), given.get("index")
        return (dim % rank,) if rank and isinstance(dim, int) and _counts_down(at, known) else ()
    if name == "getitem" and len(op.args) > 1:
        return tuple(dim for dim, key in _keys(op.args[1], rank) if dim >= 0 and _counts_down(key, known))
    return ()


def _counts_down(value: Value, known: Mapping[int, tuple[float, ...]]) -> bool:
    numbers = known.get(value.index, ()) if isinstance(value, Ref) else ()
    return len(numbers) > 1 and list(numbers) == [numbers[0] - place for place in range(len(numbers))]


def _integers(value: Value) -> tuple[int, ...]:
    if isinstance(value, tuple | list):
        return tuple(each for item in value for each in _integers(item))
    return (value,) if isinstance(value, int) and not isinstance(value, bool) else ()


def _keys(key: Value, rank: int) -> Iterator[tuple[int, Value]]:
    """The dimensions of what is indexed, each with its key. A new dimension is -1."""
    keys = list(key) if isinstance(key, tuple) else [key]
    own = sum(each is not None and each is not Ellipsis for each in keys)
    if Ellipsis not in keys:
        keys.append(Ellipsis)
    dim = 0
    for each in keys:
        if each is None:
            yield -1, None
        for one in [SliceValue(None, None, None)] * max(0, rank - own) if each is Ellipsis else [each]:
            if one is not None:
                yield dim, one
                dim += 1


def _after(
    op: Op, before: _Moved, shapes: Sequence[tuple[tuple[int, ...] | None, object]], place: int
) -> _Moved | None:
    """What an operation on one value makes of it. None where its elements are no longer in their order."""
    name, given = plain_name(op), arguments(op)
    if name == "getitem" and len(op.args) > 1:
        return _sliced(op.args[1], before)
    if name == "narrow":
        start, dim = given.get("start"), given.get("dim")
        return before.moved(dim, start) if isinstance(start, int) and isinstance(dim, int) else None
    if name == "roll":
        shifts = _integers(dict(op.kwargs).get("shifts", op.args[1] if len(op.args) > 1 else ()))
        dims = _integers(dict(op.kwargs).get("dims", op.args[2] if len(op.args) > 2 else ()))
        for dim, shift in zip(dims, shifts, strict=False):
            before = before.moved(dim, -shift)
        return before
    if op.leaf in RESHAPES | PERMUTATIONS | {"t"}:
        return replace(before, dims=None)
    refs = list(refs_of((*op.args, *(value for _, value in op.kwargs))))
    same = place < len(shapes) and any(shapes[ref.index][0] == shapes[place][0] for ref in refs)
    return before if same and shapes[place][0] else None


def _sliced(key: Value, before: _Moved) -> _Moved | None:
    if before.dims is None:
        return before
    dims, after = list[int](), before
    for dim, each in _keys(key, len(before.dims)):
        if dim < 0:
            dims.append(-1)
            continue
        if not isinstance(each, SliceValue) or each.step not in (None, 1) or dim >= len(before.dims):
            return None
        start = each.start or 0
        if not isinstance(start, int) or start < 0:
            return None
        after, dims = after.moved(dim, start), [*dims, before.dims[dim]]
    return replace(after, dims=tuple(dims))
