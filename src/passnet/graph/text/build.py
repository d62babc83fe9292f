"""Builds a `torch.fx.GraphModule` from a `ParsedModel`, node by node, in the form Dynamo would have recorded."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import fx

from passnet.graph.errors import GraphError
from passnet.graph.text.allowed import DEVICE_TEXT, METHODS, function_allowed
from passnet.graph.text.program import DeviceConstant, Op, ParsedModel, Ref, TorchConstant, Value, map_value

# Classes that may be called although they are no functions. Custom autograd functions leave such calls behind.
_CALLABLE_CLASSES = frozenset({"torch.autograd.function.FunctionCtx"})
_AUTOCAST = "torch.amp.autocast_mode._enter_autocast"
# Methods that move a tensor to a fixed device. They become `.to(device)`.
_MOVERS = frozenset({"cpu", "cuda"})


def resolve(dotted: str) -> Callable[..., Any]:
    """The function behind an allowed dotted name.

    Errors: `GraphError` when this torch has no such function, or when the name is not of a plain callable.
    """
    if dotted == "getattr":
        return getattr
    if dotted.startswith("operator."):
        found: Any = getattr(operator, dotted.removeprefix("operator."))
        return found  # type: ignore[no-any-return]
    if not function_allowed(dotted):
        raise GraphError(f"{dotted} may not be called")
    found = torch
    for part in dotted.split(".")[1:]:
        found = getattr(found, part, None)
        if found is None:
            raise GraphError(
                f"{dotted} does not exist in torch {torch.__version__}", hint="the graph needs another torch version"
            )
    if not callable(found) or (isinstance(found, type) and dotted not in _CALLABLE_CLASSES):
        raise GraphError(f"{dotted} is not a function")
    return found  # type: ignore[no-any-return]


def build_module(
    program: ParsedModel, device: str | torch.device = "cpu", *, path: Path | None = None
) -> fx.GraphModule:
    """The module: placeholders in signature order, one node per statement, a tuple as output.

    Every device named in the code (constants, device strings, `.cuda()`, autocast) becomes `device`.
    Errors: `GraphError` naming the line when a function does not exist in this torch.
    """
    if any("sparse" in op.target for op in program.ops):
        # Torch believes the indices of sparse tensors otherwise, and reads and writes wherever they point.
        torch.sparse.check_sparse_tensor_invariants.enable()  # type: ignore[no-untyped-call]
    return fx.GraphModule(torch.nn.Module(), _Builder(program, torch.device(device), path).graph())


class _Builder:
    def __init__(self, program: ParsedModel, device: torch.device, path: Path | None) -> None:
        self.program, self.device, self.path = program, device, path
        self.nodes: list[fx.Node] = []

    def graph(self) -> fx.Graph:
        graph = fx.Graph()
        for param in self.program.params:
            self.nodes.append(graph.placeholder(param))
        for op in self.program.ops:
            self.nodes.append(self.node(graph, op))
        graph.output(self.value(self.program.outputs))
        graph.lint()
        return graph

    def node(self, graph: fx.Graph, op: Op) -> fx.Node:
        args = tuple(self.value(argument) for argument in op.args)
        kwargs = {key: self.argument(key, value) for key, value in op.kwargs}
        target: Any = op.target
        if op.kind == "method":
            target, args, kwargs = self.method(op.target, args, kwargs)
        else:
            target, args = self.function(op, args)
        return graph.create_node(f"call_{op.kind}", target, args, kwargs, name=op.name or None)

    def function(self, op: Op, args: tuple[Any, ...]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        try:
            target = resolve(op.target)
        except GraphError as error:
            raise GraphError(str(error), path=self.path, field=f"line {op.line}") from None
        if op.target == "operator.pow" and isinstance(args[0], (int, float)) and args[0] < 0:
            # FX prints `-2 ** x` for (-2) ** x, which Python reads as -(2 ** x).
            target = torch.pow
        if op.target == _AUTOCAST and args and isinstance(args[0], str):
            args = (self.device.type, *args[1:])
        return target, args

    def method(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[str, Any, dict[str, Any]]:
        if name not in METHODS:
            raise GraphError(f"method {name!r} may not be called", path=self.path)
        if name in _MOVERS:
            keep = {key: value for key, value in kwargs.items() if key in {"non_blocking", "memory_format"}}
            return "to", (args[0], self.device), keep
        if name == "to":
            args = (*args[:1], *(self.device_string(value) for value in args[1:]))
        return name, args, kwargs

    def argument(self, key: str, value: Value) -> Any:
        """A keyword argument. `device="cuda:0"` names a device although it is a string."""
        built = self.value(value)
        return self.device if key == "device" and isinstance(built, int) else self.device_string(built, key)

    def device_string(self, value: Any, key: str = "device") -> Any:
        named = key == "device" and isinstance(value, str) and DEVICE_TEXT.fullmatch(value)
        return self.device if named else value

    def value(self, value: Value) -> Any:
        return map_value(value, self.leaf)

    def leaf(self, value: Value) -> Any:
        converter = _LEAVES.get(type(value))
        return value if converter is None else converter(self, value)


_LEAVES: Mapping[type, Callable[[_Builder, Any], Any]] = {
    Ref: lambda builder, ref: builder.nodes[ref.index],
    DeviceConstant: lambda builder, constant: builder.device,
    TorchConstant: lambda builder, constant: getattr(torch, constant.name),
}
