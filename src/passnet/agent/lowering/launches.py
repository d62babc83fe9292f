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
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from passnet.agent.lowering.inductor import NotGenerated
from passnet.agent.lowering.launch_model import KernelFacts, LaunchSettings, estimate, likeliest
from passnet.agent.lowering.products import ProductSizes
from passnet.dataset.cut.schedule_device import present, replaced
from passnet.errors import first_line, foreign

_STARTS = (ast.Import, ast.ImportFrom, ast.FunctionDef)
# Neighbours of so many of Inductor's settings are thought of before anything is measured.
_CENTRES = 2
# Beside Inductor's settings others must gain this (a logarithm), for estimates err.
LITTLE = 0.05
# Inductor's autotuner moves Triton's cache by this variable of the process.
_CACHE = "TRITON_CACHE_DIR"


@dataclass(frozen=True)
class KernelHeuristics:
    """What Inductor knows about one kernel.

    `settings` are those that it would try, in its own order. `facts` are of the kernel's text. `kind` is the name of
    the heuristic. `product` is set where the kernel multiplies matrices.
    """

    kind: str
    facts: KernelFacts
    settings: tuple[LaunchSettings, ...]
    product: ProductSizes | None
    _tuner: Any = field(repr=False, compare=False)

    @functools.cached_property
    def likely(self) -> tuple[LaunchSettings, ...]:
        """Inductor's settings, neighbours of the first ones and others for products, the likely fastest first."""
        if self.product is None:
            near = [step for settings in self.settings[:_CENTRES] for step in self.neighbours(settings)]
        else:
            near = self.product.own_settings([name for name, _ in self.settings[0].values])
        return tuple(self.ordered([*self.settings, *near])) or self.settings

    def ordered(self, settings: Iterable[LaunchSettings]) -> list[LaunchSettings]:
        """These settings, each once, the likely fastest first. One of Inductor's is first where others gain little.
        Of a product's, those for which there is no room are left out.
        """
        if self.product is not None:
            fitting = [row for row in dict.fromkeys(settings) if self.product.us(row) < math.inf]
            return sorted(fitting, key=self.product.us)
        found = likeliest(self.kind, self.facts, list(dict.fromkeys(settings)))
        own = next((row for row in found if row in self.settings), found[0] if found else None)
        if own is not None and self._estimate(own) <= self._estimate(found[0]) + LITTLE:
            found.remove(own)
            found.insert(0, own)
        return found

    def _estimate(self, settings: LaunchSettings) -> float:
        return estimate(self.kind, self.facts, settings)

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
        scores = tuner.inductor_meta.get("tiling_scores") or {}
        facts = KernelFacts.read(text, hints, scores)
        product = ProductSizes.read(text) if tuner.triton_meta.get("native_matmul") else None
        return KernelHeuristics(kind, facts, tuple(dict.fromkeys(map(_settings, tuner.configs))), product, tuner)


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
