"""The operators of an fx graph as ranges count them, and their published names."""

from __future__ import annotations

import re

from torch import fx

_NAMESPACE = re.compile("^(?:linalg|fft|special)_")


def call_nodes(module: fx.GraphModule) -> list[fx.Node]:
    """The nodes that a range counts: all but placeholders, attribute reads and the output."""
    return [node for node in module.graph.nodes if node.op not in {"placeholder", "get_attr", "output"}]


def op_name(node: fx.Node) -> str:
    """The published name of an operator: `Tensor.<m>` for a method, the bare `__name__` for a function."""
    if node.op == "call_method":
        return f"Tensor.{node.target}"
    name = str(getattr(node.target, "__name__", node.target))
    # Torch and the text of a graph name some functions differently, for example `torch.linalg.vector_norm`.
    return _NAMESPACE.sub("", name)
