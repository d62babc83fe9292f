"""A float64 twin of a graph: the truth against which eager and a candidate are both measured.

Low-precision floating dtypes in the graph (casts, `dtype=` arguments, `.float()` and its siblings) become float64.
So the twin rounds nowhere. A graph with operators that have no float64 form has no twin, which is recorded.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx
from torch.utils import _pytree as pytree

_NARROW = frozenset({torch.float16, torch.bfloat16, torch.float32})
_CAST_METHODS = frozenset({"float", "half", "bfloat16"})


@dataclass(frozen=True)
class WideReference:
    """A graph to be run on widened values.

    It takes the original inputs, unchanged, and returns the results in float64, or exact.
    """

    module: fx.GraphModule

    @classmethod
    def build(
        cls, module: fx.GraphModule, inputs: Sequence[torch.Tensor], outputs: Sequence[torch.Tensor]
    ) -> WideReference | None:
        """The twin. None when the graph cannot run in float64, or then gives outputs of other shapes or kinds."""
        twin = cls(module)
        try:
            got = twin(inputs)
        except (RuntimeError, TypeError, ValueError, NotImplementedError):
            return None
        if [t.shape for t in got] != [t.shape for t in outputs]:
            return None
        wanted = [_widest(t.dtype) for t in outputs]
        return twin if [t.dtype for t in got] == wanted else None

    def __call__(self, inputs: Sequence[torch.Tensor]) -> tuple[torch.Tensor, ...]:
        return tuple(run_widened(self.module, inputs))


def run_widened(module: fx.GraphModule, inputs: Sequence[Any], by: Widened | None = None) -> Any:
    """The results of a torch-level graph with every low-precision float widened.

    Errors: any error of an operator without a float64 form. Parameters are widened one at a time, when they are
    read. Neither they nor the inputs are changed. `by`: the interpreter, where more than the results is wanted.
    """
    with _float64_default():
        return (by or Widened(module)).run(*map(_widen, inputs), enable_io_processing=False)


@contextmanager
def _float64_default() -> Iterator[None]:
    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(default)


class Widened(fx.Interpreter):
    """Runs a graph on widened values, with float64 wherever the graph names a narrower dtype."""

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self.extra_traceback = False

    def get_attr(self, target: Any, args: Any, kwargs: Any) -> Any:
        return _widen(super().get_attr(target, args, kwargs))

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        return super().call_function(target, _renamed(args), _renamed(kwargs))

    def call_method(self, target: Any, args: Any, kwargs: Any) -> Any:
        return super().call_method("double" if target in _CAST_METHODS else target, _renamed(args), _renamed(kwargs))

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        wide = copy.deepcopy(self.fetch_attr(target)).double()
        return wide(*args, **kwargs)


def tuple_of(outputs: Any) -> tuple[Any, ...]:
    """A call's outputs as a tuple, where it may have returned one tensor."""
    return tuple(outputs) if isinstance(outputs, tuple | list) else (outputs,)


def _renamed(values: Any) -> Any:
    return pytree.tree_map(
        lambda value: torch.float64 if isinstance(value, torch.dtype) and value in _NARROW else value, values
    )


def _widest(dtype: torch.dtype) -> torch.dtype:
    if dtype.is_complex:
        return torch.complex128
    return torch.float64 if dtype.is_floating_point else dtype


def _widen(value: Any) -> Any:
    """A copy, in float64 or complex128 if it is of any floating or complex dtype."""
    if not isinstance(value, torch.Tensor):
        return value
    value = value.detach()
    return value.clone() if value.dtype is _widest(value.dtype) else value.to(_widest(value.dtype))
