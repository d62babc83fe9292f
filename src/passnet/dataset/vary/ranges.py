"""Describes the inputs of a variant: new shapes, stored contents given up for statistics, indices within bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from passnet.dataset.vary.rules import ShapeOf
from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.text.program import Op, ParsedModel, Ref, Value
from passnet.op_classes import PERMUTATIONS, RESHAPES, word_set

# Leaf -> positions of the indexed value, of the dimension (None: the first one), and of the indices.
_INDEXING: Mapping[str, tuple[int, int | None, int]] = {
    "embedding": (1, None, 0),
    "gather": (0, 1, 2),
    "index_select": (0, 1, 2),
    "take_along_dim": (0, 2, 1),
    "scatter": (0, 1, 2),
    "scatter_": (0, 1, 2),
    "scatter_add": (0, 1, 2),
    "scatter_add_": (0, 1, 2),
    "scatter_reduce": (0, 1, 2),
    "index_add": (0, 1, 2),
    "index_add_": (0, 1, 2),
    "index_copy": (0, 1, 2),
    "index_fill": (0, 1, 2),
}
_KEYWORDS = ("input", "dim", "index")
# Operations whose result holds the values of their first operand.
_TRANSPARENT = (
    RESHAPES
    | PERMUTATIONS
    | word_set(
        "expand_as contiguous clone detach to long int repeat repeat_interleave view_as getitem t unflatten "
        "broadcast_to"
    )
)


@dataclass(frozen=True)
class IndexUse:
    """Values of an input address the dimension `dim` of the value `indexed`."""

    input: int
    indexed: int
    dim: int


def index_uses(program: ParsedModel) -> list[IndexUse]:
    """The places where integer inputs, directly or through views of them, are indices."""
    sources: dict[int, int] = {index: index for index in range(len(program.params))}
    found: list[IndexUse] = []
    for number, op in enumerate(program.ops):
        found += [IndexUse(sources[index], indexed, dim) for index, indexed, dim in _indices(op) if index in sources]
        first = op.args[0] if op.args else None
        if op.leaf in _TRANSPARENT and isinstance(first, Ref) and first.index in sources:
            sources[len(program.params) + number] = sources[first.index]
    return found


def _indices(op: Op) -> Iterator[tuple[int, int, int]]:
    """(index value, indexed value, dimension) of one operation."""
    if op.leaf in {"getitem", "setitem", "__getitem__"}:
        yield from _item_indices(op)
        return
    positions = _INDEXING.get(op.leaf)
    if positions is None:
        return
    named = dict(op.kwargs)

    def argument(position: int | None, keyword: str) -> Value:
        if position is None:
            return 0
        return op.args[position] if position < len(op.args) else named.get(keyword)

    indexed, dim, index = (argument(place, word) for place, word in zip(positions, _KEYWORDS, strict=True))
    if isinstance(indexed, Ref) and isinstance(dim, int) and isinstance(index, Ref):
        yield index.index, indexed.index, dim


def _item_indices(op: Op) -> Iterator[tuple[int, int, int]]:
    """Tensors in an index. Those after an ellipsis count from the end."""
    indexed = op.args[0]
    elements = op.args[1] if isinstance(op.args[1], tuple) else (op.args[1],)
    if not isinstance(indexed, Ref):
        return
    addressing = [element for element in elements if element is not None and element is not Ellipsis]
    after_ellipsis, dim = False, 0
    for element in elements:
        after_ellipsis |= element is Ellipsis
        if isinstance(element, Ref):
            yield element.index, indexed.index, dim - len(addressing) if after_ellipsis else dim
        dim += element is not None and element is not Ellipsis


def counts_beyond(program: ParsedModel, shape_of: ShapeOf) -> str | None:
    """The operation in which numbers that the graph counts itself (`arange`, plus a number) lie beyond what they index.

    None when there is none as far as can be told. Fake tensors cannot tell: they have no values. `shape_of`: the shape
    of a value of the program.
    """
    largest: dict[int, int] = {}
    for number, op in enumerate(program.ops, len(program.params)):
        for index, indexed, dim in _indices(op):
            shape = shape_of(indexed)
            size = shape[dim] if -len(shape) <= dim < len(shape) else None
            if index in largest and size is not None and largest[index] >= size:
                return op.leaf
        found = _largest(op, shape_of(number), largest)
        if found is not None:
            largest[number] = found
    return None


def _largest(op: Op, shape: Sequence[int | None], largest: Mapping[int, int]) -> int | None:
    """The largest number that an operation gives, where it is known from the largest of its operand."""
    named = dict(op.kwargs)
    if op.leaf == "arange":
        start = op.args[0] if len(op.args) > 1 else named.get("start", 0)
        step = op.args[2] if len(op.args) > 2 else named.get("step", 1)
        count = shape[0] if shape else None
        if not (isinstance(start, int) and isinstance(step, int) and step > 0 and count):
            return None
        return start + step * (count - 1)
    first, *rest = op.args or (None,)
    if not isinstance(first, Ref) or first.index not in largest:
        return None
    if op.leaf in _TRANSPARENT:
        return largest[first.index]
    more = rest[0] if len(rest) == 1 else None
    return largest[first.index] + more if op.leaf in {"add", "iadd"} and type(more) is int and not named else None


def limits(uses: Sequence[IndexUse], shape_of: ShapeOf) -> dict[int, int]:
    """Input -> the size of the smallest dimension that it indexes."""
    found: dict[int, int] = {}
    for use in uses:
        shape = shape_of(use.indexed)
        size = shape[use.dim] if -len(shape) <= use.dim < len(shape) else None
        if size is not None:
            found[use.input] = min(size, found.get(use.input, size))
    return found


@dataclass(frozen=True)
class Respecifier:
    """Makes the specs of a variant from the original ones.  `before`: the sizes that inputs index in the original."""

    specs: tuple[TensorSpec, ...]
    before: Mapping[int, int]

    def specs_at(self, shapes: Sequence[tuple[int, ...]], after: Mapping[int, int]) -> tuple[TensorSpec, ...]:
        """The specs with new shapes. `after` are the sizes that inputs index now."""
        return tuple(self._spec(index, shape, after.get(index)) for index, shape in enumerate(shapes))

    def _spec(self, index: int, shape: tuple[int, ...], limit: int | None) -> TensorSpec:
        spec = self.specs[index]
        if shape != spec.shape:
            spec = _without_literal(replace(spec, shape=shape), self._span(spec, shape))
        if spec.is_integer and limit is not None and limit > 0:
            spec = _within(spec, limit, grown=spec.max_val == self.before.get(index, 0) - 1)
        return spec

    def _span(self, spec: TensorSpec, shape: tuple[int, ...]) -> int:
        """Positions of an integer input that counts along its last dimension (0 to size - 1). 0 for others."""
        counts = spec.is_integer and spec.shape[-1] > 1 and integer_range(spec) == (0, spec.shape[-1] - 1)
        # A mask of zeros and ones over two columns does not count.
        return shape[-1] if counts and (spec.shape[-1] > 2 or len(shape) == 1) else 0


def integer_range(spec: TensorSpec) -> tuple[int | None, int | None]:
    """The least and the largest value that the metadata of an integer input allows."""
    if spec.min_val is not None or spec.max_val is not None or not spec.data:
        low, high = spec.min_val, spec.max_val
        return (None if low is None else int(low)), (None if high is None else int(high))
    whole = [int(value) for value in spec.data if isinstance(value, (int, float))]
    return min(whole), max(whole)


def _without_literal(spec: TensorSpec, span: int) -> TensorSpec:
    """The spec with its content given up for a range or for statistics."""
    if spec.is_integer:
        low, high = integer_range(spec)
        return replace(spec, data=None, min_val=low, max_val=span - 1 if span else high, fields=())
    if spec.data is None:
        return spec
    mean, std = spec.mean, spec.std
    if spec.is_floating and mean is None:
        values = [float(value) for value in spec.data if isinstance(value, (int, float)) and math.isfinite(value)]
        mean = sum(values) / len(values) if values else 0.0
        std = math.sqrt(sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1))
    return replace(spec, data=None, mean=mean, std=std, fields=())


def _within(spec: TensorSpec, limit: int, *, grown: bool) -> TensorSpec:
    """The spec with its indices inside a dimension of size `limit`. Indices that filled the old one fill this one."""
    if spec.data is not None:
        inside = tuple(max(-limit, min(limit - 1, int(v))) for v in spec.data if isinstance(v, (int, float)))
        return spec if inside == spec.data else replace(spec, data=inside)
    if spec.max_val is None:
        return spec
    high = limit - 1 if grown else min(int(spec.max_val), limit - 1)
    low = None if spec.min_val is None else max(-limit, min(int(spec.min_val), high))
    return replace(spec, min_val=low, max_val=high)
