"""A traced model in float64, run once: the truth that its own results and those with passes are both rounded from."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import torch
from torch import fx
from torch.utils import _pytree as pytree

_NARROW = frozenset({torch.float16, torch.bfloat16, torch.float32})
_CASTS = frozenset({"float", "half", "bfloat16"})


def in_float64(module: fx.GraphModule, inputs: Sequence[Any]) -> list[Any] | None:
    """The flat results of a torch-level graph with every low-precision float widened; None where that cannot run.

    Parameters are widened one at a time, when they are read. Neither they nor the inputs are changed.
    """
    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with torch.no_grad():
            return pytree.tree_leaves(_Widened(module).run(*map(_wide, inputs), enable_io_processing=False))
    except Exception:  # noqa: BLE001  an operator without a float64 form raises whatever it likes: then there is no truth
        return None
    finally:
        torch.set_default_dtype(default)


class _Widened(fx.Interpreter):
    """Runs a graph on widened values, with float64 wherever the graph names a narrower dtype."""

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self.extra_traceback = False

    def get_attr(self, target: Any, args: Any, kwargs: Any) -> Any:
        return _wide(super().get_attr(target, args, kwargs))

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        return super().call_function(target, _renamed(args), _renamed(kwargs))

    def call_method(self, target: Any, args: Any, kwargs: Any) -> Any:
        return super().call_method("double" if target in _CASTS else target, _renamed(args), _renamed(kwargs))

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        wide = copy.deepcopy(self.fetch_attr(target)).double()
        return wide(*args, **kwargs)


def _renamed(values: Any) -> Any:
    return pytree.tree_map(
        lambda value: torch.float64 if isinstance(value, torch.dtype) and value in _NARROW else value, values
    )


def _wide(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().double() if value.dtype in _NARROW else value.detach().clone()
