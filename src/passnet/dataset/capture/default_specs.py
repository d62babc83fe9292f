"""Specs of tensors with unknown values, as from fake capture: plausible statistics by role and name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import torch
from torch._subclasses.fake_tensor import FakeTensor

from passnet.graph import Graph, Role, TensorSpec, roles_of
from passnet.graph.tensors.measure import dtype_name
from passnet.graph.values.indexing import reckoning

# Mean and standard deviation of floating inputs. A weight's standard deviation follows from its shape.
_MOMENTS: Mapping[Role, tuple[float, float]] = {
    Role.DATA: (0.0, 1.0),
    Role.NORM_SCALE: (1.0, 0.2),
    Role.BIAS: (0.0, 0.2),
    Role.MEAN: (0.0, 0.2),
    Role.VARIANCE: (1.0, 0.3),
    Role.EPSILON: (1e-6, 0.0),
}
_VECTOR_STD = 0.02
# Pixels, samples of sound and packed weights are any of these, unless an index, a size or a count is made of them.
_BYTES = frozenset({"uint8", "int8"})


def spec_of(name: str, value: torch.Tensor) -> TensorSpec:
    """The spec of a captured input: measured where the values are known, shape and dtype alone where they are not."""
    known = value.constant if isinstance(value, FakeTensor) else value
    if known is not None and known.device.type != "meta":
        return TensorSpec.from_tensor(name, known)
    return TensorSpec(name=name, shape=tuple(int(d) for d in value.shape), dtype=dtype_name(value.dtype))


def with_defaults(graph: Graph) -> Graph:
    """The graph with statistics, bounds or content for every input that has only a known shape and dtype."""
    roles = roles_of(graph.program, graph.specs)
    unknown = [index for index, spec in enumerate(graph.specs) if _is_unknown(spec)]
    if not unknown:
        return graph
    bounds = graph.index_bounds() if any(graph.specs[index].is_integer for index in unknown) else {}
    specs = list(graph.specs)
    for index in unknown:
        spec = specs[index]
        if spec.dtype in _BYTES and (positive := reckoning(graph, index)) is not None:
            ends = torch.iinfo(getattr(torch, spec.dtype))
            specs[index] = replace(spec, min_val=1 if positive else ends.min, max_val=ends.max)
        else:
            specs[index] = _filled(spec, roles[index], bounds.get(index))
    return replace(graph, specs=tuple(specs))


def _is_unknown(spec: TensorSpec) -> bool:
    """Whether only shape and dtype are known. Whatever was measured says more, but for booleans."""
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
