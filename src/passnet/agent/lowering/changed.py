"""Inputs that a graph reads or changes in place: which they are, and which outputs are these inputs themselves."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import torch
from torch import fx

from passnet.graph import Graph, fake_inputs
from passnet.graph.values.mutation import updated_statistics
from passnet.rewrite.canonical.index import thread_in_place

_ASSIGN = torch.ops.aten.copy_.default


def changed_inputs(graph: Graph) -> frozenset[int]:
    """Indices of the inputs that a call changes by operators in place.

    Not among them are statistics of a normalisation, and inputs that are changed through a view alone. No pattern can
    return these as they are after the change.
    """
    changed = graph.mutated_inputs() - updated_statistics(graph.program)
    if not changed:
        return changed
    module = graph.module(propagated=False)
    inputs = list(module.graph.find_nodes(op="placeholder"))
    (last,) = module.graph.find_nodes(op="output")
    last.args = (tuple(inputs),)
    thread_in_place(module.graph)
    return frozenset(place for place in changed if last.args[0][place] is not inputs[place])


def read_inputs(graph: Graph, outputs: Sequence[int], changed: Collection[int]) -> tuple[int, ...]:
    """Indices of the inputs on which these outputs, or the new values of these `changed` inputs, depend."""
    module = graph.module(propagated=False)
    inputs = list(module.graph.find_nodes(op="placeholder"))
    (last,) = module.graph.find_nodes(op="output")
    last.args = (tuple(last.args[0][place] for place in outputs) + tuple(inputs[place] for place in changed),)
    thread_in_place(module.graph)
    seen: set[fx.Node] = set()
    pending = [last]
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending.extend(node.all_input_nodes)
    return tuple(place for place, node in enumerate(inputs) if node in seen)


def returned_inputs(graph: Graph) -> dict[int, int]:
    """Place of an output -> index of the changed input that it is. An output that views an input is none."""
    changed = changed_inputs(graph)
    if not changed:
        return {}
    inputs = fake_inputs(graph.specs)
    with torch.no_grad():
        outputs = graph.module(propagated=False)(*inputs)
    same = {id(inputs[index]): index for index in changed}
    return {place: same[id(value)] for place, value in enumerate(outputs) if id(value) in same}


def result_nodes(graph: Graph) -> list[fx.Node]:
    """The operators that give the outputs. An output that is a changed input comes from the last change."""
    module = graph.module(propagated=False)
    thread_in_place(module.graph)
    (last,) = module.graph.find_nodes(op="output")
    return list(last.args[0])


def leave_inputs(aten: fx.GraphModule, dead: Collection[int]) -> None:
    """Write nothing to these inputs, whose memory nobody reads afterwards."""
    inputs = list(aten.graph.find_nodes(op="placeholder"))
    left = {inputs[place] for place in dead}
    for node in list(aten.graph.find_nodes(op="call_function", target=_ASSIGN)):
        if node.args[0] in left and not node.users:
            aten.graph.erase_node(node)
    aten.recompile()


def return_inputs(aten: fx.GraphModule, returned: dict[int, int]) -> None:
    """Return the changed inputs themselves, where the graph does so.

    Without mutation a traced graph computes the new value, returns it, and copies it to the input at the end. Then a
    kernel would write it twice.
    """
    if not returned:
        return
    inputs = list(aten.graph.find_nodes(op="placeholder"))
    (last,) = aten.graph.find_nodes(op="output")
    values = list(last.args[0])
    written = {node.args[0]: node for node in aten.graph.find_nodes(op="call_function", target=_ASSIGN)}
    for place, index in returned.items():
        copied = written.get(inputs[index])
        if copied is not None and copied.args[1] is values[place]:
            values[place] = copied
    last.args = (tuple(values),)
    aten.recompile()
