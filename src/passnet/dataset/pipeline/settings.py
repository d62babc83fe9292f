"""The settings of a build, its limits, and its reports while it runs and at the end."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from passnet.dataset.layout import DTYPES, FUSIBLE, SOLE_OP, TYPICAL
from passnet.dataset.vary.shapes import COMBINATIONS

# The libraries whose versions decide what a model's graph is.
_LIBRARIES = ("torch", "timm", "torchvision", "transformers", "torch_geometric")


@dataclass(frozen=True)
class BuildSettings:
    """Everything that decides the content of a build.

    A directory may be built again with other settings, for example more models. A result is kept while its own input
    stays the same. `limit` bounds the captured models. `cut` bounds the models whose graphs are also cut, folded and
    varied: the first captured ones in turn. The whole graphs of the others are stored too (`full_graphs`).
    """

    targets: tuple[str, ...] = ("timm", "torchvision", "transformers")
    limit: int | None = None
    per_family: int | None = None
    cut: int | None = None
    kinds: tuple[str, ...] = (SOLE_OP, TYPICAL, FUSIBLE)
    folds: int = 256
    window: int = 64
    dtypes: tuple[str, ...] = DTYPES
    shapes: tuple[tuple[int, int], ...] = COMBINATIONS
    eval_tasks: int = 200
    full_graphs: bool = True


@dataclass(frozen=True)
class Machine:
    """The limits of a build. They do not change its contents, except which units give up.

    `retry`: try again the units that an earlier run gave up. `unit_seconds`: processor time.
    """

    workers: int = 2
    retry: bool = False
    unit_seconds: float = 120.0
    unit_memory_bytes: int = 6 << 30


@dataclass(frozen=True)
class BuildStep:
    """One unit is done: the stage, its place in it, and what went wrong with it."""

    stage: str
    done: int
    total: int
    key: str
    failure: str | None
    resumed: int


Report = Callable[[BuildStep], None]


@dataclass
class Summary:
    """The results of a build, stage by stage. `costs` covers all units, also of earlier runs.

    A cost is the processor seconds and the largest memory of one unit. `stage_seconds` is the wall time of this run.
    """

    models: dict[str, int] = field(default_factory=dict)
    models_cut: int = 0
    full_graphs: int = 0
    full_structures: int = 0
    structures: dict[str, int] = field(default_factory=dict)
    variants: int = 0
    drops: dict[str, dict[str, int]] = field(default_factory=dict)
    failed_units: dict[str, int] = field(default_factory=dict)
    costs: dict[str, Mapping[str, float]] = field(default_factory=dict)
    stage_seconds: dict[str, float] = field(default_factory=dict)


def versions() -> dict[str, str]:
    """Versions of the installed libraries that decide what a model's graph is."""
    found = {}
    for name in _LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
