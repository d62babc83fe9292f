"""Cuts a range of nodes out of a captured graph as a graph that stands alone, with the real values at its borders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx

from passnet.dataset.capture import Captured
from passnet.errors import UsageError

_NAMESPACE = re.compile("^(?:linalg|fft|special)_")
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


@dataclass(frozen=True)
class Piece:
    """Nodes [start, end) of a captured graph: `module(*inputs)` gives the parent's own intermediate `outputs`."""

    module: fx.GraphModule
    inputs: tuple[torch.Tensor, ...]
    outputs: tuple[torch.Tensor, ...]
    start: int
    end: int


def call_nodes(module: fx.GraphModule) -> list[fx.Node]:
    """The nodes that a range counts: all but placeholders, attribute reads and the output."""
    return [node for node in module.graph.nodes if node.op not in {"placeholder", "get_attr", "output"}]


def op_name(node: fx.Node) -> str:
    """The published name of an operator: `Tensor.<m>` for a method, the bare `__name__` for a function."""
    if node.op == "call_method":
        return f"Tensor.{node.target}"
    name = str(getattr(node.target, "__name__", node.target))
    # Torch calls what it offers as `torch.linalg.vector_norm` by another name than the text of a graph does.
    return _NAMESPACE.sub("", name)


def find_ops(module: fx.GraphModule, ops: Sequence[str], occurrence: int = 0) -> tuple[int, int]:
    """The range of the given occurrence of consecutive operators; UsageError when there are fewer."""
    names = [op_name(node) for node in call_nodes(module)]
    width = len(ops)
    starts = [i for i in range(len(names) - width + 1) if names[i : i + width] == list(ops)]
    if len(starts) <= occurrence:
        raise UsageError(
            f"no occurrence {occurrence} of the operators {', '.join(ops)}",
            expected=f"more than {occurrence}",
            found=f"{len(starts)} in {len(names)} nodes",
            hint="another version of the model's library may spell the block differently",
        )
    return starts[occurrence], starts[occurrence] + width


def cut_range(captured: Captured, start: int, end: int) -> Piece:
    """Cut nodes [start, end) out and run the parent once to learn the values at the borders.

    Inputs are the values made before and used inside (weights included) in the parent's order, outputs those made
    inside and used after. Nodes of no use to an output vanish. Raises UsageError for an empty range, for a border
    that is not a tensor, for a range without outputs and for a range that writes to its inputs.
    """
    inside = call_nodes(captured.module)[start:end]
    if start < 0 or len(inside) != end - start or not inside:
        total = len(call_nodes(captured.module))
        raise UsageError("no such range of nodes", expected=f"0 <= start < end <= {total}", found=f"[{start}, {end})")
    before, after = borders(inside)
    if not after:
        raise UsageError("nothing of the range is used after it", hint="a task needs at least one output")
    watch = _Watch(captured.module, inside, before, after)
    with torch.no_grad():
        watch.run(*(_copy(value) for value in captured.inputs))
    _require_tensors([*before, *after], [*watch.inputs, *watch.outputs])
    for node, old, new in zip(before, watch.inputs, watch.inputs_after, strict=True):
        if not (torch.equal(old, new) or bool(torch.isnan(old).any())):
            raise UsageError(f"the range [{start}, {end}) writes to its input {node.name}", hint="move its borders")
    module = standalone(inside, before, after)
    return Piece(module, tuple(watch.inputs), tuple(watch.outputs), start, end)


def verify(piece: Piece) -> None:
    """Run the piece alone on the recorded inputs; UsageError unless it gives the parent's values bit by bit."""
    with torch.no_grad():
        got = piece.module(*(value.clone() for value in piece.inputs))
    for index, (expected, found) in enumerate(zip(piece.outputs, got, strict=True)):
        same_kind = expected.dtype == found.dtype and expected.shape == found.shape
        if not same_kind or not torch.equal(expected, found):
            raise UsageError(
                f"output {index} of nodes [{piece.start}, {piece.end}) differs from the parent's value",
                expected=f"{expected.dtype} {list(expected.shape)}, bit-equal",
                found=f"{found.dtype} {list(found.shape)}",
            )


def borders(
    inside: Sequence[fx.Node], order: Mapping[fx.Node, int] | None = None
) -> tuple[list[fx.Node], list[fx.Node]]:
    """What crosses the borders of a range: values made before and used inside, values made inside and used after.

    Both in the graph's order, which `order` (node -> place in the graph) gives where it is known already.
    """
    members = set(inside)
    if order is None:
        order = {node: place for place, node in enumerate(inside[0].graph.nodes)}
    needed = {source for node in inside for source in node.all_input_nodes if source not in members}
    after = [node for node in inside if any(user not in members for user in node.users)]
    return sorted(needed, key=order.__getitem__), after


def _copy(value: Any) -> Any:
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def _require_tensors(nodes: Iterable[fx.Node], values: Iterable[Any]) -> None:
    for node, value in zip(nodes, values, strict=True):
        if not isinstance(value, torch.Tensor):
            raise UsageError(
                f"{node.name} crosses the border of the range", expected="a tensor", found=type(value).__name__
            )


class _Watch(fx.Interpreter):
    """Runs the parent and copies the border values: inputs as the range begins, all of them as it ends."""

    def __init__(
        self, module: fx.GraphModule, inside: Sequence[fx.Node], before: list[fx.Node], after: list[fx.Node]
    ) -> None:
        super().__init__(module, garbage_collect_values=False)
        self._first, self._last = inside[0], inside[-1]
        self._before, self._after = before, after
        self.inputs: list[Any] = []
        self.inputs_after: list[Any] = []
        self.outputs: list[Any] = []

    def run_node(self, n: fx.Node) -> Any:
        if n is self._first:
            self.inputs = [_copy(self.env[node]) for node in self._before]
        value = super().run_node(n)
        if n is self._last:
            live = {**self.env, n: value}
            self.inputs_after = [_copy(live[node]) for node in self._before]
            self.outputs = [_copy(live[node]) for node in self._after]
        return value


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
    """Does the operator work in place, by its name, `inplace`, `out`, or as a normalisation in training mode?"""
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
