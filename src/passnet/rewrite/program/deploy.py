"""A rewritten graph as a user calls it: its bare forward behind a guard, with the original graph as fallback."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch

from passnet.kernels.replay.plan import Wrapper
from passnet.kernels.replay.tensor_guard import tensor_guard

Guard = Callable[..., bool]
_PLAIN = (torch.Tensor, torch.nn.Parameter)


class Runnable(Protocol):
    """A graph that can be called: a module or a program."""

    @property
    def forward(self) -> Callable[..., object]: ...


def deployed(rewritten: Runnable, original: Runnable, example_inputs: Sequence[Any]) -> Wrapper:
    """A function of the graph's inputs: the rewritten graph for inputs like the examples, else the original graph.

    Inputs are like the examples if tensors have the same dtype, shape, stride and device, other values are equal, and
    one tensor is given in the same places. Lazily negated or conjugated tensors are like those that are so too. A pass
    may have read all this when it was applied or compiled. Subclasses of tensors, and tensors under vmap and similar
    modes, are never like them. Kernels are not differentiable, so calls that would record a gradient go to the original
    graph too.
    """
    quick, exact = _native_guard(example_inputs), exact_guard(example_inputs)
    fast, slow = rewritten.forward, original.forward
    wants_grad = any(isinstance(value, torch.Tensor) and value.requires_grad for value in example_inputs)
    count, grad_enabled = len(example_inputs), torch.is_grad_enabled
    transformed = torch._C._functorch.peek_interpreter_stack  # tensors have no memory there

    def call(*inputs: Any) -> Any:
        if len(inputs) == count and quick(*inputs) and not (wants_grad and grad_enabled()):
            return fast(*inputs)
        return look(*inputs)

    def look(*inputs: Any) -> Any:
        nonlocal quick, wants_grad
        if not exact(*inputs) or transformed() or (grad_enabled() and _record_gradient(inputs)):
            return slow(*inputs)
        # The quick guard refused inputs that are still like the examples (another mode). It takes such inputs from now
        # on.
        if not torch._C._len_torch_dispatch_stack():
            quick, wants_grad = _native_guard(inputs), _record_gradient(inputs)
        return fast(*inputs)

    return call


def exact_guard(example_inputs: Sequence[object]) -> Guard:
    """Whether inputs are like the examples. Compares properties one by one and never raises."""
    expected, places = tuple(_signature(value) for value in example_inputs), _first_places(example_inputs)

    def guard(*inputs: object) -> bool:
        alike = len(inputs) == len(expected) and all(
            _signature(value) == wanted for value, wanted in zip(inputs, expected, strict=True)
        )
        return alike and _first_places(inputs) == places

    return guard


def _signature(value: object) -> tuple[object, ...]:
    if not isinstance(value, torch.Tensor):
        return (type(value), repr(value) if type(value) is float else value)  # zeros have signs
    if type(value) not in _PLAIN:
        return (type(value), object())
    if value.layout is not torch.strided:
        return (value.layout, value.dtype, value.shape)
    bits = (value.is_conj(), value.is_neg())
    return (torch.Tensor, value.dtype, value.shape, value.stride(), value.device, bits)


def _first_places(values: Sequence[object]) -> list[int]:
    """Of each tensor the first place in which it is given: a graph may be one of a tensor given twice."""
    first: dict[int, int] = {}
    return [
        first.setdefault(id(value), place) if isinstance(value, torch.Tensor) else place
        for place, value in enumerate(values)
    ]


def _native_guard(example_inputs: Sequence[Any]) -> Guard:
    """Torch's own tensor guard, several times faster than Python. Inputs that it refuses are compared again exactly.

    It also compares dispatch keys and `requires_grad`, so it refuses more (inference mode, or parameters for tensors).
    A guard that is made again from such inputs accepts them.
    """
    if not example_inputs or not all(type(value) in _PLAIN for value in example_inputs):
        return lambda *inputs: False
    return tensor_guard(example_inputs)


def _record_gradient(inputs: tuple[object, ...]) -> bool:
    return any(isinstance(value, torch.Tensor) and value.requires_grad for value in inputs)
