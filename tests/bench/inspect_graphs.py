"""Small graphs whose cost is known by hand, for the tests of inspection."""

from __future__ import annotations

from passnet.graph import Graph, TensorSpec

Shapes = dict[str, tuple[tuple[int, ...], str]]

HEADER = "import torch\nfrom torch import device\n\n\nclass GraphModule(torch.nn.Module):\n"


def graph(name: str, inputs: Shapes, *lines: str, **extra: dict[str, object]) -> Graph:
    """A graph of the given statements; `extra` holds further fields of the spec of an input."""
    params = ", ".join(f"{param}: torch.Tensor" for param in inputs)
    body = "".join(f"        {line}\n" for line in lines)
    source = f"{HEADER}    def forward(self, {params}):\n{body}"
    specs = tuple(
        TensorSpec(param, shape, dtype, mean=0.0, std=1.0, **extra.get(param, {}))
        for param, (shape, dtype) in inputs.items()
    )
    return Graph(name=name, source=source, specs=specs)


def pointwise() -> Graph:
    """Two kernels over 4096 floats."""
    return graph("pointwise", {"x": ((64, 64), "float32"), "y": ((64,), "float32")},
                 "mul = x * y", "relu = torch.relu(mul)", "return (relu,)")  # fmt: skip


def linear(dtype: str = "float32") -> Graph:
    """A product of 32x128 by 128x64 with a bias."""
    shapes: Shapes = {"x": ((32, 128), dtype), "w_1": ((64, 128), dtype), "b_bias": ((64,), dtype)}
    return graph("linear", shapes, "linear = torch._C._nn.linear(x, w_1, b_bias)", "return (linear,)")
