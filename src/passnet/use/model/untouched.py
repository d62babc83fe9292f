"""Runs a model and then restores everything that the call changed besides its result."""

from __future__ import annotations

import contextlib
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import nn
from torch.utils import _pytree as pytree

from passnet.errors import UsageError
from passnet.use.model.copies import copy_of, has_strides, same_bytes

_MAPPINGS = (dict, OrderedDict, defaultdict)
_OTHERS = (list, deque, set)
_OF_MODULES = ("_parameters", "_buffers", "_modules")
_GONE = object()


@contextlib.contextmanager
def untouched(model: nn.Module | None, inputs: object) -> Iterator[None]:
    """The model (`Kept`) and the random state of its devices are afterwards as before, also after an error."""
    kept = Kept(model)
    with torch.random.fork_rng(devices=_cuda_devices(inputs)):
        try:
            yield
        finally:
            kept.restore()


class Kept:
    """What a model holds now: what its modules' names stand for, and the content of all its tensors but parameters.

    Lists, dictionaries and sets in it are followed. Other objects are taken to be constant. Errors: UsageError for a
    model that gets its shapes in its first call, which makes other modules of its own.
    """

    def __init__(self, model: nn.Module | None) -> None:
        self._held: dict[int, tuple[str, Any, Any]] = {}
        self._contents: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
        if model is not None:
            _require_shapes(model)
            self._keep("", model)
            for buffer in model.buffers():  # of a scripted model too, which has no dictionaries
                self._keep_content(buffer)

    def restore(self) -> None:
        """Make the model what it was."""
        for _, holder, before in self._held.values():
            if _items(holder) != _items(before):
                _refill(holder, before)
        with torch.no_grad():
            for tensor, before in self._contents.values():
                if not same_bytes(tensor, before):
                    tensor.copy_(before)

    def rebound(self) -> list[str]:
        """The names that stand for other values now, in words: "buffer norm.mean". Equal values are not other ones."""
        found = []
        for path, holder, before in self._held.values():
            if type(holder) not in _MAPPINGS:
                if _items(holder) != _items(before) and not _alike(list(holder), list(before)):
                    home, _, name = path.rpartition(".")
                    found.append(_worded(home, name))
                continue
            for name in {**before, **holder}:
                if not _alike(holder.get(name, _GONE), before.get(name, _GONE)):
                    found.append(_worded(path, str(name)))
        return found

    def _keep(self, path: str, value: Any) -> None:
        if isinstance(value, torch.Tensor):
            self._keep_content(value)
        if isinstance(value, nn.Module):
            value = value.__dict__
        if type(value) not in (*_MAPPINGS, *_OTHERS) or id(value) in self._held:
            return
        self._held[id(value)] = (path, value, value.copy())
        each = value.items() if type(value) in _MAPPINGS else enumerate(value)
        for name, item in each:
            self._keep(f"{path}.{name}" if path else str(name), item)

    def _keep_content(self, tensor: torch.Tensor) -> None:
        if id(tensor) in self._contents or isinstance(tensor, nn.Parameter) or not has_strides(tensor):
            return
        self._contents[id(tensor)] = (tensor, copy_of(tensor))


def _require_shapes(model: nn.Module) -> None:
    if any(map(nn.parameter.is_lazy, (*model.parameters(), *model.buffers()))):
        name = type(model).__name__
        raise UsageError("the model has parameters without shapes", field=name, hint="call it once before")


def _items(holder: Any) -> list[Any]:
    """The identities of what a list, dictionary or set holds, in order."""
    if type(holder) in _MAPPINGS:
        return [(name, id(item)) for name, item in holder.items()]
    return sorted(map(id, holder)) if type(holder) is set else list(map(id, holder))


def _refill(holder: Any, before: Any) -> None:
    """At no time is a name gone that was there: Ctrl-C may come between two steps."""
    if type(holder) in _MAPPINGS:
        holder.update(before)
        for name in [name for name in holder if name not in before]:
            del holder[name]
        if list(holder) != list(before):
            for name in before:
                holder[name] = holder.pop(name)
    elif type(holder) is list:
        holder[:] = before
    else:
        holder.clear()
        (holder.update if type(holder) is set else holder.extend)(before)


def _alike(one: Any, other: Any) -> bool:
    if one is other or type(one) is not type(other):
        return one is other
    if isinstance(one, torch.Tensor):
        form = one.shape == other.shape and one.dtype is other.dtype and one.device == other.device
        return form and has_strides(one) and not one.is_meta and bool(torch.equal(one, other))
    if type(one) in _MAPPINGS:
        return one.keys() == other.keys() and all(_alike(one[name], other[name]) for name in one)
    if type(one) in (list, tuple, deque):
        return len(one) == len(other) and all(map(_alike, one, other))
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001  objects of others compare as they like
        return False


def _worded(path: str, name: str) -> str:
    """`norm._buffers` and `mean` as "buffer norm.mean"."""
    home, _, kind = path.rpartition(".")
    kinds = dict(zip(_OF_MODULES, ("parameter ", "buffer ", "module "), strict=True))
    inside = ".".join(part for part in home.split(".") if part not in _OF_MODULES)
    if kind in kinds:
        return f"{kinds[kind]}{inside}{'.' if inside else ''}{name}"
    place = ".".join(part for part in path.split(".") if part not in _OF_MODULES)
    return f"{place}{'.' if place else ''}{name}"


class ArgumentWritten(Exception):
    """An argument is another one after a call with passes, and the same after the model's own."""

    def __init__(self, place: int) -> None:
        super().__init__(f"the passes write into argument {place}, and the model does not")


def _cuda_devices(inputs: object) -> Sequence[int]:
    found = {
        leaf.device.index for leaf in pytree.tree_leaves(inputs) if isinstance(leaf, torch.Tensor) and leaf.is_cuda
    }
    return sorted(index for index in found if index is not None)
