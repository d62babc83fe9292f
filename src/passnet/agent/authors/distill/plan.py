"""Inductor's module as data: the buffers that it allocates, the kernels that it calls, the values that it returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from passnet.agent.lowering.inductor import NotGenerated

_EMPTY = {"empty_strided_cpu", "empty_strided_cuda", "empty_strided"}
_QUIET = ("assert_", "args.clear", "del ", "torch.cuda.set_device")
_VIEW_NAME = "reinterpret_tensor"


@dataclass(frozen=True)
class Buffer:
    """Memory that the program allocates.

    Sizes and strides are in elements. The dtype is its name without `torch.`.
    """

    name: str
    size: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: str

    @property
    def elements(self) -> int:
        """Elements from the first to the last, including both."""
        return extent(self.size, self.stride)


def extent(size: Sequence[int], stride: Sequence[int]) -> int:
    """The number of elements of memory between the first and the last element of a tensor, including both."""
    if 0 in size:
        return 0
    return 1 + sum((size - 1) * stride for size, stride in zip(size, stride, strict=True))


@dataclass(frozen=True)
class BufferView:
    """Part of an input or buffer in another shape. `offset` counts its elements."""

    base: str
    size: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int

    def text(self, name: str, *, owned: bool) -> str:
        """An expression for the view of the tensor `name`.

        `owned` means that the tensor begins at the start of the program's own memory. An input may begin anywhere in
        its memory. The record of a call may not say where.
        """
        if not self.offset or owned:
            offset = f", {self.offset}" if self.offset else ""
            return f"{name}.as_strided({self.size}, {self.stride}{offset})"
        there = f"{name}.as_strided(({self.offset + 1},), (1,))[{self.offset}:]"
        return f"{there}.as_strided({self.size}, {self.stride})"


# An argument of a kernel: the name of an input or buffer, a view of one, or a number.
Argument = str | BufferView | int | float


@dataclass(frozen=True)
class PlannedKernel:
    """A kernel's text. `signature` has the C types of its parameters (C++ only)."""

    name: str
    language: Literal["C++", "Triton"]
    text: str
    signature: tuple[str, ...] = ()


@dataclass(frozen=True)
class KernelCall:
    """A launch. The launches are in order."""

    kernel: str
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class KernelPlan:
    """One graph's program.

    `inputs` are in the order of the graph's parameters. Values have the names that Inductor gave them.
    """

    inputs: tuple[str, ...]
    buffers: tuple[Buffer, ...]
    calls: tuple[KernelCall, ...]
    outputs: tuple[str | BufferView, ...]
    kernels: tuple[PlannedKernel, ...]

    def buffer(self, name: str) -> Buffer | None:
        return next((buffer for buffer in self.buffers if buffer.name == name), None)

    @property
    def returned(self) -> frozenset[str]:
        """Names of the inputs and buffers whose memory is returned."""
        return frozenset(base_of(output) for output in self.outputs)


def base_of(argument: str | BufferView) -> str:
    """The input or buffer that holds a value."""
    return argument.base if isinstance(argument, BufferView) else argument


def parse(text: str) -> KernelPlan:
    """Read a module that Inductor generated.

    Raises NotGenerated, which names the first call that is not to a kernel of the module, such as a library's matrix
    product.
    """
    tree = ast.parse(text)
    reader = _Reader({kernel.name: kernel for kernel in _kernels(tree)})
    reader.block(_call_function(tree).body)
    return reader.plan()


def _call_function(tree: ast.Module) -> ast.FunctionDef:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "call":
            return node
    raise NotGenerated("the module has no function `call`")


def _kernels(tree: ast.Module) -> Iterator[PlannedKernel]:
    for node in tree.body:
        if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
            continue
        function, arguments = ast.unparse(node.value.func), node.value.args
        name = ast.unparse(node.targets[0])
        if function == "async_compile.cpp_pybinding":
            types, source = (ast.literal_eval(argument) for argument in arguments[:2])
            yield PlannedKernel(name, "C++", source, tuple(types))
        elif function == "async_compile.triton":
            yield PlannedKernel(name, "Triton", ast.literal_eval(arguments[1]))


@dataclass
class _Reader:
    """Reads the statements of `call`. If one value has several names, the first name is used."""

    kernels: dict[str, PlannedKernel]
    inputs: tuple[str, ...] = ()
    buffers: list[Buffer] = field(default_factory=list)
    calls: list[KernelCall] = field(default_factory=list)
    outputs: tuple[str | BufferView, ...] | None = None
    known: dict[str, str | BufferView] = field(default_factory=dict)

    def plan(self) -> KernelPlan:
        if self.outputs is None:
            raise NotGenerated("the module returns nothing")
        used = {call.kernel for call in self.calls}
        kernels = tuple(kernel for name, kernel in self.kernels.items() if name in used)
        return KernelPlan(self.inputs, tuple(self.buffers), tuple(self.calls), self.outputs, kernels)

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            text = ast.unparse(statement)
            if isinstance(statement, ast.With):
                self.block(statement.body)
            elif text.startswith(_QUIET) or "get_raw_stream" in text:
                continue
            elif isinstance(statement, ast.Assign):
                self.assign(statement, text)
            elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                self.launch(statement.value, text)
            elif isinstance(statement, ast.Return):
                self.result(statement)
            else:
                raise NotGenerated(f"not a kernel: {text[:120]}")

    def assign(self, statement: ast.Assign, text: str) -> None:
        target, value = statement.targets[0], statement.value
        if ast.unparse(value) == "args":
            names = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
            self.inputs = tuple(ast.unparse(name) for name in names)
            self.known |= {name: name for name in self.inputs}
            return
        name = ast.unparse(target)
        if isinstance(value, ast.Call) and ast.unparse(value.func) in _EMPTY:
            size, stride = (_numbers(part) for part in value.args[:2])
            dtype = ast.unparse(value.args[2]).removeprefix("torch.")
            self.buffers.append(Buffer(name, size, stride, dtype))
            self.known[name] = name
        elif isinstance(value, ast.Name) or _is_view(value):
            self.known[name] = self.value(value)
        else:
            raise NotGenerated(f"not a kernel: {text[:120]}")

    def launch(self, call: ast.Call, text: str) -> None:
        function = ast.unparse(call.func).removesuffix(".run")
        if function not in self.kernels:
            raise NotGenerated(f"not a kernel: {text[:120]}")
        arguments = []
        for argument in call.args:
            number = _number(argument)
            arguments.append(self.value(argument) if number is None else number)
        self.calls.append(KernelCall(function, tuple(arguments)))

    def result(self, statement: ast.Return) -> None:
        value = statement.value
        if not isinstance(value, ast.Tuple):
            raise NotGenerated("the module does not return a tuple")
        self.outputs = tuple(self.value(element) for element in value.elts)

    def value(self, node: ast.expr) -> str | BufferView:
        if isinstance(node, ast.Name) and node.id in self.known:
            return self.known[node.id]
        if _is_view(node):
            assert isinstance(node, ast.Call)
            base = self.value(node.args[0])
            size, stride = (_numbers(part) for part in node.args[1:3])
            offset = _numbers(node.args[3])[0] if len(node.args) > 3 else 0
            if isinstance(base, BufferView):
                return BufferView(base.base, size, stride, base.offset + offset)
            return BufferView(base, size, stride, offset)
        raise NotGenerated(f"not a kernel: {ast.unparse(node)[:120]}")


def _is_view(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith(_VIEW_NAME)


def _number(node: ast.expr) -> int | float | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int | float) else None


def _numbers(node: ast.expr) -> tuple[int, ...]:
    """Sizes or strides, or one number. Sizes that are symbols are no literals."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        raise NotGenerated(f"sizes are not known: {ast.unparse(node)[:80]}") from None
    return tuple(value) if isinstance(value, tuple) else (int(value),)
