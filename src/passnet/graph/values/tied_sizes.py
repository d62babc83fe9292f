"""Finds which dimensions of an operation's tensors have one size together, and which of its result's sizes follow.

The operation is run on tensors without content, in which some sizes are one larger. So no list of operators is asked.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx

from passnet.graph.values.constants import TensorForm

# Of more tries nothing is asked for one dimension.
_MOST_TRIES = 64
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Tied:
    """Dimensions of one size. `dims`: the number of a tensor among those that are given, and its dimension.

    `results`: the dimensions of the result whose size follows. There are none where numbers are added up along these.
    """

    dims: Mapping[int, int]
    results: frozenset[int]


def tied_sizes(node: fx.Node, given: Sequence[object]) -> tuple[Shape, list[Tied]] | None:
    """The shape of the result, and the dimensions above size 1 that may have another size, together or alone.

    `given`: the forms of what the operation is given, in order, or the numbers themselves. None where it gives no
    tensor of a known shape.
    """
    shapes = {at: form.shape for at, form in enumerate(given) if isinstance(form, TensorForm)}
    known = {at: shape for at, shape in shapes.items() if shape is not None}
    if len(known) < len(shapes) or (whole := _result(node, given, known)) is None:
        return None
    found: list[Tied] = []
    for at, shape in known.items():
        for dim, size in enumerate(shape):
            if size > 1 and not any(tied.dims.get(at) == dim for tied in found):
                found += itertools.islice(_tied(node, given, known, whole, (at, dim)), 1)
    return whole, found


def _tied(
    node: fx.Node, given: Sequence[object], shapes: Mapping[int, Shape], whole: Shape, own: tuple[int, int]
) -> Iterator[Tied]:
    """A dimension with as few others as possible."""
    at, dim = own
    size = shapes[at][dim]
    others = [
        [(other, None), *((other, each) for each, same in enumerate(shape) if same == size)]
        for other, shape in shapes.items()
        if other != at
    ]
    ways = [
        {at: dim} | {other: each for other, each in way if each is not None}
        for way in itertools.islice(itertools.product(*others), _MOST_TRIES)
    ]
    for dims in sorted(ways, key=len):
        made = _result(node, given, {each: _grown(shape, dims.get(each)) for each, shape in shapes.items()})
        if made is not None and len(made) == len(whole):
            yield Tied(dims, frozenset(at for at, (old, new) in enumerate(zip(whole, made, strict=True)) if old != new))


def _grown(shape: Shape, dim: int | None) -> Shape:
    return tuple(size + (at == dim) for at, size in enumerate(shape))


def _result(node: fx.Node, given: Sequence[object], shapes: Mapping[int, Shape]) -> Shape | None:
    """The shape of the result on tensors of these shapes. None where they do not go together."""
    values = iter(
        torch.empty(shapes[at], dtype=form.dtype, device="meta") if isinstance(form, TensorForm) else form
        for at, form in enumerate(given)
    )
    held: Any = fx.node.map_arg((node.args, node.kwargs), lambda _: next(values))  # type: ignore[arg-type, return-value]
    args, kwargs = held
    call: Any = getattr(args[0], str(node.target)) if node.op == "call_method" else node.target
    try:
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the graph's own run says so
            made: object = call(*(args[1:] if node.op == "call_method" else args), **kwargs)
    except Exception:  # noqa: BLE001  operators raise whatever they like
        return None
    return tuple(made.shape) if isinstance(made, torch.Tensor) else None
