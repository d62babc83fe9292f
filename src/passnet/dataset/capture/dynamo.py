"""Captures the torch-level graphs of a model with Dynamo, together with the tensors that went through them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily

# Recurrent layers are traced and do not break the graph. Python numbers are constants. A block that is used many times
# with other shapes is compiled each time, because otherwise Dynamo would run it uncaptured.
_SETTINGS = {"allow_rnn": True, "specialize_int": True, "specialize_float": True, "recompile_limit": 64}


@dataclass(frozen=True)
class Captured:
    """One graph of a model. Parameters are placeholders. `inputs` are the values of one call in that order.

    The inputs are real tensors, fake ones, or tensors on the meta device, as the model's own were.
    """

    module: fx.GraphModule
    inputs: tuple[Any, ...]


@dataclass(frozen=True)
class Trace:
    """The result of one call of a model: its graphs in order of execution, and why there is more than one.

    `breaks` holds one line per reason for which Dynamo ended a graph early. `result` is the value of the call. `error`
    is the exception that it raised after the graphs had run.
    """

    graphs: tuple[Captured, ...]
    breaks: tuple[str, ...]
    result: Any
    error: Exception | None = None


class Recorder:
    """A Dynamo backend that runs each graph eagerly and keeps it with the inputs of its first call."""

    def __init__(self) -> None:
        self._seen: list[Captured] = []

    def __call__(self, module: fx.GraphModule, _examples: Sequence[torch.Tensor]) -> Callable[..., Any]:
        ran = False

        def run(*args: Any) -> Any:
            nonlocal ran
            if not ran:
                ran = True
                self._seen.append(Captured(module, tuple(_snapshot(value) for value in args)))
            return module.forward(*args)

        return run

    def __len__(self) -> int:
        return len(self._seen)

    def graphs(self) -> tuple[Captured, ...]:
        """The graphs that ran, made self-contained, without those that have no operations. Call it once, at the end."""
        return tuple(_self_contained(captured) for captured in self._seen if _computes(captured.module))


def capture_graphs(
    model: Callable[..., Any],
    arguments: Mapping[str, Any] | None = None,
    *,
    args: Sequence[Any] = (),
) -> list[Captured]:
    """The graphs that `model(*args, **arguments)` runs, in order of execution. Several when Dynamo breaks the graph.

    The model runs once in evaluation mode without gradients. Its modes are restored. Shapes and numbers are
    specialised, never symbolic. Raises any error of the model or of Dynamo.
    """
    return list(trace(model, args, arguments or {}).graphs)


def trace(
    model: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    *,
    fake_mode: Any = None,
    partial: bool = False,
) -> Trace:
    """`capture_graphs`, with the reasons of graph breaks and the result.

    `fake_mode` is the FakeTensorMode that made the model's tensors: nothing is computed then, only shapes. With
    `partial`, an error after the first graph is returned with the graphs that ran before it.
    """
    recorder = Recorder()
    result, failure = None, None
    with evaluating(model), recording(), torch.no_grad(), fake_mode or contextlib.nullcontext():
        try:
            result = torch.compile(model, backend=recorder, dynamic=False)(*args, **kwargs)
        except Exception as error:
            # A model may raise anything. The graphs that ran before it are worth keeping, with the reason.
            if not partial or not recorder:
                raise
            failure = error
        breaks = break_reasons()
    return Trace(recorder.graphs(), breaks, result, failure)


@contextlib.contextmanager
def recording() -> Iterator[None]:
    """Dynamo's settings for capture. Its compiled code from before and inside is forgotten."""
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    try:
        with torch._dynamo.config.patch(_SETTINGS):
            yield
    finally:
        torch._dynamo.reset()


def break_reasons() -> tuple[str, ...]:
    """The first line of each reason for which Dynamo has broken a graph since `recording` began, sorted."""
    reasons = torch._dynamo.utils.counters["graph_break"]
    return tuple(sorted({(str(reason).strip().splitlines() or [""])[0] for reason in reasons}))


@contextlib.contextmanager
def evaluating(model: Callable[..., Any]) -> Iterator[None]:
    """Evaluation mode for a module and its submodules. The mode of each one is restored afterwards."""
    modules = list(model.modules()) if isinstance(model, torch.nn.Module) else []
    modes = [module.training for module in modules]
    if isinstance(model, torch.nn.Module):
        model.eval()
    try:
        yield
    finally:
        for module, training in zip(modules, modes, strict=True):
            module.training = training


def _snapshot(value: Any) -> Any:
    """A copy that later in-place work of the graph cannot change, with the same strides.

    Parameters are not copied: no inference graph writes to them, and they are most of the memory. Fake tensors hold
    nothing and are not copied either. Real constants stay real even in an active fake mode.
    """
    if not isinstance(value, torch.Tensor) or isinstance(value, FakeTensor):
        return value
    with unset_fake_temporarily():
        return value.detach() if isinstance(value, torch.nn.Parameter) else value.detach().clone()


def _computes(module: fx.GraphModule) -> bool:
    return any(node.op in {"call_function", "call_method"} for node in module.graph.nodes)


def _self_contained(captured: Captured) -> Captured:
    """The graph with every tensor an input, every number a constant in place, and no meta device in its text."""
    inputs = list(captured.inputs)
    _lift_attributes(captured.module, inputs)
    _inline_numbers(captured.module, inputs)
    _leave_meta(captured.module.graph)
    captured.module.graph.lint()
    captured.module.recompile()
    return Captured(captured.module, tuple(inputs))


def _lift_attributes(module: fx.GraphModule, inputs: list[Any]) -> None:
    """Turn tensors that the graph holds as attributes into further inputs. Sub-modules are left as they are."""
    graph = module.graph
    lifted: dict[str, fx.Node] = {}
    for node in [node for node in graph.nodes if node.op == "get_attr"]:
        value = _attribute(module, str(node.target))
        if not isinstance(value, torch.Tensor):
            continue
        if node.target not in lifted:
            placeholders = [other for other in graph.nodes if other.op == "placeholder"]
            with graph.inserting_after(placeholders[-1]) if placeholders else graph.inserting_before(node):
                lifted[str(node.target)] = graph.placeholder(str(node.target).replace(".", "_"))
            inputs.append(_snapshot(value))
        node.replace_all_uses_with(lifted[str(node.target)])
        graph.erase_node(node)


def _attribute(module: torch.nn.Module, path: str) -> Any:
    value: Any = module
    for part in path.split("."):
        value = getattr(value, part)
    return value


def _inline_numbers(module: fx.GraphModule, inputs: list[Any]) -> None:
    """Write the value of every input that is no tensor (a Python or symbolic number) at its uses."""
    placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
    constants = {
        node: _number(value)
        for node, value in zip(placeholders, inputs, strict=True)
        if not isinstance(value, torch.Tensor)
    }

    def constant(node: fx.Node) -> Any:
        return constants.get(node, node)

    for user in {user: None for node in constants for user in node.users}:
        user.args = fx.map_arg(user.args, constant)
        user.kwargs = fx.map_arg(user.kwargs, constant)
    for node in constants:
        module.graph.erase_node(node)
    inputs[:] = [value for value in inputs if isinstance(value, torch.Tensor)]


def _number(value: Any) -> Any:
    symbolic = {torch.SymInt: int, torch.SymFloat: float, torch.SymBool: bool}
    convert = symbolic.get(type(value))
    return convert(value) if convert is not None else value


def _leave_meta(graph: fx.Graph) -> None:
    """A graph traced on the meta device has the text of one for the CPU."""

    def moved(value: Any) -> Any:
        if isinstance(value, torch.device) and value.type == "meta":
            return torch.device("cpu")
        return "cpu" if value == "meta" and isinstance(value, str) else value

    for node in graph.nodes:
        if node.op != "placeholder":
            node.args = fx.node.map_aggregate(node.args, moved)
            node.kwargs = fx.node.map_aggregate(node.kwargs, moved)
