"""Resolves arguments that depend on the shape of a tensor: dims, sizes, permutations, splits.

A pattern has no shapes, so its `dim=-1` cannot be made positive when it is read. Both sides therefore keep the written
value. The comparison resolves both against the input of the graph's node.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import fx

from passnet.rewrite.canonical import op_tables
from passnet.rewrite.canonical.values import TAG, Value, example_value, nodes_in

Args = dict[str, Value]


def form(kind: str, *data: Value) -> Value:
    """A tagged tuple: one of several ways to write a size, a permutation or a split."""
    return (TAG, kind, *data)


def resolve(name: str, key: str, value: Value, args: Args) -> Value:
    """The meaning of `value` for argument `key` of operation `name`. `args` are the arguments in the graph.

    Returns the value itself where the graph has no metadata or the value does not depend on it.
    """
    rule = _RULES.get((name, key))
    if rule is None and key in op_tables.DIM_ARGS:
        rule = _dims
    shape = first_shape(args)
    if rule is None or shape is None or any(True for _ in nodes_in(value)):
        return value
    try:
        return rule(name, value, shape, args)
    except (ValueError, TypeError, IndexError, ZeroDivisionError):
        return value  # Not valid for this tensor, so it cannot equal the graph's value: compare as written.


def first_shape(args: Args) -> tuple[int, ...] | None:
    """Shape of the first tensor among the arguments, when it is known and static."""
    tensor = first_tensor(args)
    if tensor is None or not all(isinstance(size, int) for size in tensor.shape):
        return None
    return tuple(tensor.shape)


def first_tensor(args: Args) -> torch.Tensor | None:
    """The example value of the first tensor among the arguments, when one is known."""
    for value in args.values():
        for node in nodes_in(value):
            example = example_value(node)
            if isinstance(example, torch.Tensor):
                return example
    return None


def _wrap(dim: Any, rank: int) -> int:
    if isinstance(dim, bool) or not isinstance(dim, int) or not -max(rank, 1) <= dim < max(rank, 1):
        raise ValueError(dim)
    return dim % max(rank, 1)


def _dims(name: str, value: Value, shape: tuple[int, ...], args: Args) -> Value:
    rank = len(shape) + (name in op_tables.RANK_PLUS_ONE)
    if name in op_tables.REDUCTIONS:
        dims = range(rank) if value is None or value == () else value if isinstance(value, tuple) else (value,)
        return tuple(sorted(_wrap(dim, rank) for dim in dims))
    if isinstance(value, tuple):
        return tuple(_wrap(dim, rank) for dim in value)
    return value if value is None else _wrap(value, rank)


def _squeeze(name: str, value: Value, shape: tuple[int, ...], args: Args) -> Value:
    dims = range(len(shape)) if value is None else value if isinstance(value, tuple) else (value,)
    return tuple(sorted(dim for dim in (_wrap(d, len(shape)) for d in dims) if shape[dim] == 1))


def _permutation(name: str, value: Value, shape: tuple[int, ...], args: Args) -> Value:
    rank = len(shape)
    _, kind, *data = value
    order = list(range(rank))
    if kind == "reverse":
        return tuple(reversed(order))
    if kind == "swap":
        a, b = (_wrap(dim, rank) for dim in data)
        order[a], order[b] = order[b], order[a]
        return tuple(order)
    return tuple(_wrap(dim, rank) for dim in data[0])


def _size(name: str, value: Value, shape: tuple[int, ...], args: Args) -> Value:
    _, kind, *data = value
    if kind == "flatten":
        start, end = (_wrap(dim, len(shape)) for dim in data)
        return (*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :])
    if kind == "unflatten":
        dim = _wrap(data[0], len(shape))
        return (*shape[:dim], *_infer(data[1], shape[dim]), *shape[dim + 1 :])
    return _infer(data[0], math.prod(shape))


def _infer(sizes: tuple[int, ...], numel: int) -> tuple[int, ...]:
    known = math.prod(size for size in sizes if size != -1)
    return tuple(numel // known if size == -1 else size for size in sizes)


def _expand(name: str, value: Value, shape: tuple[int, ...], args: Args) -> Value:
    offset = len(value) - len(shape)
    return tuple(shape[i - offset] if size == -1 else size for i, size in enumerate(value))


def _sections(name: str, value: Value, shape: tuple[int, ...], args: Args) -> Value:
    _, kind, data = value
    length = shape[_wrap(args.get("dim", 0), len(shape))]
    if isinstance(data, tuple):
        return data
    step = math.ceil(length / data) if kind == "chunk" else data
    return tuple(min(step, length - start) for start in range(0, length, step))


def _dtype(name: str, value: Value, shape: tuple[int, ...], args: Args) -> Value:
    tensor = first_tensor(args)
    return tensor.dtype if value is None and tensor is not None and args.get("other") is None else value


def _device(name: str, value: Value, shape: tuple[int, ...], args: Args) -> Value:
    tensor = first_tensor(args)
    return tensor.device if value is None and tensor is not None and args.get("other") is None else value


def _product(name: str, value: Value, shape: tuple[int, ...], args: Args) -> Value:
    """`mm` is `matmul` of two matrices, and `bmm` of two batches. The ranks decide which one a matmul is."""
    other = args.get("other")
    example = example_value(other) if isinstance(other, fx.Node) else None
    if not isinstance(example, torch.Tensor):
        return value
    if len(shape) == 2 and example.dim() == 2:
        return "mm"
    return "bmm" if len(shape) == 3 and example.dim() == 3 and shape[0] == example.shape[0] else "matmul"


_RULES: dict[tuple[str, str], Callable[[str, Value, tuple[int, ...], Args], Value]] = {
    ("squeeze", "dim"): _squeeze,
    ("permute", "dims"): _permutation,
    ("reshape", "size"): _size,
    ("expand", "size"): _expand,
    ("split", "sections"): _sections,
    ("to", "dtype"): _dtype,
    ("to", "device"): _device,
    ("matmul", "form"): _product,
}
