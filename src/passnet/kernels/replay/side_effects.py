"""Effects of a wrapper besides tensor operations and launches: the functions it calls, and the state it changes.

A replayed call skips the wrapper's own Python code. That is right only if this code depends on nothing but the shapes,
and changes nothing: no printing, no clock, no random numbers, no files, no counters.
"""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from passnet.kernels.compilation.registry import registry
from passnet.kernels.replay.allowlist import BUILTINS, MODULES, TORCH_CUDA, TORCH_MODULES, TORCH_NATIVE

_RECORDER = "passnet.kernels.replay.recorder"
# Code of these packages is not the wrapper's own. The wrapper's calls into it are checked below.
_TRUSTED = frozenset({"torch", "triton", "passnet"})
_CONTAINERS = (str, bytes, int, float, bool, tuple, list, dict, set, frozenset, range, slice, type(None))
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()), types.MappingProxyType)
_DEEPEST, _MOST = 6, 20_000


class Supervision:
    """While open, calls `refuse` with a reason when code of this thread calls something that cannot be replayed.

    `busy` says that the running code is not the wrapper's. This is a class, because the end of a generator would be
    checked as code too. Garbage collection is off meanwhile: finalizers and collection callbacks would seem to be the
    wrapper's.
    """

    def __init__(self, refuse: Callable[[str], None], busy: Callable[[], bool]) -> None:
        self.refuse, self.busy = refuse, busy
        self.known = {id(checked) for library in registry.libraries for _, checked, _ in library.functions}

    def __enter__(self) -> None:
        self.before, self.collects = sys.getprofile(), gc.isenabled()
        gc.disable()
        sys.setprofile(self._look)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self.before)
        if self.collects:
            gc.enable()

    def _look(self, frame: types.FrameType, event: str, argument: Any) -> None:
        if self.busy():
            return
        name = None
        if event == "c_call" and id(argument) not in self.known and _own(frame):
            name = _native_problem(argument)
        elif event == "call" and frame.f_back is not None and _own(frame.f_back):
            name = _python_problem(frame)
        if name is not None:
            self.refuse(f"calls {name}, whose effects cannot be recorded")


def _own(frame: types.FrameType | None) -> bool:
    """Whether the frame belongs to the wrapper or to code that it called. Code that a library called for it
    does not.
    """
    own = False
    while frame is not None and _package(frame) not in _TRUSTED:
        frame, own = frame.f_back, True
    return own and (frame is None or _is_root(frame))


def _is_root(frame: types.FrameType) -> bool:
    return frame.f_globals.get("__name__") == _RECORDER and frame.f_code.co_name == "supervise"


def _package(frame: types.FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _native_problem(function: Any) -> str | None:
    """The name of a C function that must not be called. None when it may be called."""
    owner, module, name = getattr(function, "__self__", None), getattr(function, "__module__", None), function.__name__
    if owner is not None and not isinstance(owner, types.ModuleType):
        return None if _harmless(owner) else f"{type(owner).__name__}.{name}"
    package = str(module or getattr(owner, "__name__", ""))
    if package == "builtins":
        return None if name in BUILTINS else name
    if package.partition(".")[0] == "torch":
        operator = getattr(torch._C._VariableFunctions, name, None) == function or package == "torch._C._nn"
        return None if operator or name in TORCH_NATIVE else f"{package}.{name}"
    return None if package in MODULES else f"{package}.{name}"


def _harmless(owner: Any) -> bool:
    """Methods of containers, and of torch's tensors and functions. The recorder of operators sees the latter."""
    if isinstance(owner, (*_CONTAINERS, *_VIEWS, torch.Tensor)):
        return True
    return isinstance(owner, type) and (owner in _CONTAINERS or owner.__module__.partition(".")[0] == "torch")


def _python_problem(frame: types.FrameType) -> str | None:
    """The name of a Python function of torch that must not be called. None when it may be called."""
    module = str(frame.f_globals.get("__name__", ""))
    if _package(frame) != "torch" or module in TORCH_MODULES:
        return None
    name = frame.f_code.co_qualname
    return None if module == "torch.cuda" and name in TORCH_CUDA else f"{module}.{name}"


def state_of(function: Callable[..., Any]) -> dict[str, object]:
    """State that `function` can reach and change outside its own frame, by place: globals, closures, defaults."""
    found: dict[str, object] = {}
    _Walk(found).function(function, "", 0)
    return found


def changed(before: Mapping[str, object], after: Mapping[str, object]) -> str | None:
    """The first place where two states differ. None when they are equal."""
    for place in sorted(before.keys() | after.keys()):
        if before.get(place, _ABSENT) != after.get(place, _ABSENT):
            return place
    return None


_ABSENT = object()


class _Walk:
    """Visits every object that can be reached, each one once."""

    def __init__(self, found: dict[str, object]) -> None:
        self.found = found
        self.seen: set[int] = set()

    def function(self, function: Any, place: str, depth: int) -> None:
        function = getattr(function, "__func__", function)
        code = getattr(function, "__code__", None)
        if code is None:
            self.value(function, place or type(function).__name__, depth)
            return
        if id(function) in self.seen or _trusted(function):
            return
        self.seen.add(id(function))
        names = set(_names(code))
        for name in sorted(names & function.__globals__.keys()):
            value = function.__globals__[name]
            self.value(value, name, depth + 1)
            if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in _TRUSTED:
                for inside in sorted(names & vars(value).keys()):
                    self.value(vars(value)[inside], f"{name}.{inside}", depth + 1)
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            self.cell(cell, name, depth + 1)
        self.value(function.__defaults__, f"{function.__name__}.__defaults__", depth + 1)
        self.value(function.__dict__, f"{function.__name__}.__dict__", depth + 1)

    def cell(self, cell: types.CellType, place: str, depth: int) -> None:
        try:
            self.value(cell.cell_contents, place, depth)
        except ValueError:  # the variable is not set
            self.found[place] = None

    def value(self, value: Any, place: str, depth: int) -> None:
        if len(self.found) > _MOST:
            return
        if isinstance(value, _CONTAINERS) and not isinstance(value, (tuple, list, dict, set, frozenset)):
            self.found[place] = (type(value), value)
            return
        if isinstance(value, torch.Tensor):
            self.found[place] = (id(value), value._version if not value.is_inference() else 0)
            return
        self.found[place] = (type(value), id(value))
        if id(value) in self.seen or depth > _DEEPEST:
            return
        if isinstance(value, types.FunctionType | types.MethodType):
            self.function(value, place, depth)
            return
        self.seen.add(id(value))
        self.parts(value, place, depth)

    def parts(self, value: Any, place: str, depth: int) -> None:
        if _trusted(type(value)):
            return  # such as compiled kernels by grid
        if isinstance(value, Mapping):
            for key, item in list(value.items()):
                self.value(item, f"{place}[{key!r}]", depth + 1)
        elif isinstance(value, (tuple, list)):
            for index, item in enumerate(value):
                self.value(item, f"{place}[{index}]", depth + 1)
        elif isinstance(value, (set, frozenset)):
            self.found[f"len({place})"] = len(value)
        elif not isinstance(value, type | types.ModuleType):
            self.value(getattr(value, "__dict__", None), f"{place}.__dict__", depth + 1)


def _trusted(thing: Any) -> bool:
    return str(thing.__module__ or "").partition(".")[0] in _TRUSTED


def _names(code: types.CodeType) -> Iterator[str]:
    """Names that a function and the functions inside it use."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
