"""Finds memory that the modules of a pass set keep between calls, by following the objects that they hold.

A pass may keep compiled kernels and launch plans. If its modules reach tensors, arrays or buffers, a call could return
results of an earlier call.
"""

from __future__ import annotations

import array
import ctypes
import gc
import mmap
import sys
import types
import typing
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

PACKAGE_PREFIX = "passnet_passes_"
SMALL_BYTES = 64  # a few numbers for a call's arguments
# More than a pass file writes out: texts and bytes, entries of one container, objects in all.
MOST_LITERAL_BYTES = 1 << 20
MOST_ENTRIES = 1 << 14
MOST_OBJECTS = 300_000


def bytes_seen(view: memoryview) -> int:
    """The bytes that a view shows. One that was released shows none."""
    try:
        return view.nbytes
    except ValueError:
        return 0


Size = Callable[[Any], int]
_DATA: tuple[tuple[type, Size, int], ...] = (
    (bytearray, bytearray.__len__, SMALL_BYTES),
    (mmap.mmap, mmap.mmap.__len__, SMALL_BYTES),
    (array.array, lambda value: 8 * array.array.__len__(value), SMALL_BYTES),
    (memoryview, bytes_seen, SMALL_BYTES),
    (str, str.__len__, MOST_LITERAL_BYTES),
    (bytes, bytes.__len__, MOST_LITERAL_BYTES),
    (int, lambda value: int.bit_length(value) // 8, SMALL_BYTES),
)
"""Kinds of memory: the bytes of an object, asked past the methods of a class of the pass, and how many it may have."""
_CTYPES: Any = ctypes.c_int.__mro__[-2]  # what every ctypes object is, pointers and arrays included
PLAIN_HOMES = frozenset({"builtins", "collections", "functools", "itertools", "types", "typing", "weakref"})
# An argument of a `typing` subscript lives on in a cache of the process. No module of a pass leads to that cache.
_TYPING_CACHES = tuple(clear.__self__.cache_info for clear in typing._cleanups)  # type: ignore[attr-defined]
_CONTAINERS = (list, tuple, set, frozenset, dict, deque)
_MEMORY = (torch.Tensor, torch.UntypedStorage, *(base for base, _, _ in _DATA), _CTYPES, *_CONTAINERS)
# Containers of numba's: their memory is numba's own, so nobody sees what is in them.
_UNSEEN = frozenset({"numba.typed.typedlist", "numba.typed.typeddict", "numba.experimental.jitclass.boxing"})
_ATOMS = frozenset((float, complex, bool, type(None), torch.dtype, torch.device, torch.layout, torch.memory_format))
# What Python itself keeps in a module.
_PYTHONS_OWN = {"__builtins__", "__file__", "__cached__", "__warningregistry__"}
_PYTHONS_OWN |= vars(types.ModuleType("")).keys() - {"__doc__"}  # which a file may bind
_CODE = (types.CodeType, types.MethodDescriptorType, types.WrapperDescriptorType)


def pass_modules() -> tuple[types.ModuleType, ...]:
    """The modules of the pass sets that this process has loaded."""
    return tuple(_loaded().values())


def modules_of(functions: Sequence[object]) -> tuple[types.ModuleType, ...]:
    """All modules of the pass sets that define some of the functions. The modules are not asked about themselves."""
    namespaces = {id(getattr(function, "__globals__", None)) for function in functions}
    packages = {_package(name) for name, module in _loaded().items() if id(module.__dict__) in namespaces}
    return tuple(module for name, module in _loaded().items() if _package(name) in packages)


def _loaded() -> dict[str, types.ModuleType]:
    names = sorted(name for name in list(sys.modules) if name.startswith(PACKAGE_PREFIX))
    return {name: sys.modules[name] for name in names}


def _package(name: str) -> str:
    return name.partition(".")[0]


def typing_uses() -> int:
    """How often caches of `typing` were asked in this process: a call that raises the number may keep things there."""
    return sum(info().hits + info().misses for info in _TYPING_CACHES)


def held_memory(modules: Sequence[types.ModuleType], wrappers: Sequence[object] = ()) -> list[str]:
    """Memory that `modules`, and the `wrappers` from them, keep. One line each.

    The search follows globals, attributes, items, closures, defaults, caches, generators and exceptions. It enters
    objects of libraries only where a pass can have put something into them.
    """
    walk = Walk({id(module.__dict__): module for module in modules})
    found = [f"{name} holds {what}" for name, value in roots_of(modules, wrappers) for what in walk.below(value)]
    if walk.visited > MOST_OBJECTS:
        found.append(f"the modules hold more than {MOST_OBJECTS} objects and numbers")
    return found


def roots_of(modules: Sequence[types.ModuleType], wrappers: Sequence[object] = ()) -> list[tuple[str, object]]:
    """What the modules hold, by its name in its file, and the wrappers."""
    roots = [
        (f"{module.__name__.rpartition('.')[2]}.{name}", value)
        for module in modules
        for name, value in list(module.__dict__.items())
        if name not in _PYTHONS_OWN
    ]
    return roots + [(f"wrapper {getattr(wrapper, '__name__', '')}".strip(), wrapper) for wrapper in wrappers]


@dataclass
class Walk:
    """One walk over all that the modules reach. `own` are the namespaces of the modules, by identity."""

    own: Mapping[int, types.ModuleType]
    seen: dict[int, object] = field(default_factory=dict)  # kept alive, so that no identity is used twice
    visited: int = 0
    # By the type of an object; all types live as long as the objects that were seen.
    readers: dict[type, Callable[[Walk, Any], list[object]] | None] = field(default_factory=dict)
    plain: dict[type, bool] = field(default_factory=dict)

    def below(self, root: object) -> Iterator[str]:
        """Descriptions of memory at or below an object, each object once in a walk."""
        pending = [(root, False)]
        while pending and self.visited <= MOST_OBJECTS:
            value, foreign = pending.pop()
            self.visited += 1  # a number, or one thing in many places, takes its time in each walk too
            if type(value) in _ATOMS or id(value) in self.seen:
                continue
            self.seen[id(value)] = value
            what = None if self.is_plain(type(value)) else _memory(value, foreign=foreign)
            if what is not None:
                yield what
            else:
                below = self.is_foreign(value, foreign)
                pending += [(child, below) for child in self.children(value)]

    def children(self, value: Any) -> list[object]:
        """The objects that an object holds, without the code and the modules of libraries."""
        kind = type(value)
        if kind not in self.readers:
            self.readers[kind] = next((read for kinds, read in _READERS if issubclass(kind, kinds)), None)
        reader = self.readers[kind]
        if reader is not None:
            return reader(self, value)
        home = type(value).__module__.partition(".")[0]
        if home == "numba" and not self.is_own_class(type(value)):
            return [getattr(value, "py_func", None)]  # the rest is numba's compiler, as large as that is
        if is_array(kind):
            return list(value.flat) if value.dtype.hasobject else [value.base]  # the collector does not see these
        return [child for child in gc.get_referents(value) if child is not type(value)] + [type(value)]

    def is_plain(self, kind: type) -> bool:
        """Whether no object of this type is memory by itself."""
        if kind not in self.plain:
            self.plain[kind] = not issubclass(kind, _MEMORY) and not is_array(kind) and not _is_unseen(kind)
        return self.plain[kind]

    def namespace(self, value: dict[Any, Any]) -> list[object]:
        """Nothing of a module's namespace, which is a root itself."""
        return [] if id(value) in self.own else [*gc.get_referents(value), type(value)]

    def is_foreign(self, value: object, before: bool) -> bool:
        """Whether the objects in this object belong to a library. Plain containers and iterators belong to their
        holder.
        """
        kind = type(value)
        return before if kind.__module__ in PLAIN_HOMES else not self.is_own_class(kind)

    def is_own_class(self, kind: type) -> bool:
        """Whether a class is the pass's: no module outside the set has it under its name."""
        home = sys.modules.get(kind.__module__)
        if home is None or id(home.__dict__) in self.own:
            return True
        place: object = home
        for part in kind.__qualname__.split("."):
            place = getattr(place, part, None)
        return place is not kind and not _is_static(kind)


_READERS: tuple[tuple[Any, Callable[[Walk, Any], list[object]]], ...] = (
    (_CODE, lambda walk, value: []),
    (
        types.ModuleType,
        lambda walk, value: [] if sys.modules.get(value.__name__) is value else [walk.namespace(vars(value))],
    ),
    (
        types.FunctionType,
        lambda walk, value: [
            *(value.__closure__, value.__defaults__, value.__kwdefaults__, value.__dict__),
            [] if is_of_module(value.__globals__) else value.__globals__,
        ],
    ),
    (
        types.FrameType,
        lambda walk, value: list(value.f_locals.values()) if id(value.f_globals) in walk.own else [],
    ),
    (types.TracebackType, lambda walk, value: [value.tb_frame, value.tb_next]),
    (types.GeneratorType | types.CoroutineType, lambda walk, value: list(gc.get_referents(value))),
    (type, lambda walk, value: list(vars(value).values()) if walk.is_own_class(value) else []),
    (dict, Walk.namespace),
)
"""The parts of an object to follow. Of frames and namespaces only those of the pass."""


def is_of_module(namespace: dict[str, Any]) -> bool:
    """Whether these globals are those of an imported module, which is a root itself or a library's."""
    name = dict.get(namespace, "__name__")
    module = sys.modules.get(name) if type(name) is str else None
    return getattr(module, "__dict__", None) is namespace


def _is_static(kind: type) -> bool:
    """Whether a type is made in C, as no class of a pass is."""
    heap_type = 1 << 9
    return not kind.__flags__ & heap_type


def _memory(value: Any, *, foreign: bool) -> str | None:
    """The kind of memory that an object is, in words. None when it is none. Libraries may keep buffers for
    launching.
    """
    kind = type(value)
    if issubclass(kind, torch.Tensor | torch.UntypedStorage):
        return _tensor(value)
    for base, size, most in _DATA:
        if issubclass(kind, base):
            held = size(value)
            return f"a {kind.__name__} of {held} bytes" if held > most and not foreign else None
    if issubclass(kind, _CTYPES) and not foreign:
        held = ctypes.sizeof(value)
        pointer = issubclass(kind, ctypes._Pointer) and bool(value)
        return f"a ctypes {kind.__name__} of {held} bytes" if held > SMALL_BYTES or pointer else None
    entries = next((base.__len__(value) for base in _CONTAINERS if issubclass(kind, base)), 0)
    if entries > MOST_ENTRIES:
        return f"a {kind.__name__} of {entries} entries"
    if is_array(kind) and value.nbytes > SMALL_BYTES:
        return f"an array of {value.nbytes} bytes"
    return f"a {kind.__name__} of numba's" if _is_unseen(kind) else None


def _is_unseen(kind: type) -> bool:
    return any(base.__module__ in _UNSEEN for base in kind.__mro__)


def _tensor(value: Any) -> str | None:
    """A tensor or storage with memory of its own. A subclass is not asked about itself."""
    if type(value) not in (torch.Tensor, torch.nn.Parameter, torch.UntypedStorage):
        return f"a {type(value).__name__}"
    if value.device.type == "meta":
        return None
    storage = value if type(value) is torch.UntypedStorage else value.untyped_storage()
    held = storage.nbytes()  # an empty view can be made as large as that again
    return f"a {type(value).__name__} of {held} bytes" if held else None


def is_array(kind: type) -> bool:
    """Whether a type is numpy's array, or made from it."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and issubclass(kind, numpy.ndarray)
