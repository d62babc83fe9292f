"""A user's own models: `module:function`, where the function returns a model, and may return inputs of one call."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from passnet.dataset.models import families, torchvision_shim
from passnet.dataset.models.building import seeded
from passnet.dataset.models.source import Case, Domain, Method
from passnet.errors import UsageError

_EXPECTED = "a torch.nn.Module, (model, args) or (model, args, kwargs)"


class FactorySource:
    """One factory as a source with one model."""

    library = "user"

    def __init__(self, spec: str) -> None:
        """`spec` is `module:function`. UsageError when it is not."""
        module, colon, function = spec.partition(":")
        if not colon or not module or not function.isidentifier():
            raise UsageError("not a factory", expected="module:function", found=repr(spec))
        self.module, self.function, self.spec = module, function, spec

    def names(self) -> Sequence[str]:
        """The factory's name alone: `module.function`. Errors: as `load`."""
        self.load()
        return [f"{self.module}.{self.function}"]

    def family(self, name: str) -> str:
        """The function's name."""
        return families.normalise(self.function)

    def domain(self, name: str) -> Domain:
        """Unknown: a factory does not say."""
        return "other"

    def methods(self, name: str) -> Sequence[Method]:
        """Real first, so that statistics are the model's own."""
        return ("real", "fake", "meta")

    def build(self, name: str, method: Method) -> Case:
        """Call the factory, seeded by its name.

        Raises UsageError for a missing module or function and for a result that is no model. Also any error of the
        factory.
        """
        factory = self.load()
        mode = FakeTensorMode(allow_non_fake_inputs=True) if method == "fake" else None
        with seeded(name):
            if method == "meta":
                with torch.device("meta"):
                    made = factory()
            elif mode is not None:
                with mode:
                    made = factory()
            else:
                made = factory()
        model, args, kwargs = self._checked(made)
        return Case(model, args, kwargs, method, mode)

    def load(self) -> Callable[[], object]:
        """The function. The current directory is searched as `python -m` does.

        Errors: UsageError for a missing module or function, and any error of importing the module.
        """
        _make_current_directory_importable()
        torchvision_shim.prepare()  # the module may import a library that imports torchvision
        try:
            module = importlib.import_module(self.module)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{self.module}.".startswith(f"{error.name}."):
                raise
            from passnet.dataset.models.registry import NAMES

            hint = f"is it installed, or below the current directory? Known sources: {', '.join(NAMES)}"
            if self.module.endswith(".py"):
                name = self.module.removesuffix(".py").removeprefix("./").replace("/", ".")
                hint = f"give a module, not a file: {name}:{self.function}"
            raise UsageError(f"no module {self.module!r}", hint=hint) from None
        function = getattr(module, self.function, None)
        if not callable(function):
            what = "no such function" if function is None else "not a function"
            raise UsageError(f"{what}: {self.function!r}", path=getattr(module, "__file__", None), field=self.module)
        found: Callable[[], Any] = function
        return found

    def _checked(self, made: object) -> tuple[torch.nn.Module, tuple[object, ...], Mapping[str, object]]:
        parts = made if isinstance(made, tuple) else (made,)
        model, args, kwargs = (*parts, (), {})[:3] if len(parts) < 3 else parts[:3]
        if len(parts) == 2:
            kwargs = {}
        if isinstance(args, torch.Tensor):
            args = (args,)
        fits = isinstance(model, torch.nn.Module) and isinstance(args, (tuple, list)) and isinstance(kwargs, Mapping)
        if not fits or len(parts) > 3:
            found = f"({', '.join(type(part).__name__ for part in parts)})" if isinstance(made, tuple) else type(made)
            raise UsageError("the factory returned no model", field=self.spec, expected=_EXPECTED, found=found)
        return model.eval(), tuple(args), dict(kwargs)


def _make_current_directory_importable() -> None:
    """This lasts as long as the process: a factory may import its neighbours when it is called."""
    here = os.getcwd()
    if not {"", here} & set(sys.path):
        sys.path.insert(0, here)
