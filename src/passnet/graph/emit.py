"""Writes the `model.py` of an FX graph in Dynamo's torch-level form: inputs `in_<i>`, results `tmp_<i>`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from torch import fx
from torch._ops import OpOverload, OpOverloadPacket

from passnet.graph.errors import GraphError
from passnet.graph.fused import is_fma, plain_fma
from passnet.graph.graph import Graph
from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.text.allowed import ATTRIBUTES, FUNCTIONS, METHODS, function_allowed
from passnet.graph.text.operators import INFIX, INPLACE, PREFIX
from passnet.graph.text.syntax import parse_model

_META = {"framework": "torch", "num_devices_required": 1, "num_nodes_required": 1}


def graph_from_fx(
    gm: fx.GraphModule, specs: Sequence[TensorSpec], *, name: str, meta: Mapping[str, object] | None = None
) -> Graph:
    """A `Graph` of an FX graph. `specs` are in placeholder order. They are renamed to `in_<i>` and keep their old
    names.

    Errors: `GraphError` for a graph that the format cannot hold: `get_attr` nodes, sub-modules, functions outside the
    table, arguments that are no literals, or specs that do not fit the placeholders.
    """
    nodes = list(gm.graph.nodes)
    placeholders = [node for node in nodes if node.op == "placeholder"]
    if len(placeholders) != len(specs):
        raise GraphError("specs do not fit the graph", path=name, expected=len(placeholders), found=len(specs))
    source = _Writer(name, placeholders, nodes).text()
    renamed = tuple(
        replace(spec, name=f"in_{index}", original_name=spec.original_name or spec.name, fields=(), class_name=None)
        for index, spec in enumerate(specs)
    )
    graph = Graph(name=name, source=source, specs=renamed, meta=dict(meta or _META))
    program = parse_model(source, Path(f"{name}/model.py"))
    written = sum(node.op in {"call_function", "call_method"} for node in nodes)
    if len(program.ops) != written:
        raise GraphError(
            "the written graph differs from the graph", path=name, expected=written, found=len(program.ops)
        )
    return graph


@lru_cache(maxsize=1)
def _names_of_functions() -> Mapping[int, str]:
    """id of a function -> its preferred allowed name."""
    found: dict[int, str] = {}
    for namespace, leaves in FUNCTIONS.items():
        if namespace == "torch.ops.aten":
            continue
        module: Any = torch
        for part in namespace.split(".")[1:]:
            module = getattr(module, part, None)
        for leaf in sorted(leaves):
            function = getattr(module, leaf, None)
            if function is not None:
                found.setdefault(id(function), f"{namespace}.{leaf}")
    return found


def function_name(target: object) -> str | None:
    """The dotted name under which a `model.py` may call `target`, or None."""
    if isinstance(target, (OpOverload, OpOverloadPacket)):
        dotted = f"torch.ops.{str(target).replace('::', '.')}"
        return dotted if function_allowed(dotted) else None
    return _names_of_functions().get(id(target))


class _Writer:
    """Writes one graph, statement by statement."""

    def __init__(self, name: str, placeholders: list[fx.Node], nodes: list[fx.Node]) -> None:
        self.graph_name, self.placeholders, self.nodes = name, placeholders, nodes
        self.names = {node: f"in_{index}" for index, node in enumerate(placeholders)}
        self.lines: list[str] = []
        self.imports: set[str] = set()

    def text(self) -> str:
        dying = self.last_uses()
        for node in self.nodes:
            if node.op in {"call_function", "call_method"}:
                self.statement(node)
            elif node.op not in {"placeholder", "output"}:
                raise self.refuse(node, f"a {node.op} node", "make tensors and sub-modules inputs of the graph")
            freed = [self.names[dead] for dead in dying.get(node, []) if dead in self.names]
            if freed and node.op != "output":
                self.lines.append(" = ".join(freed) + " = None")
        self.lines.append(f"return {self.outputs()}")
        parameters = ", ".join(["self", *(self.names[node] for node in self.placeholders)])
        head = ["import torch", *sorted(self.imports), "", "class GraphModule(torch.nn.Module):", ""]
        return "\n".join([*head, f"    def forward({parameters}):", *("        " + line for line in self.lines)])

    def refuse(self, node: fx.Node, what: str, hint: str) -> GraphError:
        return GraphError(
            f"{what} cannot be written", path=self.graph_name, field=node.name, found=node.target, hint=hint
        )

    def last_uses(self) -> Mapping[fx.Node, list[fx.Node]]:
        """Node -> the results that nothing needs after it (inputs are never freed)."""
        last: dict[fx.Node, fx.Node] = {}
        for node in self.nodes:
            if node.op in {"call_function", "call_method"}:
                last[node] = node
            for used in node.all_input_nodes:
                if used.op != "placeholder":
                    last[used] = node
        dying: dict[fx.Node, list[fx.Node]] = {}
        for node, user in last.items():
            dying.setdefault(user, []).append(node)
        return dying

    def outputs(self) -> str:
        output = next(node for node in self.nodes if node.op == "output")
        value = output.args[0]
        return self.value(output, tuple(value) if isinstance(value, (tuple, list)) else (value,))

    def new_name(self, node: fx.Node) -> str:
        self.names[node] = f"tmp_{len(self.names) - len(self.placeholders)}"
        return self.names[node]

    def statement(self, node: fx.Node) -> None:
        special = self.special(node)
        if special is not None:
            statement, alias = special
            self.lines.append(statement)
            self.lines.append(f"{self.new_name(node)} = {alias}")
            return
        text = self.expression(node)
        self.lines.append(f"{self.new_name(node)} = {text}")

    def special(self, node: fx.Node) -> tuple[str, str] | None:
        """A statement for an item assignment or an augmented assignment, and the name of its result."""
        operator = _operator_name(node.target)
        if operator is None or (operator not in INPLACE and operator != "setitem"):
            return None
        values = [self.value(node, value) for value in node.args]
        if operator == "setitem":
            return f"{values[0]}[{values[1]}] = {values[2]}", values[0]
        if not isinstance(node.args[0], fx.Node):
            raise self.refuse(node, "augmented assignment to a constant", "assign to a result")
        return f"{values[0]} {INPLACE[operator]} {values[1]}", values[0]

    def expression(self, node: fx.Node) -> str:
        if is_fma(node.target):
            plain, args, kwargs = plain_fma(*node.args)
            return f"torch.{plain}({', '.join(self.arguments(node, args, kwargs))})"
        values, keywords = self.arguments(node, node.args, {}), self.arguments(node, (), node.kwargs)
        if node.op == "call_method":
            if node.target not in METHODS or not node.args or not isinstance(node.args[0], fx.Node):
                raise self.refuse(node, "this method call", "only tensor methods are part of the format")
            return f"{values[0]}.{node.target}({', '.join(values[1:] + keywords)})"
        operator = _operator_name(node.target)
        if operator is not None:
            return self.operator(node, operator, values)
        if node.target is getattr and isinstance(node.args[0], fx.Node) and node.args[1] in ATTRIBUTES:
            return f"{values[0]}.{node.args[1]}"
        name = function_name(node.target)
        if name is None:
            raise self.refuse(node, "this function", "only plain torch functions are part of the format")
        return f"{name}({', '.join(values + keywords)})"

    def arguments(self, node: fx.Node, args: Iterable[object], kwargs: Mapping[str, object]) -> list[str]:
        return [
            *(self.value(node, value) for value in args),
            *(f"{key}={self.value(node, value)}" for key, value in kwargs.items()),
        ]

    def operator(self, node: fx.Node, operator: str, values: list[str]) -> str:
        if operator == "getitem":
            return f"{values[0]}[{values[1]}]"
        if operator in INFIX:
            left = values[0] if isinstance(node.args[0], fx.Node) else f"({values[0]})"
            return f"{left} {INFIX[operator]} {values[1]}"
        if operator in PREFIX:
            return PREFIX[operator] + values[0]
        raise self.refuse(node, "this operator", "only Python's infix and prefix operators are part of the format")

    def value(self, node: fx.Node, value: object) -> str:
        if isinstance(value, (tuple, list)):
            items = [self.value(node, item) for item in value]
            if isinstance(value, list):
                return f"[{', '.join(items)}]"
            return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
        if isinstance(value, slice):
            return f"slice({', '.join(self.value(node, part) for part in (value.start, value.stop, value.step))})"
        for kind, writer in _CONSTANTS:
            if isinstance(value, kind):
                return writer(self, value)
        raise self.refuse(node, f"an argument of type {type(value).__name__}", "only literals are part of the format")

    def device(self, value: torch.device) -> str:
        self.imports.add("from torch import device")
        index = "" if value.index is None else f", index={value.index}"
        return f"device(type='{value.type}'{index})"

    def number(self, value: float) -> str:
        if math.isfinite(value):
            return repr(value)
        name = "nan" if math.isnan(value) else "inf"
        self.imports.add(f"from torch import {name}")
        return f"-{name}" if value < 0 else name


def _operator_name(target: object) -> str | None:
    module = getattr(target, "__module__", None)
    return getattr(target, "__name__", None) if module in {"_operator", "operator"} else None


# The order matters: a bool is an int.
_CONSTANTS: Sequence[tuple[Any, Callable[[_Writer, Any], str]]] = (
    (fx.Node, lambda writer, value: writer.names[value]),
    ((bool, int, str, type(None)), lambda writer, value: repr(value)),
    (float, _Writer.number),
    (complex, lambda writer, value: repr(value)),
    (type(Ellipsis), lambda writer, value: "..."),
    (torch.device, _Writer.device),
    ((torch.dtype, torch.layout, torch.memory_format), lambda writer, value: str(value)),
)
