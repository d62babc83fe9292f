"""Tensors that torch negates or conjugates lazily: their bytes are not their values, and a kernel reads bytes.

`torch.imag(torch.conj(z))` is such a tensor, and so is `z.mH`. A replaced call gets its values in memory of their own,
with the same strides. Where a graph has no such tensor, nothing is added to it.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

import torch
from torch import fx

from passnet.rewrite.canonical.values import example_value


def plain_memory(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor itself, or its values in other memory with the same strides where its bytes are others."""
    if not (tensor.is_neg() or tensor.is_conj()):
        return tensor
    made = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=tensor.device)
    once, values = made, tensor
    for dim, (length, step) in enumerate(zip(tensor.shape, tensor.stride(), strict=True)):
        if step == 0 and length > 1:  # an expanded dimension is one number in memory
            once, values = once.narrow(dim, 0, 1), values.narrow(dim, 0, 1)
    once.copy_(values)
    return made


def is_lazy(value: object) -> bool:
    """Whether a node's value is known to be such a tensor. Fake tensors know it as real ones do."""
    known = example_value(value) if isinstance(value, fx.Node) else None
    if not isinstance(known, torch.Tensor) or known.layout is not torch.strided:
        return False
    return known.is_neg() or known.is_conj()


def resolve_arguments(graph: fx.Graph, calls: Container[str]) -> None:
    """Let these calls take no lazy tensor, in place."""
    for node in list(graph.nodes):
        if node.name not in calls:
            continue
        plain: dict[fx.Node, fx.Node] = {}
        for source in node.all_input_nodes:
            if is_lazy(source):
                with graph.inserting_before(node):
                    plain[source] = graph.call_function(plain_memory, (source,))
                known = example_value(source)
                plain[source].meta["val"] = known.new_empty_strided(known.shape, known.stride())
        if plain:
            node.args = _with(node.args, plain)


def _with(arguments: Any, others: Mapping[fx.Node, fx.Node]) -> Any:
    return fx.map_arg(arguments, lambda source: others.get(source, source))
