"""Which models a command line means, and in which order they take turns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Protocol, TypeVar

from passnet.dataset.models import registry
from passnet.dataset.models.source import Domain, ModelSource, domain_of
from passnet.errors import UsageError


class CaptureSubject(Protocol):
    """One unit of a build: a model to capture, or a whole graph that was captured elsewhere.

    `key` is that of its `ModelRecord`. `place` is the place of its graphs in a published tree. Several graphs lie at
    `subgraph_<n>` below it.
    """

    @property
    def name(self) -> str: ...
    @property
    def library(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def domain(self) -> Domain: ...
    @property
    def key(self) -> str: ...
    @property
    def place(self) -> str: ...


S = TypeVar("S", bound=CaptureSubject)


@dataclass(frozen=True)
class Model:
    """One model to capture. See `CaptureSubject`."""

    source: ModelSource
    name: str

    @property
    def key(self) -> str:
        """The same as in `ModelRecord.key`."""
        return f"{self.library}:{self.name}"

    @property
    def place(self) -> str:
        """The place of its graphs in a published tree. Several graphs lie at `subgraph_<n>` below it."""
        return f"samples/{self.library}/{self.name}"

    @property
    def library(self) -> str:
        """The same as in `ModelSource`."""
        return self.source.library

    @property
    def family(self) -> str:
        """The same as in `ModelSource`."""
        return self.source.family(self.name)

    @property
    def domain(self) -> Domain:
        """The same as in `ModelSource`, "other" where that raises."""
        return domain_of(self.source, self.name)


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


def in_turn(models: Sequence[S], per_family: int | None = None) -> list[S]:
    """The first model of every family, then the second of each, ...: a build that is stopped has seen all families.

    `per_family` is how many models of a family each library gives at most. Inside a family the models whose names begin
    with different words take turns too: timm's file of vision transformers holds a dozen kinds of them.
    """
    in_turn_of_kind = [model for _, model in _ranked(sorted(models, key=lambda model: model.key), _kind)]
    ranked = _ranked(in_turn_of_kind, lambda model: (model.library, model.family))
    return [model for rank, model in ranked if per_family is None or rank < per_family]


def _kind(model: CaptureSubject) -> tuple[str, ...]:
    return model.library, model.family, re.split(r"[^a-z]", model.name.lower(), maxsplit=1)[0]


def _ranked(models: Sequence[S], group: Callable[[S], tuple[str, ...]]) -> list[tuple[int, S]]:
    """The models by their place within their group, equal places by name."""
    seen: Counter[tuple[str, ...]] = Counter()
    rows = []
    for model in models:
        rows.append((seen[group(model)], model))
        seen[group(model)] += 1
    return sorted(rows, key=lambda row: (row[0], row[1].key))
