"""Turn a rule's `pattern` function into a graph in canonical form by calling it with recording proxies."""

from __future__ import annotations

import operator
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import fx
from torch._ops import OpOverload
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves

from passnet.errors import first_sentence, foreign, shown
from passnet.rewrite.canonical import op_tables
from passnet.rewrite.canonical.effects import Effects
from passnet.rewrite.canonical.index import build_table, thread_in_place
from passnet.rewrite.canonical.normalize import CanonicalOp
from passnet.rewrite.canonical.values import literal_kind
from passnet.rewrite.passes.errors import RuleTraceError


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern in canonical form.

    - `parameters`: its placeholders in order.
    - `outputs`: the nodes that it returns.
    - `ops`: the canonical form of every node that an output needs.
    - `metadata`: nodes that only read sizes, dtypes or devices, or compute with them. They are evaluated on the graph.
    - `constants`: the tensors behind its `get_attr` nodes.
    - `effects`: which of its values share storage.
    - `literals`: the parameters that stand for a literal of the graph, with its kind.
    - `tensors`: the parameters that the rest of the rule takes for tensors, and why.

    Any other parameter stands for a tensor or a literal, as it does for fx.
    """

    parameters: tuple[fx.Node, ...]
    outputs: tuple[fx.Node, ...]
    ops: dict[fx.Node, CanonicalOp]
    metadata: frozenset[fx.Node]
    constants: dict[fx.Node, torch.Tensor]
    returns_tuple: bool
    effects: Effects
    literals: dict[fx.Node, str]
    tensors: Mapping[fx.Node, str] = field(default_factory=dict)

    @property
    def unused(self) -> frozenset[int]:
        """Positions of parameters that no output depends on: they cannot be bound by a match."""
        return frozenset(i for i, node in enumerate(self.parameters) if not node.users)

    def may_be_literal(self, node: fx.Node) -> bool:
        """Whether a node is a parameter without annotation that nothing in the rule takes for a tensor."""
        return node.op == "placeholder" and node not in self.literals and node not in self.tensors


def trace_pattern(function: Callable[..., object], path: Path, *, max_nodes: int = 512) -> Pattern:
    """Trace `function`. Raises `RuleTraceError` with file, line and what to write instead."""
    tracer = _Tracer()

    def untraceable(error: BaseException) -> RuleTraceError:
        message = f"the pattern cannot be traced: {type(error).__name__}: {first_sentence(error)}"
        return RuleTraceError(path, error_line(error, path), message, _PLAIN)

    try:
        with foreign(untraceable, fx.proxy.TraceError), _RecordCreation(tracer):
            graph = tracer.trace(function)
    except fx.proxy.TraceError as error:
        message = f"the pattern's control flow depends on data: {first_sentence(error)}"
        raise RuleTraceError(path, error_line(error, path), message, _CONTROL_FLOW) from error
    with foreign(untraceable, RuleTraceError):  # what it recorded may be no call of these functions
        line = function.__code__.co_firstlineno
        _check_numbers(graph, path, line)
        thread_in_place(graph)
        return _pattern(graph, tracer, path, line, max_nodes)


# No dtype holds a larger number, and Python does not write every larger one.
MOST_BITS = 1024
# Of lists in lists.
MOST_NESTED = 16


def too_large(value: object) -> bool:
    """Whether a value is a number that no kernel can take."""
    return isinstance(value, int) and value.bit_length() > MOST_BITS


_CONTROL_FLOW = "write one pattern per branch; a pattern has no if, while or loop over a tensor"
_PLAIN = "use torch functions, Tensor methods and operators on the pattern's arguments only"


class _Tracer(fx.Tracer):
    """Records in-place operators as such. The stock proxy turns `x += y` into `x + y`, which models do not contain."""

    def proxy(self, node: fx.Node) -> fx.Proxy:
        return _Proxy(node, self)


class _Proxy(fx.Proxy):
    """A value of the pattern while it is traced."""

    def __setitem__(self, index: object, value: object) -> None:
        self.tracer.create_proxy("call_function", operator.setitem, (self, index, value), {})


def _in_place(target: Callable[..., object]) -> Callable[[_Proxy, object], object]:
    def method(self: _Proxy, other: Any) -> Any:
        return self.tracer.create_proxy("call_function", target, (self, other), {})

    return method


for _target in op_tables.INPLACE_OPERATORS:
    _name = _target.__name__.strip("_")
    setattr(_Proxy, f"__{_name}__", _in_place(_target))

# Operations on sizes that a pattern may use. Each is evaluated on the sizes of the graph's tensors.
SCALAR_FUNCTIONS = frozenset({*op_tables.BINARY_OPERATORS, *op_tables.UNARY_OPERATORS, operator.getitem})

_RANDOM = ("rand", "randn", "randint", "randperm", "normal")  # which would draw from the process's generator
_CREATION = frozenset(
    getattr(torch, name)
    for name in (*("tensor", "zeros", "ones", "full", "empty", "arange", "linspace", "eye", "scalar_tensor"), *_RANDOM)
)
_RANDOM_OPERATORS = frozenset(getattr(torch.ops.aten, name) for name in _RANDOM)


def _creates(function: object) -> bool:
    """Whether a function makes a tensor of numbers, or draws one."""
    packet = function.overloadpacket if isinstance(function, OpOverload) else function
    return packet in _CREATION or packet in _RANDOM_OPERATORS


class _RecordCreation(TorchFunctionMode):
    """Records what makes a tensor of numbers alone as a node, as models have it, instead of making a constant.

    These are `torch.ones(...)` and its like, and any other function that is given no tensor: `torch.div(8, 4)`.
    """

    def __init__(self, tracer: _Tracer) -> None:
        super().__init__()
        self._tracer = tracer

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        named = kwargs or {}
        created = _creates(func)
        result = None if created else func(*args, **named)
        if created or (isinstance(result, torch.Tensor) and not _holds_tensor(args, named)):
            return self._tracer.create_proxy("call_function", func, args, named)
        return result


def _holds_tensor(*values: object) -> bool:
    return any(isinstance(value, torch.Tensor) for value in tree_leaves(values))


def _pattern(graph: fx.Graph, tracer: _Tracer, path: Path, line: int, max_nodes: int) -> Pattern:
    returned = next(node for node in graph.nodes if node.op == "output").args[0]
    is_tuple = isinstance(returned, (tuple, list))
    outputs = tuple(returned) if isinstance(returned, (tuple, list)) else (returned,)
    _check_outputs(outputs, path, line)
    needed = _needed(outputs)
    table = build_table(graph)
    for node, op in table.ops.items():
        if node not in needed and op.writes:
            raise RuleTraceError(
                path,
                line,
                f"the pattern changes a value by {op.name} and never uses the result",
                "return or use the result",
            )
    for node in [
        node for node in reversed(graph.nodes) if node not in needed and node.op not in ("placeholder", "output")
    ]:
        if not node.users:
            graph.erase_node(node)
    if len(needed) > max_nodes:
        raise RuleTraceError(
            path, line, f"the pattern has {len(needed)} nodes, more than {max_nodes}", "split the rule"
        )
    used = {node: op for node, op in table.ops.items() if node in needed}
    return Pattern(
        parameters=tuple(node for node in graph.nodes if node.op == "placeholder"),
        outputs=outputs,
        ops=used,
        metadata=_metadata(used),
        constants=_constants(graph, tracer),
        returns_tuple=is_tuple,
        effects=Effects(table),
        literals={node: kind for node in graph.nodes if (kind := literal_kind(node)) is not None},
    )


def _check_numbers(graph: fx.Graph, path: Path, line: int) -> None:
    for node in graph.nodes:
        if any(map(too_large, tree_leaves((node.args, node.kwargs)))):
            message = f"the pattern has a number of more than {MOST_BITS} bits"
            raise RuleTraceError(path, line, message, "use numbers that a dtype holds")


def _check_outputs(outputs: tuple[object, ...], path: Path, line: int) -> None:
    if not outputs:
        raise RuleTraceError(path, line, "the pattern returns nothing", "return the values that the kernel computes")
    for value in outputs:
        if not isinstance(value, fx.Node):
            raise RuleTraceError(
                path, line, f"the pattern returns {shown(value)}", "return computed values, not nested or constant"
            )
        if value.op == "placeholder":
            raise RuleTraceError(
                path, line, f"the pattern returns its argument {value.name}", "return computed values only"
            )


def _needed(outputs: tuple[fx.Node, ...]) -> frozenset[fx.Node]:
    seen: set[fx.Node] = set()
    pending = list(outputs)
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending.extend(node.all_input_nodes)
    return frozenset(seen)


def _metadata(pattern_ops: dict[fx.Node, CanonicalOp]) -> frozenset[fx.Node]:
    """Nodes whose value is known without running the graph: metadata reads, and arithmetic on them alone."""
    found: set[fx.Node] = set()
    for node, op in pattern_ops.items():
        read = op.name == "getattr" and op.args.get("name") in op_tables.META_ATTRIBUTES
        read = read or (node.op == "call_method" and node.target in op_tables.META_METHODS)
        inputs = node.all_input_nodes
        known = all(source in found or literal_kind(source) for source in inputs)
        if read or (node.target in SCALAR_FUNCTIONS and inputs and known):
            found.add(node)
    return frozenset(found)


def _constants(graph: fx.Graph, tracer: _Tracer) -> dict[fx.Node, torch.Tensor]:
    return {node: operator.attrgetter(str(node.target))(tracer.root) for node in graph.nodes if node.op == "get_attr"}


def error_line(error: BaseException, path: Path) -> int | None:
    """The deepest line of the pass file that the error went through."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == str(path)), None)
