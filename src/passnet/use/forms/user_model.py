"""The model of `module:function` (or SOURCE:MODEL) with its example calls."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

from torch import nn
from torch.nn.modules.conv import _ConvNd

from passnet.dataset.models import registry
from passnet.dataset.models.building import quiet
from passnet.dataset.models.factory_source import FactorySource
from passnet.dataset.models.source import Case
from passnet.errors import PassNetError, UsageError, described, foreign
from passnet.use.forms.calls import ExampleCall, device_of_call, examples_of


@dataclass(frozen=True)
class UserModel:
    """A model in evaluation mode and the calls for which it is optimised, the factory's own first."""

    name: str
    model: nn.Module
    calls: tuple[ExampleCall, ...]

    @property
    def device(self) -> str:
        """`cpu` or `cuda`. UsageError for a model on several devices."""
        return device_of_call(self.model, self.calls, self.name)

    @property
    def has_convolutions(self) -> bool:
        """Whether a module of it is a convolution. Those that are only called as functions are not seen."""
        return any(isinstance(module, _ConvNd) for module in self.model.modules())

    @property
    def bytes(self) -> int:
        """The size of all parameters and buffers."""
        return sum(tensor.nbytes for tensor in (*self.model.parameters(), *self.model.buffers()))

    def on(self, device: str | None) -> UserModel:
        """The same on a device; None leaves it where it is."""
        if device is None:
            return self
        self.model.to(device)
        return UserModel(self.name, self.model, tuple(call.on(device) for call in self.calls))


def user_model(spec: str, examples: str | None) -> UserModel:
    """Build it. `examples`: `module:function` of a list of further calls.

    Errors: UsageError for a factory that is none or fails.
    """
    case = built(spec)
    calls = [ExampleCall(tuple(case.args), dict(case.kwargs))]
    if examples is not None:
        with _failing(examples, "the example calls cannot be built"):
            calls += examples_of(FactorySource(examples).load()(), examples)
    return UserModel(spec, case.model.eval(), tuple(calls))


def built(spec: str) -> Case:
    """A model and its call as the factory or the source gives them."""
    library, _, model = spec.partition(":")
    source = registry.source(library if library in registry.NAMES else spec)
    with _failing(spec, "the model cannot be built"), quiet():
        name = model if library in registry.NAMES else next(iter(source.names()))
        return source.build(name, "real")


def _failing(spec: str, what: str) -> AbstractContextManager[None]:
    return foreign(lambda error: UsageError(f"{what}: {described(error)}", field=spec), PassNetError)
