"""Captures the torch-level graphs of a model with Dynamo, together with the tensors that really went through them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx


@dataclass(frozen=True)
class Captured:
    """One graph of a model: parameters are placeholders, `inputs` are the values of one real call in that order."""

    module: fx.GraphModule
    inputs: tuple[Any, ...]


class _Recorder:
    """A Dynamo backend that runs each graph eagerly and keeps it with the inputs of its first call."""

    def __init__(self) -> None:
        self.captured: list[Captured] = []

    def __call__(self, module: fx.GraphModule, _examples: Sequence[torch.Tensor]) -> Callable[..., Any]:
        seen = False

        def run(*args: Any) -> Any:
            nonlocal seen
            if not seen:
                seen = True
                self.captured.append(Captured(module, tuple(_copy(value) for value in args)))
            return module.forward(*args)

        return run


def _copy(value: Any) -> Any:
    """A snapshot that later in-place work of the graph cannot change; strides are kept."""
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def capture_graphs(model: torch.nn.Module, arguments: Mapping[str, Any]) -> list[Captured]:
    """The graphs that `model(**arguments)` runs, in order of execution; several when Dynamo breaks the graph.

    The model is switched to evaluation mode and run once without gradients. Shapes are specialised, never symbolic.
    """
    torch._dynamo.reset()
    recorder = _Recorder()
    compiled = torch.compile(model.eval(), backend=recorder, dynamic=False)
    with torch.no_grad():
        compiled(**arguments)
    return recorder.captured
