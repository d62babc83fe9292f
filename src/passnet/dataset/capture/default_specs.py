"""Specs of tensors whose values nobody knows, as fake capture gives them: plausible statistics by role and name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor

from passnet.graph import Graph, Op, Ref, Role, TensorSpec, fake_inputs, propagate, roles_of

# Mean and standard deviation of floating inputs; a weight's standard deviation follows from its shape.
_MOMENTS: Mapping[Role, tuple[float, float]] = {
    Role.DATA: (0.0, 1.0),
    Role.NORM_SCALE: (1.0, 0.2),
    Role.BIAS: (0.0, 0.2),
    Role.MEAN: (0.0, 0.2),
    Role.VARIANCE: (1.0, 0.3),
    Role.EPSILON: (1e-6, 0.0),
}
_VECTOR_STD = 0.02
# Operation -> (position of the indexed tensor, position of the index, position of the dimension or None).
_INDEXING: Mapping[str, tuple[int, int, int | None]] = {
    "embedding": (1, 0, None),
    "index_select": (0, 2, 1),
    "gather": (0, 2, 1),
    "take_along_dim": (0, 1, 2),
    "scatter_add": (0, 2, 1),
    "scatter_add_": (0, 2, 1),
    "scatter": (0, 2, 1),
    "scatter_": (0, 2, 1),
    "one_hot": (1, 0, None),
}
# Operations whose result indexes whatever their first operand is meant to index.
_SAME_VALUES = frozenset({"view", "reshape", "to", "long", "int", "flatten", "unsqueeze", "squeeze", "expand", "clone",
                          "contiguous", "repeat", "permute", "transpose", "detach"})  # fmt: skip


def spec_of(name: str, value: torch.Tensor) -> TensorSpec:
    """The spec of a captured input: measured where the values are known, shape and dtype alone where they are not."""
    known = value.constant if isinstance(value, FakeTensor) else value
    if known is not None and known.device.type != "meta":
        return TensorSpec.from_tensor(name, known)
    return TensorSpec(
        name=name, shape=tuple(int(d) for d in value.shape), dtype=str(value.dtype).removeprefix("torch.")
    )


def with_defaults(graph: Graph) -> Graph:
    """The graph with statistics, bounds or content for every input of which only shape and dtype are known."""
    roles = roles_of(graph.program, graph.specs)
    unknown = [index for index, spec in enumerate(graph.specs) if _is_unknown(spec)]
    if not unknown:
        return graph
    bounds = _index_bounds(graph) if any(graph.specs[index].is_integer for index in unknown) else {}
    specs = list(graph.specs)
    for index in unknown:
        specs[index] = _filled(specs[index], roles[index], bounds.get(index))
    return replace(graph, specs=tuple(specs))


def _is_unknown(spec: TensorSpec) -> bool:
    return spec.data is None and spec.mean is None and spec.min_val is None and spec.dtype != "bool"


def _filled(spec: TensorSpec, role: Role, bound: int | None) -> TensorSpec:
    if spec.is_integer:
        return replace(spec, min_val=0, max_val=max(0, (bound or 2) - 1))
    if role is Role.EPSILON:
        return replace(spec, mean=_MOMENTS[role][0], std=0.0, data=(_MOMENTS[role][0],) * spec.numel)
    if role is Role.WEIGHT:
        return replace(spec, mean=0.0, std=float(f"{_weight_std(spec.shape):.3g}"))
    mean, std = _MOMENTS[role]
    return replace(spec, mean=mean, std=std, min_val=0.0 if role is Role.VARIANCE else None)


def _weight_std(shape: Sequence[int]) -> float:
    """Keeps the variance of what flows through: one over the root of the fan-in (dimensions after the first)."""
    fan_in = math.prod(shape[1:]) if len(shape) > 1 else 0
    return 1 / math.sqrt(fan_in) if fan_in > 1 else _VECTOR_STD


def _index_bounds(graph: Graph) -> dict[int, int]:
    """Input -> number of entries that it may index, read off its uses; the smallest of several."""
    gm = graph.module(propagated=False)
    propagate(gm, fake_inputs(graph.specs))
    shapes = [_shape(node.meta.get("val")) for node in gm.graph.nodes if node.op != "output"]
    origin = {index: index for index in range(len(graph.specs))}
    bounds: dict[int, int] = {}
    for place, op in enumerate(graph.statements(), start=len(graph.specs)):
        first = op.args[0] if op.args else None
        if op.target.rpartition(".")[2] in _SAME_VALUES and isinstance(first, Ref) and first.index in origin:
            origin[place] = origin[first.index]
        for index, size in _indexed(op, shapes):
            if index in origin:
                found = origin[index]
                bounds[found] = min(size, bounds.get(found, size))
    return bounds


def _shape(value: Any) -> tuple[int, ...] | None:
    """The shape if it is fully known."""
    if not isinstance(value, torch.Tensor) or not all(isinstance(size, int) for size in value.shape):
        return None
    return tuple(value.shape)


def _indexed(op: Op, shapes: Sequence[tuple[int, ...] | None]) -> list[tuple[int, int]]:
    """(index tensor, entries it chooses from) for each index of one operation."""
    leaf = op.target.rpartition(".")[2]
    if leaf in {"getitem", "setitem"} and isinstance(op.args[0], Ref):
        return _subscripts(shapes[op.args[0].index], op.args[1])
    row = _INDEXING.get(leaf)
    if row is None:
        return []
    values = dict(enumerate(op.args)) | {key: value for key, value in op.kwargs if isinstance(key, int)}
    named = dict(op.kwargs)
    table, index = values.get(row[0], named.get("input")), values.get(row[1], named.get("index"))
    dim = 0 if row[2] is None else values.get(row[2], named.get("dim"))
    if isinstance(table, int) and isinstance(index, Ref):
        return [(index.index, table)] if table > 0 else []
    shape = shapes[table.index] if isinstance(table, Ref) else None
    if shape and isinstance(index, Ref) and isinstance(dim, int) and -len(shape) <= dim < len(shape):
        return [(index.index, shape[dim])]
    return []


def _subscripts(shape: tuple[int, ...] | None, key: object) -> list[tuple[int, int]]:
    """Of `x[key]`: each index tensor and the length of its dimension, as far as the key is simple."""
    keys = key if isinstance(key, tuple) else (key,)
    if shape is None or any(item is None or item is Ellipsis for item in keys) or len(keys) > len(shape):
        return []
    return [(item.index, size) for item, size in zip(keys, shape, strict=False) if isinstance(item, Ref)]
