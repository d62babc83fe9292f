"""Finds the values that cross the borders of a range of operators, and in-place operators. Makes ranges
into modules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import fx

from passnet.dataset.capture.nodes import op_name

_ASSIGNED = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"
# Augmented assignments (`x += y`) and assignment to items.
_AUGMENTED = frozenset({"setitem", *(f"i{name}" for name in _ASSIGNED.split())})
# Flags that make an operator write to its first operand or to its running statistics: name -> function -> position.
_WRITING_FLAGS: Mapping[str, Mapping[str, int]] = {
    "inplace": dict.fromkeys(("relu", "relu6", "silu", "mish", "selu", "hardswish", "hardsigmoid"), 1)
    | dict.fromkeys(("elu", "celu", "leaky_relu"), 2)
    | dict.fromkeys(("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "hardtanh", "threshold"), 3)
    | {"rrelu": 4},
    "training": {"batch_norm": 5},
    "use_input_stats": {"instance_norm": 5},
}


def borders(
    inside: Sequence[fx.Node], order: Mapping[fx.Node, int] | None = None
) -> tuple[list[fx.Node], list[fx.Node]]:
    """The values that cross the borders of a range: made before and used inside, made inside and used after.

    Both are in the graph's order. `order` (node -> place in the graph) gives it where it is known already.
    """
    members = set(inside)
    if order is None:
        order = {node: place for place, node in enumerate(inside[0].graph.nodes)}
    needed = {source for node in inside for source in node.all_input_nodes if source not in members}
    after = [node for node in inside if any(user not in members for user in node.users)]
    return sorted(needed, key=order.__getitem__), after


def standalone(inside: Sequence[fx.Node], before: Sequence[fx.Node], after: Sequence[fx.Node]) -> fx.GraphModule:
    """The nodes as a module of their own: inputs `before`, a tuple of `after` as output, nodes of no use left out."""
    graph = fx.Graph()
    copies: dict[fx.Node, fx.Node] = {}
    for node in before:
        name = str(node.target) if node.op == "placeholder" else node.name
        copies[node] = graph.placeholder(name)
    for node in inside:
        copies[node] = graph.node_copy(node, copies.__getitem__)
    graph.output(tuple(copies[node] for node in after))
    _drop_dead(graph)
    graph.lint()
    return fx.GraphModule(torch.nn.Module(), graph)


def _drop_dead(graph: fx.Graph) -> None:
    """Erase nodes without users, unless their work is done in place on something that is used."""
    graph.eliminate_dead_code(is_impure_node=lambda node: node.op in {"placeholder", "output"} or writes(node))


def writes(node: fx.Node) -> bool:
    """Whether the operator works in place: by its name, by `inplace` or `out`, or as a normalisation in
    training mode.
    """
    name = op_name(node)
    bare = name.removeprefix("Tensor.")
    if bare in _AUGMENTED or (bare.endswith("_") and not bare.endswith("__")):
        return True
    if node.kwargs.get("out") is not None:
        return True
    return any(_flag(node, flag) for flag in _WRITING_FLAGS)


def _flag(node: fx.Node, flag: str) -> bool:
    """A flag given by keyword, or by the position that it has in the functions where it means writing."""
    functions, name = _WRITING_FLAGS[flag], op_name(node)
    if flag in node.kwargs:
        return node.kwargs[flag] is True and (flag == "inplace" or name in functions)
    place = functions.get(name, len(node.args))
    return place < len(node.args) and node.args[place] is True
