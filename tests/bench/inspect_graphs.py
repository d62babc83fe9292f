"""Small graphs whose cost is known by hand, for the tests of inspection."""

from __future__ import annotations

from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

Shapes = dict[str, tuple[tuple[int, ...], str]]


def graph(name: str, inputs: Shapes, *lines: str, **extra: dict[str, object]) -> Graph:
    """A graph of the given statements; `extra` holds further fields of the spec of an input."""
    specs = [spec(param, *shape, dtype=dtype, **extra.get(param, {})) for param, (shape, dtype) in inputs.items()]
    return graph_of(specs, *lines, name=name)


def pointwise() -> Graph:
    """Two kernels over 4096 floats."""
    return graph("pointwise", {"x": ((64, 64), "float32"), "y": ((64,), "float32")},
                 "mul = x * y", "relu = torch.relu(mul)", "return (relu,)")  # fmt: skip


def linear(dtype: str = "float32") -> Graph:
    """A product of 32x128 by 128x64 with a bias."""
    shapes: Shapes = {"x": ((32, 128), dtype), "w_1": ((64, 128), dtype), "b_bias": ((64,), dtype)}
    return graph("linear", shapes, "linear = torch._C._nn.linear(x, w_1, b_bias)", "return (linear,)")
