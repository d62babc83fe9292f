"""Tells whether what the modules of a pass set keep is another value than before: numbers, flags, entries, places.

A pass may keep what it finds out once about shapes. A value that still changes while calls of the same shapes go on can
tell one call from another: it counts calls, or those with unusual inputs.
"""

from __future__ import annotations

import array
import ctypes
import gc
import hashlib
import itertools
import math
import mmap
import struct
import types
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from passnet.rewrite.rules.kept_memory import PLAIN_HOMES, Walk, bytes_seen, is_array, is_of_module, roots_of
from passnet.rewrite.rules.table_places import places_of_dict, places_of_set

# What tells one value from another of the same kind. Of a NaN all bits do.
_PLAIN: Mapping[type, Callable[[Any], bytes]] = {
    bool: lambda value: b"1" if value else b"",
    int: lambda value: int.__format__(value, "x").encode(),
    float: lambda value: struct.pack("d", value),
    complex: lambda value: struct.pack("dd", complex.real.__get__(value), complex.imag.__get__(value)),
    str: lambda value: str.encode(value, errors="surrogatepass"),
    bytes: bytes.__bytes__,
    range: lambda value: range.__repr__(value).encode(),
    **dict.fromkeys(
        (torch.dtype, torch.device, torch.layout, torch.memory_format, torch.finfo, torch.iinfo, type(None)),
        lambda value: repr(value).encode(),
    ),
}
# Of these Python makes new objects with equal values, and a text may ask which one it has. Small numbers are made once.
_MADE_ANEW: tuple[type, ...] = (int, float, complex, str, bytes, range)
_SMALL = range(-5, 257)
_ITEMS: tuple[Any, ...] = (list, tuple, set, frozenset, deque)
# A few bytes of these may be kept.
_BUFFERS: tuple[Any, ...] = (bytearray, memoryview, array.array, mmap.mmap, ctypes.c_int.__mro__[-2])
# A library's own, wherever it is met.
_LIBRARYS = (types.ModuleType, types.CodeType)
_DESCRIPTORS: tuple[Any, ...] = (
    *(types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType),
    *(types.GetSetDescriptorType, types.MemberDescriptorType),
)
# Objects of a library that hold what a pass gave, under any of their names but those under which they write themselves
# while they work.
_GIVEN_BACK: Mapping[str, frozenset[str]] = {
    "triton.runtime.autotuner.Config": frozenset(),
    "triton.runtime.autotuner.Autotuner": frozenset({"nargs", "bench_time", "configs_timings"}),
    "triton.runtime.autotuner.Heuristics": frozenset(),
}
# So do all objects of these homes. Functions do under the names of their decorator's keywords alone.
_GIVING_BACK = ("triton.language.", "triton.tools.")
_FUNCTION = "triton.runtime.jit.JITFunction"
_OF_FUNCTION = frozenset(
    ["version", "do_not_specialize", "do_not_specialize_on_alignment", "debug", "noinline", "_repr", "launch_metadata"]
)
_fresh = itertools.count()


@dataclass(frozen=True)
class KeptLook:
    """What each name holds, as a digest, and which object was met where: its name and number, by its identity."""

    values: Mapping[str, bytes]
    met: Mapping[int, tuple[object, str, int]] = field(default_factory=dict)

    def moved(self, before: KeptLook) -> list[str]:
        """The names of objects that live since `before` and are met in another place.

        Two that are alike may have changed places. Texts, hashes and the order of sets show where an object lies.
        """
        both = [(before.met[key], now) for key, now in self.met.items() if key in before.met]
        return sorted({name for (_, _, place), (_, name, number) in both if place != number})


def look(modules: Sequence[types.ModuleType], wrappers: Sequence[object] = ()) -> KeptLook:
    """What the names of `modules`, and the `wrappers` from them, hold now.

    Objects of libraries count by which object they are, and caches of functions by their entries.
    """
    walk, values = _Values({id(module.__dict__): module for module in modules}), dict[str, bytes]()
    for value in vars(math).values():  # which a text may compare by identity, as its own
        walk.numbers.setdefault(id(value), len(walk.numbers))
    met: dict[int, tuple[object, str, int]] = {}
    for name, value in roots_of(modules, wrappers):
        known = len(walk.numbers)
        values[name] = walk.digest(value)
        for key, number in itertools.islice(walk.numbers.items(), known, None):
            met[key] = (walk.seen[key], name, number)
    return KeptLook(values, met)


def values_of(modules: Sequence[types.ModuleType], wrappers: Sequence[object] = ()) -> Mapping[str, bytes]:
    """A digest of what each name of `modules`, and each of the `wrappers` from them, holds now."""
    return look(modules, wrappers).values


@dataclass
class KeptValues:
    """Compares what is kept after each block of calls with what was kept before it.

    `kinds`: those of blocks that were seen. The first of a kind may still find things out.
    """

    kinds: set[str] = field(default_factory=set)
    _last: KeptLook = field(default_factory=lambda: KeptLook({}))

    def changed(self, kind: str, now: KeptLook) -> list[str]:
        """The names whose values changed in a block of this kind, and may not. `now`: a look after it."""
        last, self._last = self._last, now
        if kind not in self.kinds:
            self.kinds.add(kind)
            return []
        names = {**last.values, **now.values}
        return [name for name in names if last.values.get(name) != now.values.get(name)] or now.moved(last)


@dataclass
class _Values(Walk):
    """One walk over all that the modules reach, in an order that follows from the values alone."""

    numbers: dict[int, int] = field(default_factory=dict)

    def digest(self, root: object) -> bytes:
        found, pending = hashlib.blake2b(digest_size=16), [root]
        while pending:
            token, inside = self._read(pending.pop())
            found.update(b"%d %s;" % (len(token), token))
            pending += reversed(inside)
        return found.digest()

    def _read(self, value: Any) -> tuple[bytes, Sequence[object]]:
        """What a value is by itself, and the values in it."""
        kind = type(value)
        for plain, read in _PLAIN.items():
            if issubclass(kind, plain):
                token = b"%d %s%s" % (id(kind), read(value), self._which(kind, value))
                return token, () if kind in _PLAIN else self._attributes(value)
        if id(value) in self.numbers:
            return b"@%d" % self.numbers[id(value)], ()
        self.numbers[id(value)] = len(self.numbers)
        self.seen[id(value)] = value
        return b"%d" % id(kind), self._inside(kind, value)

    def _which(self, kind: type, value: Any) -> bytes:
        """Which one of equal values this is, by where it was met first."""
        if kind not in _MADE_ANEW or (kind is int and value in _SMALL):
            return b""
        self.seen[id(value)] = value
        return b"@%d" % self.numbers.setdefault(id(value), len(self.numbers))

    def _inside(self, kind: type, value: Any) -> Sequence[object]:
        container = self._of_container(kind, value)
        if container is not None:
            return container
        reader = next((read for kinds, read in _READERS if issubclass(kind, kinds)), None)
        if reader is not None:
            return reader(self, value)
        base = next((base for base in kind.__mro__ if not self.is_own_class(base)), object)
        is_pythons = base.__module__ in PLAIN_HOMES
        if not is_pythons and not self.is_own_class(kind):
            return [id(value), *_given(value)]
        place = _place(base, value) if is_pythons else ()
        return [*place, *self._attributes(value), *self.referents(value)]

    def _attributes(self, value: object) -> list[object]:
        """What an object has under which name. Its class is not asked, which could say something else.

        An exception has a number that is neither a member nor anything that it refers to.
        """
        found: list[object] = []
        is_exception = issubclass(type(value), BaseException)
        for base in type(value).__mro__:
            for name, place in list(vars(base).items()):
                kind = type(place)
                asked = name == "__dict__" or (is_exception and not name.startswith("__"))
                if kind is types.MemberDescriptorType or (asked and kind is types.GetSetDescriptorType):
                    try:
                        found += [name, place.__get__(value)]
                    except AttributeError:  # a slot that holds nothing
                        found.append(name)
        return found

    def referents(self, value: object) -> list[object]:
        """What an object of Python's own, or of a class of the pass, refers to."""
        return [child for child in gc.get_referents(value) if not issubclass(type(child), _LIBRARYS)]

    def _of_container(self, kind: type, value: Any) -> Sequence[object] | None:
        """What lies in a container or a buffer. None for other objects."""
        if issubclass(kind, dict):
            known = id(value) in self.own or is_of_module(value)
            if known:
                return []
            entries = itertools.chain.from_iterable(dict.items(value))
            return [*self._more(kind, dict, value), places_of_dict(value), *entries]
        for items in _ITEMS:
            if issubclass(kind, items):
                places = [places_of_set(value)] if items is set else []
                return [*self._more(kind, items, value), *places, *items.__iter__(value)]
        if issubclass(kind, _BUFFERS) or is_array(kind):
            return _bytes_in(value)
        return None

    def _more(self, kind: type, items: Any, value: Any) -> list[object]:
        """How many things are in a container, and the attributes of one of the pass's own class."""
        own = kind is not items and self.is_own_class(kind)
        return [items.__len__(value), *(self._attributes(value) if own else ())]


def _bytes_in(value: Any) -> list[object]:
    """What lies in a buffer. NumPy shows the bytes of a time only when it is asked itself."""
    if is_array(type(value)):
        return [value.tobytes()]
    return [memoryview(value).tobytes()] if not isinstance(value, memoryview) or bytes_seen(value) else []


def _place(base: Any, value: Any) -> Sequence[object]:
    """Where an iterator of Python's is. Nothing shows it but what the iterator would be copied by, of which the numbers
    say it. All else there is made anew, or what the iterator refers to.
    """
    if not hasattr(base, "__next__"):
        return ()
    try:
        return list(_numbers_in(base.__reduce__(value)))
    except TypeError:  # Python copies it no longer, so nobody can say where it is
        return [next(_fresh)]


def _numbers_in(value: Any) -> Iterator[object]:
    if type(value) in _PLAIN:
        yield value
    elif type(value) in (tuple, list):
        yield len(value)
        for part in value:
            yield from _numbers_in(part)


def _given(value: Any) -> Sequence[object]:
    """What a pass gave to an object of a library that gives it back, and could write to."""
    kind = type(value)
    home = f"{kind.__module__}.{kind.__name__}"
    if not (home in _GIVEN_BACK or home == _FUNCTION or home.startswith(_GIVING_BACK)):
        return []
    held = dict(getattr(value, "__dict__", {}))
    names = held.keys() & _OF_FUNCTION if home == _FUNCTION else held.keys() - _GIVEN_BACK.get(home, frozenset())
    return [part for name in sorted(names) for part in (name, held[name])]


def _of_generator(walk: _Values, value: Any) -> list[object]:
    """Where it is, its variables, and what it was about to use."""
    frame = value.gi_frame
    return [] if frame is None else [frame.f_lasti, *walk.referents(value)]


def _of_function(walk: _Values, value: Any) -> list[object]:
    if id(value.__globals__) not in walk.own:  # one that a decorator of a library made leads to the function below it
        return [id(value), *([value.__dict__, value.__closure__] if "__wrapped__" in value.__dict__ else ())]
    parts = (value.__closure__, value.__defaults__, value.__kwdefaults__, value.__dict__)
    return [id(value.__code__), *parts, *_constants(value.__code__)]


def _constants(code: types.CodeType) -> list[object]:
    """The numbers and texts of a function's text: what is kept may be one of them, or equal to one."""
    found = list[object]()
    for constant in code.co_consts:
        found += _constants(constant) if isinstance(constant, types.CodeType) else [constant]
    return found


def _of_tensor(walk: _Values, value: Any) -> list[object]:
    asked = (value.requires_grad, value.is_leaf, value.is_conj(), value.is_neg())
    form = f"{tuple(value.shape)} {value.stride()}"
    return [form, value.storage_offset(), value._version, *asked]


def _of_class(walk: _Values, value: Any) -> list[object]:
    return [part for pair in vars(value).items() for part in pair] if walk.is_own_class(value) else [id(value)]


_READERS: tuple[tuple[Any, Callable[[_Values, Any], list[object]]], ...] = (
    (_LIBRARYS, lambda walk, value: [id(value)]),
    (_DESCRIPTORS, lambda walk, value: [id(value)]),
    (types.BuiltinMethodType, lambda walk, value: [value.__name__, *walk.referents(value)]),
    (types.GeneratorType, _of_generator),
    (types.FunctionType, _of_function),
    (torch.Tensor, _of_tensor),
    (type, _of_class),
)
