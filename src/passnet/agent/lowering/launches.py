"""How Inductor would launch one of its Triton kernels: the settings that it would try, and the grid of each.

Nothing is copied from Inductor, and nothing is compiled or run. Its own module of the kernel is loaded, as Inductor
does it. Then its own heuristics have answered. This module depends on Inductor's internal interfaces.
"""

from __future__ import annotations

import ast
import copy
import functools
import importlib.util
import math
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from passnet.agent.lowering.inductor import NotGenerated
from passnet.dataset.cut.schedule_device import present, replaced
from passnet.errors import first_line, foreign

_STARTS = (ast.Import, ast.ImportFrom, ast.FunctionDef)
# A reduction whose elements are all in one block, by the name of its heuristic. How many elements a program of it
# should have, and how many programs keep a GPU busy.
_IN_ONE_STEP, _ELEMENTS, _PROGRAMS = "persistent_reduction", 1024, 256
# Inductor's autotuner moves Triton's cache by this variable of the process.
_CACHE = "TRITON_CACHE_DIR"


@dataclass(frozen=True)
class LaunchSettings:
    """One way to launch a kernel: its compile-time parameters (sizes of blocks), warps and stages."""

    values: tuple[tuple[str, int], ...]
    warps: int
    stages: int

    def __str__(self) -> str:
        return ", ".join((*(f"{name} {value}" for name, value in self.values), f"{self.warps} warps"))


@dataclass(frozen=True)
class KernelHeuristics:
    """What Inductor knows about one kernel.

    `settings` are those that it would try. It launches the first of its own order if it does not measure, and of a
    reduction in one step it always measures. There the likely best come first. `sizes` are the sizes of the axes,
    rounded up to powers of two. `kind` is the name of the heuristic.
    """

    kind: str
    sizes: tuple[tuple[str, int], ...]
    settings: tuple[LaunchSettings, ...]
    _tuner: Any = field(repr=False, compare=False)

    def grid(self, settings: LaunchSettings, counts: Mapping[str, int]) -> tuple[int, int, int]:
        """Programs along each axis of the grid. `counts` are the numbers that the kernel is given, by parameter.

        Raises NotGenerated for a kind of grid that needs more than these.
        """
        from torch._inductor.runtime.triton_heuristics import GridExpr

        values = dict(settings.values)
        with foreign(lambda error: NotGenerated(f"its grid is not known: {error}")):
            expressions = GridExpr.from_meta(self._tuner.inductor_meta, values)
            x, y, z = expressions.eval_slow({**counts, **values})
        return int(x), int(y), int(z)

    def neighbours(self, settings: LaunchSettings) -> Iterator[LaunchSettings]:
        """The settings that differ by one step in one value, as Inductor's coordinate descent would try them."""
        from torch._inductor.runtime.coordinate_descent_tuner import get_field, set_field
        from triton import Config

        descent = self._tuner.coordesc_tuner
        here = Config(dict(settings.values), num_warps=settings.warps, num_stages=settings.stages)
        for name in descent.tunable_fields:
            value = get_field(here, name)  # type: ignore[no-untyped-call]
            for other in descent.get_neighbour_values(name, value) if value is not None else ():
                step = copy.deepcopy(here)
                set_field(step, name, other)  # type: ignore[no-untyped-call]
                yield _settings(step)


@functools.lru_cache(maxsize=4096)
def heuristics(text: str) -> KernelHeuristics:
    """The heuristics' answer for the text of a kernel, as it stands in Inductor's module.

    It was generated for a CUDA device, which need not be there. Raises NotGenerated.
    """
    with foreign(lambda error: NotGenerated(f"{type(error).__name__}: {first_line(str(error))[:200]}")):
        with _answering():
            module, name = _loaded(text)
        tuner = getattr(module, name)
        hints = getattr(tuner, "size_hints", None) or {}
        kind = str(getattr(tuner.heuristic_type, "name", tuner.heuristic_type)).lower()
        found = tuple(dict.fromkeys(_settings(config) for config in tuner.configs))
        if kind == _IN_ONE_STEP:
            found = tuple(sorted(found, key=lambda settings: _unlikely(settings, hints)))
        return KernelHeuristics(kind, tuple(hints.items()), found, tuner)


def _unlikely(settings: LaunchSettings, sizes: Mapping[str, int]) -> tuple[int, float, int]:
    """The smaller, the likelier it is that these settings of a reduction in one step are fast.

    A program should have about a thousand elements, and the device enough programs. On GPUs first drafts whose programs
    had one row of a few elements took up to 15 times as long as eager.
    """
    blocks = {name.removesuffix("BLOCK").lower(): value for name, value in settings.values}
    programs = math.prod(-(-size // blocks[axis]) for axis, size in sizes.items() if axis in blocks)
    elements = math.prod(blocks.get(axis, size) for axis, size in sizes.items())
    missing = max(0.0, math.log2(_PROGRAMS / programs))
    return round(missing), abs(math.log2(elements / _ELEMENTS)), -elements


def _settings(config: Any) -> LaunchSettings:
    values = tuple((str(name), int(value)) for name, value in config.kwargs.items())
    return LaunchSettings(values, int(config.num_warps), int(config.num_stages))


def _loaded(text: str) -> tuple[ModuleType, str]:
    """The module of a kernel, and the kernel's name. Lines that ask for a driver are left out."""
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if isinstance(node, _STARTS)]
    name = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)][-1]
    with tempfile.TemporaryDirectory(prefix="passnet-") as directory:
        path = Path(directory) / f"{name}.py"
        path.write_text(ast.unparse(tree))
        spec = importlib.util.spec_from_file_location(f"passnet_heuristics_{name}", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module, name


@contextmanager
def _answering() -> Iterator[None]:
    """The heuristics answer as on a machine with the device, and leave the process as it was."""
    cache = os.environ.get(_CACHE)
    try:
        with present(torch.device("cuda", 0)), replaced(torch.cuda, "is_available", lambda: True):
            yield
    finally:
        if cache is None:
            os.environ.pop(_CACHE, None)
        else:
            os.environ[_CACHE] = cache
