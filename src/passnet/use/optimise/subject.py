"""A user's model in the form that the bench judges: its whole graph, and the tensors of its own call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree

from passnet.dataset.capture.dynamo import Captured, Trace, evaluating, trace
from passnet.dataset.capture.model import About, full_graph
from passnet.dataset.models import families
from passnet.dataset.models.building import quiet
from passnet.errors import PassNetError, UsageError, described, foreign
from passnet.graph import Graph
from passnet.rewrite.match.signature import operations_of
from passnet.use.forms.calls import ExampleCall
from passnet.use.model.copies import copied
from passnet.use.model.untouched import untouched


class NotOneGraph(UsageError):
    """The model runs, but its call is no single graph, so that no pass can be applied to it."""


@dataclass(frozen=True)
class ModelSubject:
    """A captured model. `inputs` are the values of its own call in the graph's order, parameters included.

    - `arguments`: the inputs that a caller gives, by index. The others belong to the model.
    - `operations`: the canonical operations of the graph.
    - `notes`: where the measured program differs from the user's.
    - `named`: the call has keyword arguments.
    """

    name: str
    graph: Graph
    inputs: tuple[torch.Tensor, ...]
    arguments: frozenset[int]
    device: str
    operations: frozenset[str]
    notes: tuple[str, ...]
    named: bool = False


def subject_of(spec: str, model: torch.nn.Module, call: ExampleCall) -> ModelSubject:
    """Capture one call of a model in evaluation mode and without gradients, as the bench runs it.

    `spec`: its name for messages. Errors: UsageError for a model that cannot be captured as one graph, and for one that
    the graph format cannot hold.
    """
    args, kwargs = call.args, dict(call.kwargs)
    with quiet():
        captured = _whole(spec, _traced(spec, model, args, kwargs))
    name = spec.replace(":", ".")
    try:
        graph = full_graph(captured, About("user", name, "other", families.normalise(name), "real"))
    except PassNetError as error:
        raise NotOneGraph(f"the model cannot be written as a graph: {error}", field=spec) from error
    inputs = tuple(captured.inputs)
    notes = [
        f"{graph.specs[index].name} is strided in the model and contiguous in what is measured"
        for index, value in enumerate(inputs)
        if not value.is_contiguous()
    ]
    return ModelSubject(
        name=name,
        graph=graph,
        inputs=tuple(value.contiguous() for value in inputs),
        arguments=_arguments(inputs, (args, kwargs)),
        device=_device(spec, inputs),
        operations=operations_of(captured.module),
        notes=tuple(notes),
        named=bool(kwargs),
    )


def _traced(spec: str, model: torch.nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Trace:

    def fails(error: BaseException) -> UsageError:
        hint = "does the factory return the inputs of one call? (model, args) or (model, args, kwargs)"
        return UsageError(f"a call of the model fails: {described(error)}", field=spec, hint=hint)

    with foreign(fails), evaluating(model), torch.no_grad(), untouched(model, (args, kwargs)):
        given = copied((args, kwargs))
        model(*given[0], **given[1])
    with (
        foreign(lambda error: NotOneGraph(f"the model cannot be captured: {described(error)}", field=spec)),
        untouched(model, (args, kwargs)),
    ):
        given = copied((args, kwargs))
        return trace(model, *given)


def _whole(spec: str, traced: Trace) -> Captured:
    if not traced.graphs:
        raise UsageError("a call of the model runs no operation", field=spec)
    if len(traced.graphs) > 1:
        raise NotOneGraph(
            "the model cannot be captured as one graph",
            field=spec,
            found=f"{len(traced.graphs)} pieces; {'; '.join(traced.breaks[:1]) or 'no reason given'}",
            hint='torch.compile(model, backend="passnet", ...) handles models whose graph breaks',
        )
    return traced.graphs[0]


def _arguments(inputs: Sequence[torch.Tensor], call: Any) -> frozenset[int]:
    """Inputs that are tensors of the call: those with the same content, since capture keeps copies."""
    given = [leaf for leaf in pytree.tree_leaves(call) if isinstance(leaf, torch.Tensor)]

    def is_given(value: torch.Tensor) -> bool:
        alike = [leaf for leaf in given if leaf.shape == value.shape and leaf.dtype == value.dtype]
        return any(torch.equal(leaf, value) for leaf in alike)

    return frozenset(index for index, value in enumerate(inputs) if is_given(value))


def _device(spec: str, inputs: Sequence[torch.Tensor]) -> str:
    kinds = sorted({value.device.type for value in inputs})
    if kinds not in (["cpu"], ["cuda"]):
        raise UsageError("the model is on several devices", field=spec, expected="cpu or cuda", found=", ".join(kinds))
    return kinds[0]
