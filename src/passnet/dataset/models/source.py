"""The interface of a source of models: names, known facts, and a built model with the inputs of one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import torch

Method = Literal["real", "fake", "meta"]
Domain = Literal["computer_vision", "nlp", "audio", "multimodal", "graph", "other"]


@dataclass(frozen=True)
class Case:
    """A model in evaluation mode and the arguments of one call.

    `method` "real": small, with real CPU tensors and spread weights (`building.season`). "fake": built and called under
    a FakeTensorMode, any size. "meta": on the meta device. `fake_mode` is the mode that made the tensors of "fake".
    """

    model: torch.nn.Module
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    method: Method = "real"
    fake_mode: Any = None


class ModelSource(Protocol):
    """One library of models. Nothing is imported from the library before it is needed."""

    library: str

    def names(self) -> Sequence[str]:
        """Every model name, sorted. Errors: UsageError when the library cannot be imported."""
        ...

    def family(self, name: str) -> str:
        """The model family in lower case, the same word in every library (see `families`)."""
        ...

    def domain(self, name: str) -> Domain:
        """The purpose of the model."""
        ...

    def methods(self, name: str) -> Sequence[Method]:
        """The ways of building worth trying, best first. Later ones are tried only when the earlier ones fail."""
        ...

    def build(self, name: str, method: Method) -> Case:
        """The model and its inputs, seeded by the name. Raises any error of the library. The caller records it."""
        ...


def domain_of(source: ModelSource, name: str) -> Domain:
    """The purpose of a model, "other" where it cannot be found out."""
    try:
        return source.domain(name)
    except Exception:  # noqa: BLE001  a module that cannot be imported: building the model says so, and is recorded
        return "other"
