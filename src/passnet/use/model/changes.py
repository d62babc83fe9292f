"""Notices that a model is another one than the one that was traced: other parts, another state, new values."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter, getitem, is_not
from typing import Any

import torch
from torch import nn
from torch._C._dynamo.guards import dict_version

from passnet.logs import logger

log = logger(__name__)
_dtype, _version = attrgetter("dtype"), attrgetter("_version")
_PARTS = ("_parameters", "_buffers", "_modules")
_HOOKS = ("_forward_pre_hooks", "_forward_hooks")
_TORCHS = frozenset(vars(nn.Module())) - {"training"}
_CONTAINERS = (dict, OrderedDict, defaultdict, list, deque, set)
_FEW = 64


class ModelWatch:
    """Checks in every call whether the model is still what it was.

    It looks at each module's parameters, buffers and submodules, at `training` and all other attributes of the
    instance, and at hooks of submodules. Lists, sets and dictionaries of at most 64 items are looked into, and those in
    them. A tensor must be the same object, and a number or text an equal one.

    Comparisons of dictionaries do most of this, which pass over the same objects fast. Attributes are compared where
    Python counts a change of their dictionary. Torch has hooks that report changes, but Dynamo sees them: other
    compiled models would then depend on the watched modules.
    """

    def __init__(self, model: nn.Module, *, every: bool, values: bool = False, rebound: Collection[str] = ()) -> None:
        """Dtypes are compared of all parameters and buffers, or else of two, which `model.to(dtype)` changes too.

        `values`: notice too that a parameter or buffer was written in place, by torch's own counter of its versions.
        `rebound`: what the first call binds, which is not looked at ("block.cache").
        """
        modules = {path: module for path, module in model.named_modules() if not _is_scripted(module)}
        parts = [getattr(module, kind) for module in modules.values() for kind in _PARTS]
        hooks = [getattr(module, kind) for module in modules.values() if module is not model for kind in _HOOKS]
        own = [(path, home, name) for path, home, name in _attributes(modules) if path not in rebound]
        self._own = [(path, home, name, home[name]) for path, home, name in own]
        containers = list(_containers([(path, value) for path, _, _, value in self._own], rebound))
        self._inner = [(path, value, value.copy()) for path, value in containers]

        # A tensor of one element may be equal to another: what holds it is left to Python's count of changes.
        loose = [home for home in parts if any(map(_may_equal, home.values()))]
        others = set(map(id, loose))
        looked = [*parts, *hooks, *(value for _, value in containers)]
        self._homes = [home for home in looked if home and id(home) not in others]
        self._held = [home.copy() for home in self._homes]
        self._empty = [home for home in looked if not home]

        binds = {name.rpartition(".")[0] for name in rebound}
        self._counted = [*map(vars, modules.values()), *loose]
        self._counts = list(map(dict_version, self._counted))
        self._sized = [*loose, *(vars(module) for path, module in modules.items() if path not in binds)]
        self._sizes = list(map(len, self._sized))
        self._owners = [home for _, home, _ in own] + [home for home in loose for _ in home]
        self._names = [name for _, _, name in own] + [name for home in loose for name in home]
        self._values = list(map(getitem, self._owners, self._names))

        places = [(home, key, home[key]) for home in self._homes for key in _keys(home)]
        self._same = [*places, *zip(self._owners, self._names, self._values, strict=True)]
        self._ask_first([place for place in places if _may_equal(place[2])])
        found = [part for home in parts for part in home.values() if isinstance(part, torch.Tensor)]
        floats = [part for part in found if part.is_floating_point()]
        self._typed = floats if every else [*floats[:1], *floats[1:][-1:]]
        self._dtypes = list(map(_dtype, self._typed))
        self._written = [part for part in found if not part.is_inference()] if values else []
        self._versions = list(map(_version, self._written))
        self._told = False

    def changed(self) -> bool:
        """Whether the model is another one now. The first time it is, that is logged."""
        try:
            if not (
                (self._exact and any(map(is_not, map(getitem, self._where, self._which), self._exact)))
                or self._homes != self._held
                or any(self._empty)
                or (list(map(dict_version, self._counted)) != self._counts and self._attributes_changed())
                or list(map(_dtype, self._typed)) != self._dtypes
                or (self._written and list(map(_version, self._written)) != self._versions)
            ):
                return False
        except Exception:  # noqa: BLE001  a name is gone, or two values cannot be compared: so they are others
            pass
        self._tell()
        return True

    def _attributes_changed(self) -> bool:
        """Whether attributes are others, and not only set to what they were."""
        counts, now = list(map(dict_version, self._counted)), list(map(getitem, self._owners, self._names))
        if any(map(_is_other, now, self._values)) or list(map(len, self._sized)) != self._sizes:
            return True
        self._counts = counts
        return False

    def _ask_first(self, places: Sequence[tuple[Any, Any, Any]]) -> None:
        """These are asked first whether they are the same objects, so their values are never compared."""
        self._where, self._which = [home for home, _, _ in places], [key for _, key, _ in places]
        self._exact = [value for _, _, value in places]

    def _tell(self) -> None:
        if self._told:
            return
        self._told = True
        # No later call compares the values of replaced tensors.
        self._ask_first([place for place in self._same if _is_followed(place[2])])
        others = [path for path, home, name, value in self._own if _is_other(home.get(name), value)]
        others += [path for path, container, held in self._inner if _differs(container, held)]
        what = repr(others[0]) if others else "parts or attributes"
        log.warning("the model's %s changed after passes were applied to it, so it runs without them", what)


def _is_scripted(module: nn.Module) -> bool:
    """Dynamo traces no such module."""
    return isinstance(module, torch.jit.ScriptModule)


def _attributes(modules: Mapping[str, nn.Module]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """All that instances hold besides what torch keeps of its own: in words, in which dictionary, by which name."""
    for path, module in modules.items():
        for name in vars(module):
            if name not in _TORCHS:
                yield f"{path}.{name}" if path else name, vars(module), name


def _containers(
    values: Iterable[tuple[str, Any]], rebound: Collection[str], *, levels: int = 2
) -> Iterator[tuple[str, Any]]:
    """Small lists, sets and dictionaries among some values, and those in them."""
    for path, value in values:
        if type(value) not in _CONTAINERS or len(value) > _FEW:
            continue
        if any(name == path or name.startswith(f"{path}.") for name in rebound):
            continue
        yield path, value
        if levels > 1:
            inside = [(f"{path}.{key}", value[key]) for key in _keys(value)]
            yield from _containers(inside, rebound, levels=levels - 1)


def _keys(container: Any) -> Iterable[Any]:
    """What the items are got by; those of a set by nothing."""
    if isinstance(container, dict):
        return container
    return () if isinstance(container, set) else range(len(container))


def _is_followed(value: object) -> bool:
    """Whether this must stay the same object: what is equal now may be another value later."""
    return isinstance(value, torch.Tensor) or type(value) in _CONTAINERS


def _may_equal(value: object) -> bool:
    """Whether this must stay the same object, and `==` may call it equal to another one.

    Of a tensor of several elements torch refuses to say that it is equal.
    """
    if isinstance(value, torch.Tensor) and type(value) in (torch.Tensor, nn.Parameter):
        return value.is_nested or value.numel() <= 1
    return _is_followed(value)


def _is_other(now: object, before: object) -> bool:
    if now is before or _is_followed(before):
        return now is not before
    return type(now) is not type(before) or _differs(now, before)


def _differs(one: Any, other: Any) -> bool:
    try:
        return bool(one != other)
    except Exception:  # noqa: BLE001  objects of others compare as they like
        return True
