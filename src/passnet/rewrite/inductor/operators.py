"""Makes registered operators of kernel wrappers' calls. Another compiler keeps them without looking inside.

An operator is one wrapper with the constants of one match. Its schema therefore has tensors only, and its name says all
that it does. The name ends in a hash over the pass set's content, the constants, and the results' shapes, dtypes and
strides. A compiler's cache with names as keys therefore never takes one pass for another.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx

from passnet.kernels.replay.freeze import Frozen
from passnet.rewrite.apply.replace import only_result
from passnet.rewrite.canonical.values import example_value
from passnet.rewrite.rules.kept_memory import PACKAGE_PREFIX
from passnet.rewrite.rules.rule import Rule

NAMESPACE = "passnet"
Kernel = Callable[..., object]


class NotAnOperator(Exception):
    """No operator can stand for a replaced call. The message is the reason."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Shape, strides and dtype of one result. They are the original's, so that every reader may rely on them."""

    shape: tuple[int, ...]
    stride: tuple[int, ...]
    dtype: torch.dtype
    device: torch.device

    def empty(self) -> torch.Tensor:
        """Memory of that layout, unwritten."""
        return torch.empty_strided(self.shape, self.stride, dtype=self.dtype, device=self.device)

    def fits(self, value: Any) -> bool:
        """Whether a result may be handed on as it is."""
        return bool(value.shape == self.shape and value.stride() == self.stride and value.dtype is self.dtype)


@dataclass
class Operator:
    """One registered operator. `body` is the wrapper's call as a graph of tensors. `run` is the code that calls
    execute.

    `written`: places of the wrapper's arguments into which it may write, see `Replacement`.
    `replay`: in place of the wrapper in `body`, where its launches are frozen.
    """

    name: str
    rule: str
    body: fx.GraphModule
    results: tuple[Layout, ...]
    run: Kernel
    written: tuple[int, ...] = ()
    settled: bool = False
    copied: frozenset[int] | None = None
    replay: Frozen | None = None

    @property
    def call(self) -> fx.Node:
        """The wrapper's call in `body`."""
        found: fx.Node = next(node for node in self.body.graph.nodes if node.op == "call_function")
        return found

    def take(self, replay: Frozen) -> None:
        """Execute a replay of the wrapper from now on. Calls that do not fit the replay go to the wrapper."""
        self.body = self._with(replay.call)
        self.run, self.replay = self.body.forward, replay

    def __call__(self, *tensors: torch.Tensor) -> object:
        """The dispatcher calls this. Results of another number, shape or dtype than the original's are an error.

        Sizes are fixed, so the first call decides for all. If its results can be returned as they are, so can later
        ones. Compiled code checks their sizes and strides again, and the run-time guard whether they share memory.
        """
        returned = self.run(*tensors)
        if self.settled:
            return returned
        values = (only_result(returned),) if len(self.results) == 1 else returned
        if not isinstance(values, (tuple, list)) or not all(isinstance(value, torch.Tensor) for value in values):
            raise RuntimeError(
                f"{self.rule}: the wrapper returned no tensor, or no tuple of {len(self.results)} tensors"
            )
        if self.copied is None:
            self.copied = self.shared(values, tensors)
        if len(values) != len(self.results):
            raise RuntimeError(f"{self.rule}: {len(values)} results instead of {len(self.results)}")
        made = tuple(
            value if index not in self.copied and wanted.fits(value) else self._copy(index, value)
            for index, (value, wanted) in enumerate(zip(values, self.results, strict=True))
        )
        as_is = all(value is own for value, own in zip(made, values, strict=True))
        self.settled = as_is and isinstance(returned, torch.Tensor if len(made) == 1 else tuple)
        return made[0] if len(made) == 1 else made

    def watched(self, around: Callable[[Kernel], Kernel]) -> Kernel:
        """The same as `run`, but with `around(wrapper)` in place of the wrapper or its replay."""
        target = self.call.target
        assert callable(target), "a replacement is a call of a function"
        forward: Kernel = self._with(around(target)).forward
        return forward

    def _with(self, function: Kernel) -> fx.GraphModule:
        """The body with another function in the wrapper's place."""
        body = twin(self.body)
        for node in body.graph.nodes:
            if node.op == "call_function":
                node.target = function
        body.recompile()
        return body

    def shared(self, values: Sequence[torch.Tensor], tensors: Sequence[torch.Tensor]) -> frozenset[int]:
        """Results that lie in memory of inputs or of each other, or not at its beginning.

        Compilers reuse and overwrite the results of an operator.
        """
        taken = {tensor.untyped_storage().data_ptr() for tensor in tensors}
        shared = set()
        for index, value in enumerate(values):
            place = value.untyped_storage().data_ptr()
            if value.numel() and (place in taken or value.storage_offset()):
                shared.add(index)
            taken.add(place)
        return frozenset(shared)

    def _copy(self, index: int, value: torch.Tensor) -> torch.Tensor:
        wanted = self.results[index]
        if value.shape != wanted.shape or value.dtype is not wanted.dtype:
            expected, found = f"{wanted.dtype} {wanted.shape}", f"{value.dtype} {tuple(value.shape)}"
            raise RuntimeError(f"{self.rule}: result {index} is {found} instead of {expected}")
        return wanted.empty().copy_(value)


_known: dict[str, Operator] = {}


def twin(module: fx.GraphModule) -> fx.GraphModule:
    """A module with its own graph that shares parameters and buffers."""
    return fx.GraphModule(module, copy.deepcopy(module.graph))


@contextlib.contextmanager
def running(kernels: Mapping[str, Kernel]) -> Iterator[None]:
    """While it is open, the named operators run other functions than their own."""
    before = {name: _known[name].run for name in kernels}
    for name, kernel in kernels.items():
        _known[name].run = kernel
    try:
        yield
    finally:
        for name, kernel in before.items():
            _known[name].run = kernel


def operator_for(node: fx.Node, rule: Rule, written: tuple[int, ...] = ()) -> Operator:
    """The registered operator of a replaced call. `written`: see `Operator`. Raises `NotAnOperator`."""
    results = _layouts(node, rule.name)
    body, text = _body(node, rule.name)
    digest = hashlib.sha256(repr((_identity(rule), rule.name, text, results, written)).encode()).hexdigest()[:20]
    name = re.sub(r"[^A-Za-z0-9_]", "_", rule.name).lstrip("0123456789_") + f"_{digest}"
    name = name if name[0].isalpha() else f"rule{name}"
    if name not in _known:
        _known[name] = _registered(Operator(name, rule.name, body, results, body.forward, written))
    return _known[name]


def check_call(node: fx.Node, rule: str) -> None:
    """Raises `NotAnOperator` where a replaced call cannot become an operator. Registers nothing."""
    _layouts(node, rule)
    _body(node, rule)


def _identity(rule: Rule) -> str:
    """The content hash of a rule's pass set. A rule that was made in this process has an identity of its own."""
    module = str(getattr(rule.source or rule.function, "__module__", ""))
    return module if module.startswith(PACKAGE_PREFIX) else f"{module} {id(rule.function)}"


def _body(node: fx.Node, rule: str) -> tuple[fx.GraphModule, str]:
    """The call as a graph of its own, with a parameter for each tensor and constants in place, and its arguments as
    text.
    """
    graph = fx.Graph()

    def parameter(source: fx.Node) -> fx.Node:
        if not isinstance(example_value(source), torch.Tensor):
            raise NotAnOperator(f"{rule} takes %{source.name}, which is no tensor of known shape")
        return graph.placeholder(f"a{len(graph.nodes)}")

    arguments = fx.map_arg(node.args, parameter)
    assert callable(node.target), "a replacement is a call of a function"
    graph.output(graph.call_function(node.target, arguments))
    return fx.GraphModule(torch.nn.Module(), graph), repr(arguments)


def _layouts(node: fx.Node, rule: str) -> tuple[Layout, ...]:
    value = node.meta.get("val")
    values = value if isinstance(value, tuple) else (value,)
    return tuple(_layout(item, rule) for item in values)


def _layout(value: object, rule: str) -> Layout:
    if not isinstance(value, torch.Tensor) or value.layout is not torch.strided:
        raise NotAnOperator(f"{rule}: the results of the matched piece are unknown")
    if not all(isinstance(number, int) for number in (*value.shape, *value.stride())):
        raise NotAnOperator(f"{rule}: sizes are symbolic")
    return Layout(tuple(value.shape), tuple(value.stride()), value.dtype, value.device)


def _registered(operator: Operator) -> Operator:
    library: Any = _library()
    inputs = [node for node in operator.body.graph.nodes if node.op == "placeholder"]
    parameters = ", ".join(f"Tensor a{index}" for index in range(len(inputs)))
    returned = "Tensor" if len(operator.results) == 1 else f"({', '.join('Tensor' for _ in operator.results)})"
    library.define(f"{operator.name}({parameters}) -> {returned}", tags=_tags())
    library.impl(operator.name, operator.__call__, "CompositeExplicitAutograd")

    def fake(*_: torch.Tensor) -> Any:
        made = tuple(layout.empty() for layout in operator.results)
        return made[0] if len(made) == 1 else made

    torch.library.register_fake(f"{NAMESPACE}::{operator.name}", fake, lib=library)
    return operator


@functools.cache
def _library() -> torch.library.Library:
    return torch.library.Library(NAMESPACE, "FRAGMENT")  # type: ignore[no-untyped-call]  # torch annotates it so


def _tags() -> tuple[torch.Tag, ...]:
    """Inputs arrive with the strides that the original's had: kernels were proved right on those."""
    return (torch.Tag.needs_exact_strides, torch.Tag.pt2_compliant_tag)
