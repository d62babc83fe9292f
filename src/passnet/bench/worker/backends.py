"""Compilers of other packages, as functions (graph module, example inputs) -> callable. Runs in workers.

Such a compiler is trusted like any library that the user installed: it runs without a sandbox, as TorchInductor does.
Its package is imported here, never in the controller.
"""

from __future__ import annotations

import copy
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

import torch

from passnet.bench.names import DYNAMO, ENTRY_POINTS, PACKAGES, is_installed
from passnet.bench.worker.compilers import BuildFailure, Call, Program, Tensors
from passnet.errors import described, foreign

CompileFunction = Callable[[torch.fx.GraphModule, list[torch.Tensor]], Any]


@dataclass(frozen=True)
class Backend:
    """A compile function, found when it is first needed.

    Direct: what the function makes of the graph. Deployed: through `torch.compile(model, backend=...)`.
    `deployed_as`: the back end's name for torch.compile. None: the function itself.
    """

    name: str
    find: Callable[[], CompileFunction]
    deployed_as: str | None = None

    def build(self, module: torch.fx.GraphModule, examples: Tensors) -> Program:
        with foreign(self._failed, BuildFailure):
            function = self.find()
            direct = self._compiled(function, copy.deepcopy(module), [t.clone() for t in examples])
            deployed = torch.compile(copy.deepcopy(module), backend=self.deployed_as or function)
            # Both may compile when first called. They get copies, because a graph may change its inputs.
            direct(*[t.clone() for t in examples])
            deployed(*[t.clone() for t in examples])
        return Program(call=direct, deployed=deployed)

    def _compiled(self, function: CompileFunction, module: torch.fx.GraphModule, examples: list[torch.Tensor]) -> Call:
        compiled = function(module, examples)
        if not callable(compiled):
            found = type(compiled).__name__
            raise BuildFailure("compile", f"{self.name}: a compile function must return a callable, got {found}")
        call: Call = compiled
        return call

    def _failed(self, error: BaseException) -> BuildFailure:
        return BuildFailure("compile", f"{self.name}: {described(error)}")


def backend(name: str) -> Backend:
    """The compiler of a name that is not in the table: `dynamo:NAME`, or an entry point."""
    if name.startswith(DYNAMO):
        short = name.removeprefix(DYNAMO)
        return Backend(name, lambda: _dynamo(short), deployed_as=short)
    return Backend(name, lambda: _entry_point(name))


def _dynamo(name: str) -> CompileFunction:
    package = PACKAGES.get(name)
    if package is not None and package.registers and is_installed(name):
        importlib.import_module(package.module)
    from torch._dynamo import lookup_backend

    found: CompileFunction = lookup_backend(name)
    return found


def _entry_point(name: str) -> CompileFunction:
    found = list(entry_points(group=ENTRY_POINTS, name=name))
    if not found:
        raise BuildFailure("compile", f"no package brings a compiler {name!r} (entry points of {ENTRY_POINTS})")
    function: CompileFunction = found[0].load()
    if not callable(function):
        raise BuildFailure("compile", f"{found[0].value} is no function: {type(function).__name__}")
    return function
