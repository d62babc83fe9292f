"""A float64 twin of a graph: the truth that eager and a candidate are both measured against.

Low-precision floating dtypes in the graph (casts, `dtype=` arguments, `.float()` and its siblings) become float64,
so that the twin rounds nowhere. Operators that have no float64 form leave a graph without a twin, which is recorded.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

_NARROW = frozenset({torch.float16, torch.bfloat16, torch.float32})
_CAST_METHODS = frozenset({"float", "half", "bfloat16"})


@dataclass(frozen=True)
class WideReference:
    """The rewritten module; calling it takes the original inputs and returns float64 (or exact) outputs."""

    module: torch.fx.GraphModule

    @classmethod
    def build(
        cls, module: torch.fx.GraphModule, inputs: Sequence[torch.Tensor], outputs: Sequence[torch.Tensor]
    ) -> WideReference | None:
        """The twin, or None when the graph cannot run in float64 or then gives outputs of other shapes or kinds."""
        twin = cls(_widened(module))
        try:
            got = twin([t.clone() for t in inputs])
        except (RuntimeError, TypeError, ValueError, NotImplementedError):
            return None
        if [t.shape for t in got] != [t.shape for t in outputs]:
            return None
        wanted = [_widest(t.dtype) for t in outputs]
        return twin if [t.dtype for t in got] == wanted else None

    def __call__(self, inputs: Sequence[torch.Tensor]) -> tuple[torch.Tensor, ...]:
        default = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        try:
            outputs = self.module.forward(*[_widen(t) for t in inputs])
        finally:
            torch.set_default_dtype(default)
        return tuple(outputs)


def _widened(module: torch.fx.GraphModule) -> torch.fx.GraphModule:
    graph = copy.deepcopy(module.graph)
    for node in graph.nodes:
        node.args = torch.fx.node.map_aggregate(node.args, _wide_constant)
        node.kwargs = torch.fx.node.map_aggregate(node.kwargs, _wide_constant)
        if node.op == "call_method" and node.target in _CAST_METHODS:
            node.target = "double"
    return torch.fx.GraphModule(module, graph)


def _wide_constant(value: Any) -> Any:
    return torch.float64 if isinstance(value, torch.dtype) and value in _NARROW else value


def _widest(dtype: torch.dtype) -> torch.dtype:
    if dtype.is_complex:
        return torch.complex128
    return torch.float64 if dtype.is_floating_point else dtype


def _widen(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.to(_widest(tensor.dtype))
