"""A float64 twin of a graph: the truth against which eager and a candidate are both measured.

Low-precision floating dtypes in the graph (casts, `dtype=` arguments, `.float()` and its siblings) become float64.
So the twin rounds nowhere. A graph with operators that have no float64 form has no twin, which is recorded.

A cast that makes a new tensor in the graph may give its own argument back in the twin. What is written to the one must
not be written to the other, so such a cast makes a copy there.

The bits of a number are those that it has in its narrow dtype. A cast of bits rounds to that in the twin.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx
from torch.utils import _pytree as pytree

_NARROW = frozenset({torch.float16, torch.bfloat16, torch.float32})
_CAST_METHODS = frozenset({"float", "half", "bfloat16"})
_CASTS = _CAST_METHODS | {"to", "type", "type_as", "double"}
_COPYING, _BIT_CASTS = "casts that copy", "casts of bits"


@dataclass(frozen=True)
class WideReference:
    """A graph to be run on widened values.

    It takes the original inputs, unchanged, and returns the results in float64, or exact. `changed`: the inputs that
    the graph changes. Their values after the call are results too, behind the outputs.
    """

    module: fx.GraphModule
    changed: Sequence[int] = ()

    @classmethod
    def build(
        cls,
        module: fx.GraphModule,
        inputs: Sequence[torch.Tensor],
        outputs: Sequence[torch.Tensor],
        changed: Sequence[int] = (),
    ) -> WideReference | None:
        """The twin. None when the graph cannot run in float64, or then gives outputs of other shapes or kinds."""
        twin = cls(module, tuple(changed))
        try:
            got = twin(inputs)
        except (RuntimeError, TypeError, ValueError, NotImplementedError):
            return None
        due = [*outputs, *(inputs[index] for index in changed)]
        if [t.shape for t in got] != [t.shape for t in due]:
            return None
        return twin if [t.dtype for t in got] == [_widest(t.dtype) for t in due] else None

    def __call__(self, inputs: Sequence[torch.Tensor]) -> tuple[torch.Tensor, ...]:
        wide = widened(inputs)
        outputs = tuple_of(run_widened(self.module, inputs, wide=wide))
        return (*outputs, *(wide[index] for index in self.changed))


def run_widened(
    module: fx.GraphModule, inputs: Sequence[Any], by: Widened | None = None, wide: Sequence[Any] | None = None
) -> Any:
    """The results of a torch-level graph with every low-precision float widened.

    Errors: any error of an operator without a float64 form. Parameters are widened one at a time, when they are
    read. Neither they nor the inputs are changed. `by`: the interpreter, where more than the results is wanted.
    `wide`: the widened inputs, which the graph may change.
    """
    if _COPYING not in module.meta:
        module.meta[_COPYING], module.meta[_BIT_CASTS] = _casts_of(module, inputs)
    with _float64_default():
        return (by or Widened(module)).run(*(widened(inputs) if wide is None else wide), enable_io_processing=False)


def widened(inputs: Sequence[Any]) -> list[Any]:
    """Copies of the inputs, in float64 where they are of a floating dtype."""
    return [_widen(value) for value in inputs]


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

    def run_node(self, n: fx.Node) -> Any:
        if n.name in self._bit_casts:
            value = self.fetch_args_kwargs_from_env(n)[0][0]
            return _widen(value.to(self._bit_casts[n.name]).view(_bit_cast(n)))
        result = super().run_node(n)
        return result.clone() if n.name in self._copying else result

    @functools.cached_property
    def _bit_casts(self) -> Mapping[str, torch.dtype]:
        assert isinstance(self.module, fx.GraphModule)
        found: Mapping[str, torch.dtype] = self.module.meta.get(_BIT_CASTS, {})
        return found

    @functools.cached_property
    def _copying(self) -> frozenset[str]:
        assert isinstance(self.module, fx.GraphModule)
        copying: frozenset[str] = self.module.meta.get(_COPYING, frozenset())
        return copying

    def get_attr(self, target: Any, args: Any, kwargs: Any) -> Any:
        return _widen(super().get_attr(target, args, kwargs))

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        return super().call_function(target, _renamed(args), _renamed(kwargs))

    def call_method(self, target: Any, args: Any, kwargs: Any) -> Any:
        return super().call_method("double" if target in _CAST_METHODS else target, _renamed(args), _renamed(kwargs))

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        wide = copy.deepcopy(self.fetch_attr(target)).double()
        return wide(*args, **kwargs)


class _Casts(fx.Interpreter):
    """Runs a graph as it is, on copies of what it may change, and sees what its casts do.

    `copying`: those that make a new tensor. `of_bits`: those of bits, with the dtype of their argument.
    """

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self.extra_traceback = False
        self.copying: set[str] = set()
        self.of_bits: dict[str, torch.dtype] = {}
        self.writes = False

    def get_attr(self, target: Any, args: Any, kwargs: Any) -> Any:
        return copy.deepcopy(super().get_attr(target, args, kwargs))

    def call_module(self, target: Any, args: Any, kwargs: Any) -> Any:
        return copy.deepcopy(self.fetch_attr(target))(*args, **kwargs)

    def run_node(self, n: fx.Node) -> Any:
        given = [v for v in pytree.tree_leaves(self.fetch_args_kwargs_from_env(n)) if isinstance(v, torch.Tensor)]
        before = [version(value) for value in given]
        self.writes |= None in before
        result = super().run_node(n)
        self.writes |= before != [version(value) for value in given]
        if _leaf(n) in _CASTS and isinstance(result, torch.Tensor) and not any(share(v, result) for v in given):
            self.copying.add(n.name)
        if _bit_cast(n) is not None:
            self.of_bits[n.name] = given[0].dtype
        return result


def _casts_of(module: fx.GraphModule, inputs: Sequence[Any]) -> tuple[frozenset[str], Mapping[str, torch.dtype]]:
    """The casts of a graph that writes to tensors whose result is no part of their argument's memory. The casts of
    bits, with the dtype of which they take them.
    """
    if not any(_leaf(n) in _CASTS or _bit_cast(n) is not None for n in module.graph.nodes):
        return frozenset(), {}
    casts = _Casts(module)
    casts.run(*(v.clone() if isinstance(v, torch.Tensor) else v for v in inputs), enable_io_processing=False)
    return frozenset(casts.copying) if casts.writes else frozenset(), casts.of_bits


def _bit_cast(n: fx.Node) -> torch.dtype | None:
    """The dtype as which a node takes the bits of its argument."""
    found = [value for value in (*n.args[1:], *n.kwargs.values()) if isinstance(value, torch.dtype)]
    return found[0] if _leaf(n) == "view" and found else None


def _leaf(n: fx.Node) -> str:
    return n.target if isinstance(n.target, str) else getattr(n.target, "__name__", "")


def version(value: torch.Tensor) -> int | None:
    """What moves when something is written to a tensor. Tensors of inference mode have none, and may be written to."""
    return None if value.is_inference() else value._version


def share(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors lie in the same memory."""
    return one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


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
