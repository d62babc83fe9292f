"""A rewritten graph as a user calls it: its bare forward behind a guard, with the original graph as fallback."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch

from passnet.kernels.replay.tensor_guard import tensor_guard

Guard = Callable[..., bool]
_PLAIN = (torch.Tensor, torch.nn.Parameter)


class Runnable(Protocol):
    """A graph that can be called: a module or a program."""

    @property
    def forward(self) -> Callable[..., Any]: ...


def deployed(rewritten: Runnable, original: Runnable, example_inputs: Sequence[Any]) -> Callable[..., Any]:
    """A function of the graph's inputs: the rewritten graph for inputs like the examples, else the original graph.

    Inputs are like the examples if tensors have the same dtype, shape, stride and device, and other values are equal. A
    pass may have read these when it was applied or compiled. Subclasses of tensors, and tensors under vmap and similar
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


def exact_guard(example_inputs: Sequence[Any]) -> Guard:
    """Whether inputs are like the examples. Compares properties one by one and never raises."""
    expected = tuple(_signature(value) for value in example_inputs)

    def guard(*inputs: Any) -> bool:
        return len(inputs) == len(expected) and all(
            _signature(value) == wanted for value, wanted in zip(inputs, expected, strict=True)
        )

    return guard


def _signature(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, torch.Tensor):
        return (type(value), value)
    if type(value) not in _PLAIN:
        return (type(value), object())
    if value.layout is not torch.strided:
        return (value.layout, value.dtype, value.shape)
    return (torch.Tensor, value.dtype, value.shape, value.stride(), value.device)


def _native_guard(example_inputs: Sequence[Any]) -> Guard:
    """Torch's own tensor guard, several times faster than Python. Inputs that it refuses are compared again exactly.

    It also compares dispatch keys and `requires_grad`, so it refuses more (inference mode, or parameters for tensors).
    A guard that is made again from such inputs accepts them.
    """
    if not example_inputs or not all(type(value) in _PLAIN for value in example_inputs):
        return lambda *inputs: False
    return tensor_guard(example_inputs)


def _record_gradient(inputs: tuple[Any, ...]) -> bool:
    return any(isinstance(value, torch.Tensor) and value.requires_grad for value in inputs)
