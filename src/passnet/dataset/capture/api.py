"""`passnet.capture`: the graphs of a user's own model or function, as a call, a context manager or a decorator.

    graphs = passnet.capture(model, x, mask=mask)      # one call, in evaluation mode, without gradients

    with passnet.capture(model) as graphs:             # whatever the block runs of this model, as it runs
        model(x)

    with passnet.capture() as graphs:                  # of any module that the block calls
        pipeline.step(batch)

    @passnet.capture                                   # a function; `f.graphs` grows with what its calls run
    def f(x): ...

Each graph break starts another graph. Real tensors give real statistics. Parameters are inputs of the graph.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import torch

from passnet.dataset.capture.dynamo import Captured, Recorder, capture_graphs, recording
from passnet.dataset.capture.model import About, full_graph
from passnet.dataset.models import families
from passnet.dataset.models.building import quiet
from passnet.errors import UsageError
from passnet.graph import Graph


def capture(model: Callable[..., Any] | None = None, /, *args: Any, **kwargs: Any) -> Any:
    """Capture torch-level graphs. See the module for the four forms.

    With arguments: calls `model(*args, **kwargs)` once, in evaluation mode and without gradients, and returns
    `list[Graph]`. Its training modes, parameters and buffers do not change. Without arguments: a module (or nothing)
    gives a context manager whose value is the list of graphs, and a function gives the decorated function. Both use the
    caller's modes and gradients and change no result.

    Errors: UsageError for an object that cannot be captured so, GraphError for operations that the format cannot hold,
    and any error of the model itself.
    """
    if model is not None and not callable(model):
        raise UsageError("not a model", expected="a torch.nn.Module or a function", found=type(model).__name__)
    if isinstance(model, type):
        raise UsageError(f"{model.__name__} is a class", hint="make an object of it first")
    if model is not None and (args or kwargs):
        return _called(model, args, kwargs)
    if model is None or isinstance(model, torch.nn.Module):
        return Recording(model)
    return decorated(model)


def _called(model: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Graph]:
    kept = _Buffers(model)
    try:
        with quiet():
            found = capture_graphs(model, kwargs, args=args)
    finally:
        kept.restore()
    return _graphs(found, _name(model), 0, whole=len(found) == 1)


class _Buffers:
    """The buffers of a module. They are restored after a call that may have written to them."""

    def __init__(self, model: Callable[..., Any]) -> None:
        buffers = list(model.buffers()) if isinstance(model, torch.nn.Module) else []
        self._kept = [(buffer, buffer.detach().clone()) for buffer in buffers]

    def restore(self) -> None:
        with torch.no_grad():
            for buffer, value in self._kept:
                if not torch.equal(buffer, value):
                    buffer.copy_(value)


class Recording(AbstractContextManager["list[Graph]"]):
    """Captures calls of `model`, or of any module that is not part of another call, while it is open."""

    def __init__(self, model: torch.nn.Module | None = None) -> None:
        self._only = model
        self._graphs: list[Graph] = []
        self._compiled: dict[int, tuple[torch.nn.Module, Callable[..., Any]]] = {}
        self._recorder = Recorder()
        self._stack = ExitStack()
        self._thread: int | None = None
        self._original: Callable[..., Any] = torch.nn.Module.__call__

    def __enter__(self) -> list[Graph]:
        if self._thread is not None:
            raise UsageError("this recording was used already", hint="make another one")
        self._thread = threading.get_ident()
        self._stack.enter_context(quiet())
        self._stack.enter_context(recording())
        self._original = torch.nn.Module.__call__
        self._install()
        return self._graphs

    def __exit__(self, *_: object) -> None:
        self._uninstall()
        self._stack.close()
        names = sorted({_name(model) for model, _ in self._compiled.values()})
        self._compiled = {}
        found = self._recorder.graphs()
        self._graphs += _graphs(found, names[0] if len(names) == 1 else "block", 0, whole=len(found) == 1)

    def _install(self) -> None:
        recording = self

        def call(module: torch.nn.Module, *args: Any, **kwargs: Any) -> Any:
            return recording._call(module, args, kwargs)

        torch.nn.Module.__call__ = call  # type: ignore[method-assign]

    def _uninstall(self) -> None:
        torch.nn.Module.__call__ = self._original  # type: ignore[method-assign]

    def _call(self, module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run an outermost call compiled. Calls inside it see an unchanged `torch.nn.Module`."""
        other = self._only is not None and module is not self._only
        if other or threading.get_ident() != self._thread:
            return self._original(module, *args, **kwargs)
        if id(module) not in self._compiled:
            self._compiled[id(module)] = (module, torch.compile(module, backend=self._recorder, dynamic=False))
        self._uninstall()
        try:
            return self._compiled[id(module)][1](*args, **kwargs)
        finally:
            self._install()


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` with an attribute `graphs`, the list of all graphs that its calls have run so far."""
    graphs: list[Graph] = []

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        recorder = Recorder()
        with quiet(), recording():
            result = torch.compile(function, backend=recorder, dynamic=False)(*args, **kwargs)
        known = {(graph.source, graph.specs) for graph in graphs}
        found = _graphs(recorder.graphs(), _name(function), len(graphs), whole=False)
        graphs.extend(graph for graph in found if (graph.source, graph.specs) not in known)
        return result

    run.graphs = graphs  # type: ignore[attr-defined]
    return run


def _graphs(found: Sequence[Captured], name: str, first: int, *, whole: bool) -> list[Graph]:
    """The captured graphs with the meta data of `graph_net.json`. Pieces of one call have different numbers."""
    return [full_graph(one, _about(one, name), None if whole else first + index) for index, one in enumerate(found)]


def _about(captured: Captured, name: str) -> About:
    real = all(value.device.type != "meta" for value in captured.inputs)
    return About("user", name, "other", families.normalise(name), "real" if real else "meta")


def _name(model: Callable[..., Any]) -> str:
    return str(getattr(model, "__name__", type(model).__name__))
