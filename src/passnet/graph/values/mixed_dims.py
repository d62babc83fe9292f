"""Finds the dimensions of inputs whose neighbours a graph mixes: it convolves, pools, transforms or adds up, or takes
two slices of one value together. What comes out there depends on how an element resembles its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch

from passnet.graph.text.program import Op, Ref, SliceValue, refs_of
from passnet.graph.values.arguments import arguments, plain_name
from passnet.graph.values.indexing import known_forms
from passnet.graph.values.inputs import hardened
from passnet.graph.values.writes import renewed
from passnet.op_classes import CONVOLUTIONS, RESHAPES, TRANSPOSED_CONVOLUTIONS, word_set

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

_CONVOLVING = CONVOLUTIONS | TRANSPOSED_CONVOLUTIONS | word_set("convolution _convolution conv_tbc")
# These mix all dimensions behind those of samples and channels.
_POOLING = frozenset(
    f"{kind}{dims}d" for kind in ("max_pool", "avg_pool", "lp_pool", "fractional_max_pool") for dims in (1, 2, 3)
) | frozenset(f"adaptive_{kind}_pool{dims}d" for kind in ("avg", "max") for dims in (1, 2, 3))
_SPREADING = word_set("""
interpolate upsample upsample_bilinear upsample_bilinear2d upsample_bicubic2d upsample_linear1d upsample_trilinear3d
_upsample_bilinear2d_aa _upsample_bicubic2d_aa grid_sample grid_sampler grid_sampler_2d grid_sampler_3d
max_pool2d_with_indices max_pool3d_with_indices local_response_norm im2col
""")
_ALL_BEHIND = _POOLING | _SPREADING
# These mix one dimension, which is an argument.
_ALONG_ONE = word_set("""
cumsum cumprod logcumsumexp cummax cummin cumulative_trapezoid trapezoid diff gradient fft ifft rfft irfft hfft ihfft
stft unfold
""")
_ALONG_TWO = word_set("fft2 ifft2 rfft2 irfft2")
_ALONG_ALL = word_set("fftn ifftn rfftn irfftn")
_NAMES = _CONVOLVING | _ALL_BEHIND | _ALONG_ONE | _ALONG_TWO | _ALONG_ALL
_TURNED, _PERMUTING = word_set("t T mT H mH adjoint"), word_set("transpose swapaxes swapdims permute movedim moveaxis")
_RESHAPING = (RESHAPES - {"expand"}) | word_set("unflatten view_as reshape_as")
# What moves a value along a dimension, and what takes one value with its neighbour behind that.
_MOVING = word_set("getitem narrow pad roll")
_BY_NUMBERS = word_set("pad roll")
_MEETING = word_set("""
add sub rsub mul div pow maximum minimum fmax fmin where lerp addcmul eq ne lt le gt ge atan2 hypot mse_loss l1_loss
smooth_l1_loss
""")
# Pictures may be of bytes. Other integers are places, words or counts.
_BYTES = "uint8"
# A dimension is mixed where it has so many elements.
_LEAST = 8
# For each dimension of a value, the dimensions of an input that it is.
_Dims = tuple[frozenset[int], ...]
_NONE = frozenset[int]()


@dataclass
class MixedDims:
    """`fields`: inputs of data, with the dimensions along which neighbours are mixed. `filters`: weights of
    convolutions, with the dimensions of their taps.
    """

    fields: dict[int, tuple[int, ...]] = field(default_factory=dict)
    filters: dict[int, tuple[int, ...]] = field(default_factory=dict)


def mixed_dims(graph: Graph) -> MixedDims:
    """All of them. Computed once."""
    if "_mixed_dims" not in graph.__dict__:
        names = {_name(op) for op in graph.statements()}
        graph.__dict__["_mixed_dims"] = _Walk.of(graph).found if names & (_NAMES | _MOVING) else MixedDims()
    known: MixedDims = graph.__dict__["_mixed_dims"]
    return known


@dataclass
class _Walk:
    """Follows the dimensions of inputs through a program. `moved`: of what value another one is a part or a moved form,
    and along which dimensions.
    """

    graph: Graph
    shapes: Sequence[tuple[int, ...] | None]
    dims: dict[int, dict[int, _Dims]]
    moved: dict[int, tuple[int, frozenset[int]]] = field(default_factory=dict)
    found: MixedDims = field(default_factory=MixedDims)

    @classmethod
    def of(cls, graph: Graph) -> _Walk:
        shapes = [shape for shape, _ in known_forms(graph)]
        dims = {
            index: {index: tuple(frozenset({dim}) for dim in range(len(graph.specs[index].shape)))}
            for index in hardened(graph)
            if (graph.specs[index].is_floating or graph.specs[index].dtype == _BYTES)
            and max(graph.specs[index].shape, default=0) >= _LEAST
        }
        walk = cls(graph, shapes, dims)
        for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
            walk._visit(op, place)
        return walk

    def _visit(self, op: Op, place: int) -> None:
        refs = list(dict.fromkeys(ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))))
        name, after = _name(op), self.shapes[place]
        for value, mixed in self._mixed(op, name, refs):
            self._found(value, mixed)
        self.dims[place] = {}
        for ref in refs:
            before = self.shapes[ref]
            for index, dims in self.dims.get(ref, {}).items() if before is not None and after is not None else ():
                made = _after(op, name, dims, before or (), after or ())
                self.dims[place].setdefault(index, made)
        if refs and after is not None and self.shapes[refs[0]] is not None:
            self._follow(op, name, place, refs)

    def _follow(self, op: Op, name: str, place: int, refs: Sequence[int]) -> None:
        """Whether a result is its operand, moved or changed one by one."""
        root, along = self.moved.get(refs[0], (refs[0], _NONE))
        before, after = self.shapes[refs[0]] or (), self.shapes[place] or ()
        if name in _MOVING and len(refs) == 1 and len(before) == len(after):
            self.moved[place] = root, along | _moved_along(op, name, before, after)
        elif len(refs) == 1 and before == after and name not in _TURNED | _PERMUTING | _RESHAPING | _NAMES:
            self.moved[place] = root, along

    def _mixed(self, op: Op, name: str, refs: Sequence[int]) -> Iterator[tuple[int, Sequence[int]]]:
        """The values that an operation mixes, each with its dimensions."""
        if name in _MEETING and len(refs) > 1:
            known = [self.moved.get(ref, (ref, _NONE)) for ref in refs]
            for root, along in known:
                if along and sum(each == root for each, _ in known) > 1:
                    yield root, sorted(along)
        if name not in _NAMES or not refs or not (shape := self.shapes[refs[0]]):
            return
        given = arguments(op)
        if name in _CONVOLVING:
            self._filters(given.get("weight"))
            taps = len(self.shapes[refs[1]] or ()) - 2 if len(refs) > 1 else 0
            yield refs[0], range(len(shape) - taps, len(shape)) if taps > 0 else range(min(2, len(shape)), len(shape))
        elif name in _ALL_BEHIND or (name == "unfold" and "kernel_size" in given) or name in _ALONG_TWO:
            yield refs[0], range(min(2, len(shape) - 1), len(shape)) if name not in _ALONG_TWO else (-2, -1)
        elif name in _ALONG_ONE:
            dim = given.get("dim", given.get("dimension", -1))
            yield refs[0], (dim if isinstance(dim, int) else -1,)
        else:
            yield refs[0], range(len(shape))

    def _filters(self, weight: object) -> None:
        """A weight that a convolution takes as it is given, with more than one tap."""
        index = self.moved.get(weight.index, (weight.index, _NONE))[0] if isinstance(weight, Ref) else -1
        if 0 <= index < len(self.graph.specs):
            spec = self.graph.specs[index]
            if spec.is_floating and len(spec.shape) > 2 and math.prod(spec.shape[2:]) > 1:
                self.found.filters[index] = tuple(range(2, len(spec.shape)))

    def _found(self, value: int, dims: Sequence[int]) -> None:
        for index, own in self.dims.get(value, {}).items():
            shape = self.graph.specs[index].shape
            mixed = {each for dim in dims if -len(own) <= dim < len(own) for each in own[dim] if shape[each] >= _LEAST}
            if mixed and index not in self.found.filters:
                self.found.fields[index] = tuple(sorted(mixed.union(self.found.fields.get(index, ()))))


def _name(op: Op) -> str:
    """An operation's name, in which a transform is the same as a function and as what is captured of it."""
    return plain_name(op).removeprefix("fft_")


def _after(op: Op, name: str, dims: _Dims, before: Sequence[int], after: Sequence[int]) -> _Dims:
    """Which dimensions of an input those of a result are."""
    if len(dims) != len(before):
        return tuple(_NONE for _ in after)
    if name in _PERMUTING | _TURNED or (name == "getattr" and op.args[1:] and op.args[1] in _TURNED):
        order = _order(op, name, len(before))
        return tuple(dims[at] for at in order) if len(order) == len(after) else tuple(_NONE for _ in after)
    if name in _RESHAPING and math.prod(before) == math.prod(after):
        return _reshaped(dims, before, after)
    if len(before) == len(after):
        return dims
    at, made = 0, []
    for size in after:  # a dimension that is added or gone
        place = next((each for each in range(at, len(before)) if before[each] == size), None)
        made.append(_NONE if place is None else dims[place])
        at = at if place is None else place + 1
    return tuple(made)


def _order(op: Op, name: str, rank: int) -> list[int]:
    """The order of dimensions behind a permutation: that of sizes which differ."""
    probe = torch.empty(tuple(range(1, rank + 1)), device="meta")
    if name == "getattr" or name in _TURNED:
        return [*range(rank - 2), rank - 1, rank - 2] if rank > 1 else list(range(rank))
    return [size - 1 for size in getattr(probe, name)(*op.args[1:], **dict(op.kwargs)).shape]


def _reshaped(dims: _Dims, before: Sequence[int], after: Sequence[int]) -> _Dims:
    """Dimensions that hold some of the same neighbours, whether they were split or put together."""
    old, new = list(_ranges(before)), list(_ranges(after))
    return tuple(
        _NONE.union(*(own for own, (first, end) in zip(dims, old, strict=True) if first < last and begin < end))
        for begin, last in new
    )


def _ranges(shape: Sequence[int]) -> Iterator[tuple[int, int]]:
    """How far apart neighbours of each dimension are, and how far it reaches."""
    for dim, size in enumerate(shape):
        inner = math.prod(shape[dim + 1 :])
        yield inner, inner * size


def _moved_along(op: Op, name: str, before: Sequence[int], after: Sequence[int]) -> frozenset[int]:
    """The dimensions along which a value is cut or moved, so that it overlaps what it was."""
    rank = len(before)
    if name in _BY_NUMBERS:
        names = ("shifts", "dims") if name == "roll" else ("pad",)
        given = dict(zip(names, op.args[1:], strict=False)) | dict(op.kwargs)
        value = given.get(names[-1])
        numbers = list(value) if isinstance(value, tuple | list) else [value]
        if name == "roll":
            return frozenset(dim % rank for dim in numbers if isinstance(dim, int) and -rank <= dim < rank)
        return frozenset(rank - 1 - at // 2 for at, number in enumerate(numbers) if number and at < 2 * rank)
    pairs = enumerate(zip(before, after, strict=True))
    keys = op.args[1] if name == "getitem" else ()
    apart = any(
        isinstance(key, SliceValue) and key.step not in (None, 1)
        for key in (keys if isinstance(keys, tuple) else (keys,))
    )
    return frozenset(dim for dim, (old, new) in pairs if old != new and (apart or 2 * new > old))
