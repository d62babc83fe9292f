"""A model as its user calls it: the rewritten graph behind a guard, and the model itself for everything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.fx.graph import CodeGen
from torch.utils import _pytree as pytree

from passnet.errors import UsageError
from passnet.rewrite import CallReport, Rewritten, deployed
from passnet.score.tolerances import tolerance
from passnet.use.cuda_graph import Captured

# Looser than for a single graph (-5), because a model adds the rounding of all its layers up.
_TOLERANCE = -3


@dataclass(frozen=True)
class Flat:
    """A traced model as a function of flat inputs that returns a flat tuple, and how calls map to it.

    `module`: a GraphModule, or another program with a `forward` of the inputs. `inputs` are those of the example call,
    `given` its structure of arguments and `returned` that of the result.
    """

    module: Any
    inputs: tuple[Any, ...]
    given: pytree.TreeSpec
    returned: pytree.TreeSpec


def flattened(model: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Flat:
    """Trace one call of a model as one torch-level graph. Errors: UsageError where Dynamo cannot."""
    try:
        with torch.no_grad():
            exported = torch._dynamo.export(model, aten_graph=False, assume_static_by_default=True)(*args, **kwargs)
    except Exception as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise UsageError(
            f"cannot be traced as one graph: {first}",
            field=type(model).__name__,
            hint='torch.compile(model, backend="passnet", ...) handles models whose graph breaks',
        ) from error
    module = exported.graph_module
    # Structures are mapped here, by their shortest way, rather than inside the graph.
    returned = module._out_spec
    module.graph.set_codegen(CodeGen())
    module.recompile()
    inputs, given = pytree.tree_flatten((args, kwargs))
    assert returned is not None, "an exported module knows the structure of its result"
    return Flat(module, tuple(inputs), given, returned)


class Applied:
    """A callable with the model's own signature.

    `replacements` counts matches by rule, `near_misses` says why other rules found nothing, `calls` which wrappers'
    calls are replayed and why others are not, `left` why places that match were left; `captured` is the CUDA graph,
    if there is one. Without any match (`replaced` is 0) every call is the model's own.
    """

    def __init__(
        self,
        model: nn.Module,
        flat: Flat | None,
        result: Rewritten,
        calls: Sequence[CallReport] = (),
        left: Sequence[str] = (),
    ) -> None:
        self.model = model
        self.left = tuple(left)
        self.calls = tuple(calls)
        self.captured = flat.module if flat is not None and isinstance(flat.module, Captured) else None
        self.graph = result.gm
        self.replacements: Mapping[str, int] = result.replacements
        self.near_misses = result.near_misses
        self._call = model if flat is None else _guarded(model, flat)

    @property
    def replaced(self) -> int:
        """Number of subgraphs that a pass replaced."""
        return sum(self.replacements.values())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)

    def check(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """One call beside the model's own. Errors: UsageError when a tensor of the result is out of tolerance."""
        with torch.no_grad():
            expected, found = (
                pytree.tree_leaves(call(*_copies(args), **_copies(kwargs))) for call in (self.model, self._call)
            )
        for place, (left, right) in enumerate(zip(expected, found, strict=True)):
            if isinstance(left, torch.Tensor) and not _close(left, right):
                raise UsageError(
                    f"the passes change result {place} of the model",
                    field=", ".join(name for name, count in self.replacements.items() if count),
                    expected=f"as the model's own to {tolerance(_name(left), _TOLERANCE)}",
                    found=f"a largest difference of {(left.double() - right.double()).abs().max().item():.3g}",
                )


def _guarded(model: nn.Module, flat: Flat) -> Any:
    """The call: positional tensors go straight to the graph, other arguments are flattened first."""
    refused = object()
    refuse: Any = _Refuse(refused)
    fast = deployed(flat.module, refuse, flat.inputs)
    count, training = len(flat.inputs), model.training
    plain = flat.given == pytree.tree_structure((tuple(range(count)), {}))
    single, is_tuple = _shape_of(flat.returned)
    autocast, grad = torch._C._is_any_autocast_enabled, torch.is_grad_enabled

    def call(*args: Any, **kwargs: Any) -> Any:
        # Kernels are not differentiable, and were matched in the mode and at the dtypes of the example.
        if model.training is training and not grad() and not autocast():
            if plain and not kwargs and len(args) == count:
                result = fast(*args)
            else:
                values, given = pytree.tree_flatten((args, kwargs))
                result = fast(*values) if given == flat.given else refused
            if result is not refused:
                if single:
                    return result[0]
                return tuple(result) if is_tuple else pytree.tree_unflatten(result, flat.returned)
        return model(*args, **kwargs)

    return call


class _Refuse:
    """Stands where a guarded program has its original graph: the model itself is called instead."""

    def __init__(self, answer: object) -> None:
        self.forward = lambda *inputs: answer


def _shape_of(returned: pytree.TreeSpec) -> tuple[bool, bool]:
    """Is the result one value; is it a plain tuple of values?"""
    if returned.is_leaf():
        return True, False
    return False, returned == pytree.tree_structure(tuple(range(returned.num_leaves)))


def _copies(values: Any) -> Any:
    return pytree.tree_map(lambda value: value.clone() if isinstance(value, torch.Tensor) else value, values)


def _name(value: torch.Tensor) -> str:
    return str(value.dtype).removeprefix("torch.")


def _close(expected: torch.Tensor, found: Any) -> bool:
    if not isinstance(found, torch.Tensor) or found.shape != expected.shape or found.dtype != expected.dtype:
        return False
    if not (expected.is_floating_point() or expected.is_complex()):
        return torch.equal(expected, found)
    bound = tolerance(_name(expected), _TOLERANCE)
    return torch.allclose(expected, found, rtol=bound.rtol, atol=bound.atol, equal_nan=True)
