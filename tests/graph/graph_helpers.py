"""Fixture directories, makers of graphs, and the reference execution of the graph tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from passnet.graph import Graph, TensorSpec

FIXTURES = Path(__file__).parent.parent / "fixtures" / "graphs"
RUNNABLE = (
    "constant_norm",
    "dialect_black",
    "dialect_raw",
    "dialect_renamed",
    "dynamic_scalars",
    "every_dtype",
    "vmap_internals",
)
META = {"framework": "torch", "num_devices_required": 1, "num_nodes_required": 1}


def model_text(params: Sequence[str], body: Sequence[str], imports: Sequence[str] = ()) -> str:
    """A `model.py` of these parameters and body lines."""
    head = ["import torch", *imports, "", "class GraphModule(torch.nn.Module):", ""]
    lines = [f"    def forward({', '.join(['self', *params])}):", *("        " + line for line in body)]
    return "\n".join(head + lines)


def spec(name: str, *shape: int, dtype: str = "float32", **fields: Any) -> TensorSpec:
    """A spec with the statistics of standard normal data unless told otherwise."""
    if dtype.startswith(("float", "bfloat", "complex")):
        fields = {"mean": 0.0, "std": 1.0} | fields
    return TensorSpec(name=name, shape=shape, dtype=dtype, **fields)


def graph_of(specs: Sequence[TensorSpec], *body: str, imports: Sequence[str] = (), name: str = "g") -> Graph:
    """A graph in memory."""
    return Graph(name=name, source=model_text([s.name for s in specs], body, imports), specs=tuple(specs), meta=META)


def run_text(source: str, inputs: Sequence[Any]) -> Any:
    """What Python itself makes of the text, with devices sent to the CPU: the reference for built modules."""
    text = source.replace('device(type="cuda", index=0)', 'device(type="cpu")')
    text = text.replace("device(type='cuda', index=0)", 'device(type="cpu")').replace('"cuda",', '"cpu",')
    space: dict[str, Any] = {}
    exec(compile(text, "model.py", "exec"), space)
    with torch.no_grad():
        return space["GraphModule"]().forward(*inputs)


def same(left: Any, right: Any) -> bool:
    """Bit equality of nested outputs, NaN equal to NaN."""
    if isinstance(left, torch.Tensor):
        if not isinstance(right, torch.Tensor) or (left.dtype, left.shape) != (right.dtype, right.shape):
            return False
        kind = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64, 16: torch.int64}[left.element_size()]
        return torch.equal(left.contiguous().reshape(-1).view(kind), right.contiguous().reshape(-1).view(kind))
    if isinstance(left, (tuple, list)):
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    return left == right
