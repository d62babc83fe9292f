"""Runs a graph on fake tensors. For each statement it records the ATen calls and their costs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

import torch
from torch import fx
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException, FakeTensor
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from torch.utils._python_dispatch import TorchDispatchMode

from passnet.errors import PassNetError, UsageError, described, foreign
from passnet.graph import Graph, Op, dtype_name, fake_inputs, tensors_of
from passnet.graph.values.bounded import BoundedInterpreter
from passnet.graph.values.mutation import updated_statistics
from passnet.roofline.op_costs import (
    CallCost,
    Operands,
    call_cost,
    is_bookkeeping,
    reads,
    storage_of,
    tensor_bytes,
    writes,
)


@dataclass(frozen=True)
class TensorShape:
    """Shape and dtype of one value."""

    shape: tuple[int, ...]
    dtype: str

    def __str__(self) -> str:
        return f"{_SHORT.get(self.dtype, self.dtype)}[{'x'.join(map(str, self.shape))}]"


_SHORT = {
    "float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "int64": "i64", "int32": "i32",
    "int16": "i16", "int8": "i8", "uint8": "u8",
}  # fmt: skip


@dataclass(frozen=True)
class Statement:
    """One statement of the graph: operand and result shapes (tensors only) and its ATen calls.

    `constant`: every tensor that it reads derives from weights alone, so its value never changes.
    """

    name: str
    op: str
    inputs: tuple[TensorShape, ...]
    outputs: tuple[TensorShape, ...]
    calls: tuple[CallCost, ...]
    constant: bool


@dataclass(frozen=True)
class Output:
    """One output tensor.  `alias_of`: index of the input that shares its memory. `new_bytes`: bytes that must be
    written.
    """

    value: TensorShape
    bytes: int
    new_bytes: int
    alias_of: int | None


@dataclass(frozen=True)
class OpTrace:
    """A whole run.  `read_bytes` / `written_bytes`: per input, at most its size. `mutated`: inputs that it changed."""

    statements: tuple[Statement, ...]
    outputs: tuple[Output, ...]
    read_bytes: tuple[int, ...]
    written_bytes: tuple[int, ...]
    mutated: frozenset[int]


def trace(graph: Graph, device: str, weights: frozenset[int] = frozenset()) -> OpTrace:
    """Run the graph on fake tensors. This allocates and computes nothing.

    `weights`: indices of the inputs that are weights.  Errors: `UsageError` with the statement that cannot run, also
    where a shape follows from data. Only a real run would tell that shape, and nothing would bound its time and memory
    in this process.
    """
    module, inputs = graph.module(device, propagated=False), fake_inputs(graph.specs, device)
    mode = next((tensor.fake_mode for tensor in inputs if isinstance(tensor, FakeTensor)), None)
    recorder = _Recorder(inputs)
    versions = [tensor._version for tensor in inputs]
    stepper = _Stepper(graph, module, recorder, weights)
    # A graph may switch grad mode and autocast. Leaving these blocks restores them.
    with (
        foreign(lambda error: _does_not_run(graph, stepper, error), PassNetError),
        torch.no_grad(),
        torch.amp.autocast_mode.autocast("cpu", enabled=False),
        warnings.catch_warnings(action="ignore"),  # The reader need not know that a graph calls something deprecated.
        mode or nullcontext(),
        recorder,
    ):
        result = stepper.run(*inputs)
    return OpTrace(
        statements=tuple(stepper.statements),
        outputs=recorder.outputs(result),
        read_bytes=tuple(recorder.read),
        written_bytes=tuple(recorder.written),
        mutated=frozenset(
            index
            for index, tensor in enumerate(inputs)
            if tensor._version != versions[index] or recorder.written[index]
        )
        | updated_statistics(graph.program),
    )


class _OfData(Exception):
    """A shape follows from data."""


# What fake tensors raise where only data could tell.
_OF_DATA = (_OfData, DataDependentOutputException, DynamicOutputShapeException, GuardOnDataDependentSymNode)


def _does_not_run(graph: Graph, stepper: _Stepper, error: BaseException) -> UsageError:
    place = f"statement {stepper.current}"
    if isinstance(error, _OF_DATA):
        expected = "shapes that follow from those of the inputs, because inspecting a graph computes nothing"
        return UsageError("a shape follows from data", path=graph.name, field=place, expected=expected)
    return UsageError(f"the graph does not run: {described(error)}", path=graph.name, field=place)


@dataclass(eq=False)
class _Recorder(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Adds up the cost of every call, and how much of each input was read and written, through any view."""

    inputs: Sequence[torch.Tensor]
    calls: list[CallCost] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        # Inputs live as long as this object. No other tensor can then get the identity of their storage.
        self._index = {storage_of(tensor): index for index, tensor in reversed(list(enumerate(self.inputs)))}
        self.read = [0] * len(self.inputs)
        self.written = [0] * len(self.inputs)

    def __torch_dispatch__(
        self, func: OpOverload, types: object, args: Operands = (), kwargs: Mapping[str, object] | None = None
    ) -> object:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        if is_bookkeeping(func):
            return result
        _refuse_symbolic([*tensors_of([list(args), dict(kwargs)]), *tensors_of(result)])
        cost = call_cost(func, args, kwargs, result)
        self.calls.append(cost)
        if cost.kernel:
            outputs = list(tensors_of(result))
            self._add(self.read, reads(func, args, kwargs, outputs))
            self._add(self.written, writes(func, args, kwargs, outputs))
        return result

    def _add(self, totals: list[int], touched: Iterator[tuple[torch.Tensor, int]]) -> None:
        for tensor, size in touched:
            index = self._index.get(storage_of(tensor))
            if index is not None:
                totals[index] = min(totals[index] + size, tensor_bytes(self.inputs[index]))

    def outputs(self, result: object) -> tuple[Output, ...]:
        """The output tensors. Memory that several of them share is written once."""
        seen: set[int] = set()
        found = []
        for tensor in tensors_of(result):
            storage, size = storage_of(tensor), tensor_bytes(tensor)
            alias = self._index.get(storage)
            found.append(Output(_shape(tensor), size, 0 if alias is not None or storage in seen else size, alias))
            seen.add(storage)
        return tuple(found)


class _Stepper(BoundedInterpreter):
    """An interpreter that closes a `Statement` after each node."""

    def __init__(self, graph: Graph, module: fx.GraphModule, recorder: _Recorder, weights: frozenset[int]) -> None:
        super().__init__(module, graph.name)
        self.current = "(none)"
        self.statements: list[Statement] = []
        self._recorder, self._targets = recorder, [_target(op) for op in graph.statements()]
        placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
        self._constant = {node for index, node in enumerate(placeholders) if index in weights}

    def run_node(self, n: fx.Node) -> object:
        self.current = n.name
        if n.op in {"placeholder", "output"}:
            return super().run_node(n)
        operands = [self.env[node] for node in n.all_input_nodes]
        # Read it before the call, which may resize an operand.
        shapes = tuple(_shape(tensor) for tensor in tensors_of(operands))
        with self._calls() as calls:
            result = super().run_node(n)
        constant = bool(n.all_input_nodes) and all(node in self._constant for node in n.all_input_nodes)
        if constant:
            self._constant.add(n)
        results = tuple(_shape(tensor) for tensor in tensors_of(result))
        self.statements.append(
            Statement(n.name, self._targets[len(self.statements)], shapes, results, tuple(calls), constant)
        )
        return result

    @contextmanager
    def _calls(self) -> Iterator[list[CallCost]]:
        self._recorder.calls = []
        yield self._recorder.calls


def _target(op: Op) -> str:
    """The name as in the source: `torch.nn.functional.gelu`, `Tensor.view`."""
    return f"Tensor.{op.target}" if op.kind == "method" else op.target


def _shape(tensor: torch.Tensor) -> TensorShape:
    _refuse_symbolic([tensor])
    return TensorShape(tuple(tensor.shape), dtype_name(tensor.dtype))


def _refuse_symbolic(tensors: Sequence[torch.Tensor]) -> None:
    for tensor in tensors:
        if not all(type(size) is int for size in tensor.shape):
            raise _OfData
