"""Traces one call of a model as one torch-level graph of flat values."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.fx.graph import CodeGen
from torch.utils import _pytree as pytree

from passnet.errors import UsageError, described, first_line, foreign
from passnet.rewrite import changes_inputs
from passnet.use.model.copies import aliased, copied, in_other_order
from passnet.use.model.untouched import Kept, untouched

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
    `given` its structure of arguments and `returned` that of the result. `rebound`: what the model binds anew in its
    first call and leaves from then on. `writes`: whether the graph changes its inputs or the model's buffers.
    """

    module: Any
    inputs: tuple[Any, ...]
    given: pytree.TreeSpec
    returned: pytree.TreeSpec
    rebound: tuple[str, ...] = ()
    writes: bool = False


def flattened(model: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Flat:
    """Trace one call. The model is as before.

    Dynamo takes one object for one value, so the model's own tensors must not be among the arguments that it sees. A
    tensor that is given twice stays one: the model may ask for that. Errors: UsageError for a call that the model
    itself refuses, `NotTraced` where Dynamo cannot trace it, and for a model that binds its names anew in every call.
    """

    if isinstance(model, torch.jit.ScriptModule):
        raise UsageError("a scripted model has no Python to trace", field=type(model).__name__,
                         hint="give the model before torch.jit.script or torch.jit.trace")  # fmt: skip
    kept = Kept(model)
    seen = aliased((args, kwargs))
    try:
        exported: Any = _exported(model, *seen)
    finally:  # Dynamo binds its own placeholders
        rebound = kept.rebound()
        kept.restore()
    if isinstance(exported, NotTraced):
        require_callable(model, args, kwargs)  # Dynamo passes on whatever the model raises
    if rebound:
        _require_settled(model, args, kwargs)
    if isinstance(exported, NotTraced):
        raise exported
    module = exported.graph_module
    # Structures are mapped here, by their shortest way, rather than inside the graph.
    returned = module._out_spec
    module.graph.set_codegen(CodeGen())
    module.recompile()
    inputs, given = pytree.tree_flatten(seen)
    assert returned is not None, "an exported module knows the structure of its result"
    return Flat(module, tuple(inputs), given, returned, tuple(rebound), changes_inputs(module))


def _exported(model: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What Dynamo exports, or the error that says why it cannot."""

    def untraceable(error: BaseException) -> NotTraced:
        hint = 'torch.compile(model, backend="passnet", ...) handles models whose graph breaks'
        if model._forward_hooks or model._forward_pre_hooks:
            hint = "hooks of the outermost module are not traced, those of its parts are: put it into nn.Sequential"
        return NotTraced(f"cannot be traced as one graph: {first_line(error)}", field=type(model).__name__, hint=hint)

    try:
        with foreign(untraceable), torch.no_grad(), torch._dynamo.config.patch(_UNLIMITED):
            return torch._dynamo.export(model, aten_graph=False, assume_static_by_default=True)(*args, **kwargs)
    except NotTraced as error:
        return error


def _require_settled(model: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Errors: `NotTraced` for a model that binds a name to another value in its second call too: it is no cache then.

    A traced program would leave the name as it is.
    """
    with torch.no_grad(), untouched(model, (args, kwargs)):
        for values in ((args, kwargs), in_other_order((args, kwargs), torch.Generator().manual_seed(0))):
            kept = Kept(model)
            given = copied(values)
            with contextlib.suppress(Exception):  # other values than the user's may be refused
                model(*given[0], **given[1])
        rebound = kept.rebound()
    if rebound:
        raise NotTraced(
            f"the model rebinds {rebound[0]} in every call",
            field=type(model).__name__,
            hint='torch.compile(model, backend="passnet", ...) takes such a model',
        )


def require_callable(model: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Errors: UsageError when the model raises on the example, because then the example is wrong."""

    def fails(error: BaseException) -> UsageError:
        return UsageError(
            f"a call of the model fails: {described(error)}",
            field=type(model).__name__,
            hint="give the inputs of one call: apply(model, (x, y), {name: z})",
        )

    with foreign(fails), torch.no_grad(), untouched(model, (args, kwargs)):
        args, kwargs = copied((args, kwargs))
        model(*args, **kwargs)
