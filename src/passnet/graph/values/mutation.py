"""Finds which inputs a graph changes, so that callers know which ones need a fresh copy for every call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from passnet.graph.tensors.equality import same_values
from passnet.graph.text.program import Op, ParsedModel, Ref
from passnet.graph.values.bounded import BoundedInterpreter
from passnet.graph.values.propagation import fake_inputs, propagate

if TYPE_CHECKING:
    from passnet.graph.graph import Graph

# Training-mode normalisation updates its running statistics without touching a version counter. target -> (positions of
# the statistics, position and name of the flag, the flag's default)
_RUNNING_STATISTICS: dict[str, tuple[tuple[int, int], tuple[int, str], bool]] = {
    "torch.nn.functional.batch_norm": ((1, 2), (5, "training"), False),
    "torch.batch_norm": ((3, 4), (5, "training"), False),
    "torch.native_batch_norm": ((3, 4), (5, "training"), False),
    "torch.nn.functional.instance_norm": ((1, 2), (5, "use_input_stats"), True),
    "torch.instance_norm": ((3, 4), (5, "use_input_stats"), True),
}


def mutated_inputs(graph: Graph) -> frozenset[int]:
    """Indices of the inputs that one call changes, directly or through a view.

    The graph first runs on fake tensors, which allocate nothing. Their version counters move with every in-place
    operation on them or on their views.  Some graphs cannot run on them because their shapes depend on data. Such a
    graph runs once on the CPU, within the size limit, and its inputs are compared before and after.  Running statistics
    that a training-mode normalisation updates are added from the program, because no counter shows them.
    """
    by_program = updated_statistics(graph.program)
    gm = graph.module("cpu", propagated=False)
    inputs = fake_inputs(graph.specs)
    before = [tensor._version for tensor in inputs]
    if propagate(gm, inputs, graph.name).complete:
        moved = {i for i, tensor in enumerate(inputs) if tensor._version != before[i]}
        return frozenset(moved | by_program)
    return frozenset(_by_running(graph, gm) | by_program)


def _by_running(graph: Graph, gm: torch.fx.GraphModule) -> set[int]:
    inputs = graph.inputs(0)
    originals = [tensor.clone() for tensor in inputs]
    versions = [tensor._version for tensor in inputs]
    with torch.no_grad():
        BoundedInterpreter(gm, graph.name).run(*inputs)
    changed = {i for i, tensor in enumerate(inputs) if tensor._version != versions[i]}
    return changed | {i for i, tensor in enumerate(inputs) if not _unchanged(tensor, originals[i])}


def _unchanged(tensor: torch.Tensor, original: torch.Tensor) -> bool:
    same_kind = tensor.shape == original.shape and tensor.dtype == original.dtype
    return same_kind and same_values(tensor, original)


def updated_statistics(program: ParsedModel) -> set[int]:
    """Parameters that are running statistics of a normalisation in training mode, which no version counter shows."""
    found: set[int] = set()
    for op in program.ops:
        if op.target in _RUNNING_STATISTICS and _is_training(op):
            positions, _, _ = _RUNNING_STATISTICS[op.target]
            names = dict(op.kwargs)
            values = [op.args[p] for p in positions if p < len(op.args)]
            values += [names.get("running_mean"), names.get("running_var")]
            found |= {value.index for value in values if isinstance(value, Ref) and value.index < len(program.params)}
    return found


def _is_training(op: Op) -> bool:
    _, (position, keyword), default = _RUNNING_STATISTICS[op.target]
    flag: object = op.args[position] if position < len(op.args) else dict(op.kwargs).get(keyword, default)
    return bool(flag)
