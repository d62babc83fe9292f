"""Which models a command line means, and in which order they take turns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from passnet.dataset.models import registry
from passnet.dataset.models.source import ModelSource
from passnet.errors import UsageError


@dataclass(frozen=True)
class Model:
    """One model to capture."""

    source: ModelSource
    name: str

    @property
    def key(self) -> str:
        """As in `ModelRecord.key`."""
        return f"{self.source.library}:{self.name}"

    @property
    def place(self) -> str:
        """Where its graphs belong in a published tree, several graphs as `subgraph_<n>` below it."""
        return f"samples/{self.source.library}/{self.name}"

    @property
    def family(self) -> str:
        """As in `ModelSource.family`."""
        return self.source.family(self.name)


def chosen(targets: Sequence[str]) -> list[Model]:
    """The models that `SOURCE`, `SOURCE:MODEL` (with * and ?) or `module:function` stand for, each once.

    Errors: UsageError for an unknown source or model, a library that is missing, and a factory that is not there.
    """
    models: dict[str, Model] = {}
    for target in targets:
        for model in _models(target):
            models.setdefault(model.key, model)
    return list(models.values())


def _models(target: str) -> list[Model]:
    library, _, pattern = target.partition(":")
    if library not in registry.NAMES:
        source = registry.source(target)
        return [Model(source, name) for name in source.names()]
    source = registry.source(library)
    names = [name for name in source.names() if not pattern or name == pattern or fnmatchcase(name, pattern)]
    if not names:
        raise UsageError(f"no model {pattern!r} in {library}", hint=f"passnet capture {library} --list names them all")
    return [Model(source, name) for name in names]


def in_turn(models: Sequence[Model], per_family: int | None = None) -> list[Model]:
    """The first model of every family, then the second of each, ...: a build that is stopped has seen all families.

    `per_family` is how many models of a family each library gives at most. Inside a family the models whose names begin
    with different words take turns too: timm's file of vision transformers holds a dozen kinds of them.
    """
    in_turn_of_kind = [model for _, model in _ranked(sorted(models, key=lambda model: model.key), _kind)]
    ranked = _ranked(in_turn_of_kind, lambda model: (model.source.library, model.family))
    return [model for rank, model in ranked if per_family is None or rank < per_family]


def _kind(model: Model) -> tuple[str, ...]:
    return model.source.library, model.family, re.split(r"[^a-z]", model.name.lower(), maxsplit=1)[0]


def _ranked(models: Sequence[Model], group: Callable[[Model], tuple[str, ...]]) -> list[tuple[int, Model]]:
    """The models by their place within their group, equal places by name."""
    seen: Counter[tuple[str, ...]] = Counter()
    rows = []
    for model in models:
        rows.append((seen[group(model)], model))
        seen[group(model)] += 1
    return sorted(rows, key=lambda row: (row[0], row[1].key))
