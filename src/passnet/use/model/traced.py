"""Traces one call of a model as one torch-level graph of flat values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.fx.graph import CodeGen
from torch.utils import _pytree as pytree

from passnet.errors import UsageError, described, first_line, foreign
from passnet.use.model.untouched import copied, untouched

# The flat inputs or results of a model: tensors, and whatever else it takes and gives.
Values = Sequence[Any]

# Dynamo stops after a few compilations of one function, and all models of a class are one function to it.
_UNLIMITED = {"recompile_limit": 1 << 30, "accumulated_recompile_limit": 1 << 30}


class NotTraced(UsageError):
    """Dynamo cannot trace a call of the model as one graph."""


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
    """Trace one call. Errors: UsageError for a call that the model itself refuses, and where Dynamo cannot trace it."""

    def untraceable(error: BaseException) -> UsageError:
        require_callable(model, args, kwargs)  # Dynamo passes on whatever the model raises
        return NotTraced(
            f"cannot be traced as one graph: {first_line(error)}",
            field=type(model).__name__,
            hint='torch.compile(model, backend="passnet", ...) handles models whose graph breaks',
        )

    with foreign(untraceable), torch.no_grad(), torch._dynamo.config.patch(_UNLIMITED):
        exported = torch._dynamo.export(model, aten_graph=False, assume_static_by_default=True)(*args, **kwargs)
    module = exported.graph_module
    # Structures are mapped here, by their shortest way, rather than inside the graph.
    returned = module._out_spec
    module.graph.set_codegen(CodeGen())
    module.recompile()
    inputs, given = pytree.tree_flatten((args, kwargs))
    assert returned is not None, "an exported module knows the structure of its result"
    return Flat(module, tuple(inputs), given, returned)


def require_callable(model: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Errors: UsageError when the model raises on the example, because then the example is wrong."""

    def fails(error: BaseException) -> UsageError:
        return UsageError(
            f"a call of the model fails: {described(error)}",
            field=type(model).__name__,
            hint="give the inputs of one call: apply(model, (x, y), {name: z})",
        )

    with foreign(fails), torch.no_grad(), untouched(model, (args, kwargs)):
        model(*copied(args), **copied(kwargs))
