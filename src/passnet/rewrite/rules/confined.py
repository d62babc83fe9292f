"""Gives a pattern nothing to name but what a graph may hold, so that no object of its author's meets a recording value.

A text is read before. What a name means is decided here once more, by the value that it has.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator, Mapping
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import torch

from passnet.rewrite.rules.trace import MOST_NESTED

_LIBRARIES = frozenset({"torch", "math", "operator", "_operator"})
_PLAIN = (
    int, float, complex, bool, str, type(None), type(...), torch.dtype, torch.device, torch.layout, torch.memory_format,
    torch.Size, torch.Tensor,
)  # fmt: skip
_OPERATORS = (torch._ops.OpOverload, torch._ops.OpOverloadPacket, torch._ops._OpNamespace, type(torch.ops))


def confined(function: Callable[..., object]) -> Callable[..., object]:
    """A copy of a function whose global names are literals, parts of torch, math and operator, and functions like it.

    Any other name is unknown to it. Lists are copies. What is no plain function is returned as it is.
    """
    return _copied(function, {}) if type(function) is FunctionType else function


def _copied(function: FunctionType, made: dict[int, FunctionType]) -> FunctionType:
    if id(function) in made:
        return made[id(function)]
    names: dict[str, Any] = {"__builtins__": function.__globals__.get("__builtins__", builtins)}
    copy = FunctionType(function.__code__, names, function.__name__, None, function.__closure__)
    made[id(function)] = copy
    for name in set(_names(function.__code__)) & function.__globals__.keys():
        kept, value = _kept(function.__globals__[name], made)
        if kept:
            names[name] = value
    copy.__module__, copy.__qualname__, copy.__doc__ = function.__module__, function.__qualname__, function.__doc__
    copy.__annotations__ = dict(function.__annotations__)
    copy.__defaults__, copy.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return copy


def _names(code: CodeType) -> Iterator[str]:
    """The global names that a function and the functions inside it may ask for."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _kept(value: object, made: dict[int, FunctionType], depth: int = 0) -> tuple[bool, object]:
    """Whether a pattern may have a value, and the value. It may not have a list that lies in itself."""
    if type(value) in _PLAIN:
        return True, value
    if type(value) in (tuple, list):
        if depth > MOST_NESTED:
            return False, None
        parts = [_kept(part, made, depth + 1) for part in value]  # type: ignore[attr-defined]  # both can be gone through
        return all(kept for kept, _ in parts), type(value)(part for _, part in parts)  # type: ignore[call-arg]
    if type(value) is FunctionType and not _is_of_library(value):
        plain = value.__closure__ is None and all(_kept(each, made)[0] for each in _defaults(value))
        return plain, _copied(value, made) if plain else None
    return _is_of_library(value), value


def _defaults(function: FunctionType) -> tuple[object, ...]:
    return (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())


def _is_of_library(value: object) -> bool:
    """Whether a value is a module, a function or a class of the libraries whose functions a graph may call."""
    kind = type(value)  # `isinstance` would ask the value
    if issubclass(kind, _OPERATORS):
        return True
    if kind is ModuleType:
        return _is_loaded(value, vars(value))
    if kind is FunctionType:
        return _is_loaded(None, value.__globals__) or _is_at_home(value)  # type: ignore[attr-defined]
    if kind is BuiltinFunctionType:
        owner = value.__self__  # type: ignore[attr-defined]
        of_class = issubclass(type(owner), type) and _root(owner.__module__) in _LIBRARIES
        return owner is None or of_class or _is_of_library(owner) or _is_at_home(value)
    return issubclass(kind, type) and _is_at_home(value)


def _is_loaded(module: object, names: Mapping[str, object]) -> bool:
    """Whether these are the names of a module of the libraries, as Python has it."""
    name = str(names.get("__name__"))
    found = sys.modules.get(name) if _root(name) in _LIBRARIES else None
    return found is not None and (found is module or vars(found) is names)


def _is_at_home(value: Any) -> bool:
    """Whether a library has a function or a class under its own name, where it says that it is."""
    root, *parts = str(value.__module__).split(".")
    home = sys.modules.get(root) if root in _LIBRARIES else None
    for part in parts:
        home = getattr(home, part, None)
    return home is not None and getattr(home, value.__name__, None) is value


def _root(name: object) -> str:
    return str(name).partition(".")[0]
