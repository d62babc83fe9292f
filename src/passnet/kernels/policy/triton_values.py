"""Bounds what Triton's compiler meets: numbers, texts, types and kernels, and no object of an author.

Triton calls methods of what a kernel is given, and hands some of them its compiler. What it compares gets Python's own
functions. So whatever an expression of a kernel gives is looked at here, before anything is done with it. Values are
told by type and identity: an object of an author is asked for nothing.
"""

from __future__ import annotations

import ast
import collections
import functools
import inspect
import math
import re
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch

from passnet.authored import expression_text
from passnet.errors import InfrastructureError
from passnet.kernels.policy.breach import KernelPolicyError
from passnet.op_classes import word_set

# Functions and classes of these modules may meet the compiler. They are looked up there again, by name.
_HOMES = re.compile(
    r"triton|triton\.compiler\.code_generator|triton\.runtime\.jit|triton\.(?:experimental\.gluon\.)?language(?:\..+)?"
)
_PLAIN = (int, float, bool, complex, str, bytes, type(None), type(...), type(NotImplemented), torch.dtype)
_SEQUENCES = (tuple, list, torch.Size)
_CLASSES = (int, float, bool, str, tuple, list, range, torch.Tensor)  # the last one as the type of a parameter
_CALLED_CLASSES = (int, float, list, range)
_PYTHONS = (len, isinstance, getattr, hasattr)  # functions that Triton lists. `print`, `min` and `max` are its own
_METHODS = (types.BuiltinMethodType, types.MethodWrapperType)
_FUNCTIONS = (types.FunctionType, types.MethodType, *_METHODS)
_FORMATS = ("format", "format_map")  # these read attributes that a text names
# What `namedtuple` and `typing.NamedTuple` put into a class themselves.
_OF_RECORDS = word_set(
    "__doc__ __slots__ _fields _field_defaults __new__ _make __replace__ _replace __repr__ _asdict __getnewargs__ "
    "__match_args__ __module__ __annotations__ __orig_bases__ __annotate__ __annotate_func__ __annotations_cache__ "
    "__static_attributes__ __firstlineno__"
)
_FIELD = type(vars(collections.namedtuple("_FIELD", "field"))["field"])
_HINT = "give kernels numbers, texts, dtypes, tuples of them and functions with @triton.jit"


@dataclass
class _Compilation:
    """One compilation of a kernel, on one thread."""

    kernel: str
    checked: bool
    roots: dict[int, ast.AST] = field(default_factory=dict)  # expressions of which an attribute is read
    known: dict[int, object] = field(default_factory=dict)  # an author's code that may run cannot change them
    modules: set[int] = field(default_factory=set)  # expressions that gave a module
    refused: KernelPolicyError | None = None


_running = threading.local()


def triton_meets_plain_values(prefix: str) -> None:
    """From now on Triton compiles no kernel of a pass in this process whose values are more than plain.

    prefix: names of the modules of passes begin with it. Kernels of the user's own modules are left alone.
    KernelPolicyError is raised in a launch that gives a kernel such a value. InfrastructureError: this release of
    Triton is unknown.
    """
    try:
        from triton.compiler import code_generator
    except ImportError:  # the pass that asks for it says so itself
        return
    generator: Any = getattr(code_generator, "CodeGenerator", object)
    translate = getattr(code_generator, "ast_to_ttir", None)
    if getattr(translate, "bounded", False):
        return
    if translate is None or not {"visit", "call_Function"} <= vars(generator).keys():
        raise InfrastructureError(
            "this release of Triton compiles in a way that PassNet cannot bound (install triton>=3.5,<3.10)"
        )
    code_generator.ast_to_ttir = _bounded(translate, prefix)
    generator.visit = _looked_at(generator.visit)
    generator.call_Function = _callees_looked_at(generator.call_Function)


def _bounded(translate: Callable[..., Any], prefix: str) -> Callable[..., Any]:
    @functools.wraps(translate)
    def bounded(fn: Any, src: Any, *args: Any, **kwargs: Any) -> Any:
        home = str(fn.fn.__globals__.get("__name__"))
        with _compiling(str(fn.__name__), home.startswith((prefix, "triton."))) as compilation:
            try:
                if compilation.checked:
                    _look_at_arguments(fn, src, kwargs.get("options"), compilation)
                return translate(fn, src, *args, **kwargs)
            finally:  # Triton wraps errors in its own, and goes on after some
                if compilation.refused is not None:
                    raise compilation.refused from None

    bounded.bounded = True  # type: ignore[attr-defined]  # tells that it is in place
    return bounded


def _look_at_arguments(fn: Any, src: Any, options: object, compilation: _Compilation) -> None:
    for path, value in src.constants.items():
        what = f"argument {fn.arg_names[path[0]]}"
        _refuse_unknown(value, what, compilation)
        _refuse_changing(value, what, compilation)
    for name, value in getattr(options, "__dict__", {}).items():
        _refuse_unknown(value, f"option {name}", compilation)


@contextmanager
def _compiling(kernel: str, checked: bool) -> Iterator[_Compilation]:
    before = getattr(_running, "compilation", None)
    _running.compilation = _Compilation(kernel, checked)
    try:
        yield _running.compilation
    finally:
        _running.compilation = before


def _current() -> _Compilation:
    """The compilation of this thread. What does not begin in `ast_to_ttir` would have nothing looked at before."""
    running = getattr(_running, "compilation", None)
    if running is None:
        raise InfrastructureError("Triton compiles in a way that PassNet cannot bound (call its launches alone)")
    return running  # type: ignore[no-any-return]


def _looked_at(visit: Callable[[Any, ast.AST], Any]) -> Callable[[Any, ast.AST], Any]:
    @functools.wraps(visit)
    def looked_at(generator: Any, node: ast.AST) -> Any:
        compilation = _current()
        if not compilation.checked:
            return visit(generator, node)
        if isinstance(node, ast.Attribute):
            compilation.roots[id(node.value)] = node.value
        value = visit(generator, node)
        if id(node) in compilation.roots and _is_module(value):
            compilation.modules.add(id(node))
        elif value is not None:
            _refuse_unknown(value, None, compilation, node)
            if _is_from_outside(generator, node, compilation):
                _refuse_changing(value, _shown(node), compilation)
        return value

    return looked_at


def _callees_looked_at(call: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call)
    def looked_at(generator: Any, node: ast.AST, fn: Any, args: list[Any], kws: dict[str, Any]) -> Any:
        compilation = _current()
        if compilation.checked:
            _refuse_unknown(fn, None, compilation, getattr(node, "func", node))
            if not _may_be_called(fn):
                _refuse(f"{_shown(getattr(node, 'func', node))} is called and is no kernel", compilation)
        return call(generator, node, fn, args, kws)

    return looked_at


def _refuse_unknown(value: object, what: str | None, compilation: _Compilation, node: ast.AST | None = None) -> None:
    if compilation.refused is not None:
        raise compilation.refused
    for part in _parts(value, compilation.known):
        if not _is_known(part):
            shown = what if node is None else _shown(node)
            _refuse(f"{shown} is {_described(part)}", compilation)


def _is_from_outside(generator: Any, node: ast.AST, compilation: _Compilation) -> bool:
    """Whether an expression names what was there before the kernel."""
    if isinstance(node, ast.Name):
        return node.id not in generator.lscope
    return isinstance(node, ast.Attribute) and id(node.value) in compilation.modules


def _refuse_changing(value: object, what: str, compilation: _Compilation) -> None:
    """What is there before a kernel holds no list, and no value of another compilation, which was freed with it."""
    for part in _parts(value, {}, lists=True):
        if isinstance(part, list):
            _refuse(f"{what} has a list, which can change: write a tuple", compilation)
        if _is_own(type(part)) and any(_is_handle(held) for held in getattr(part, "__dict__", {}).values()):
            _refuse(f"{what} is a value of another compilation", compilation)


def _refuse(what: str, compilation: _Compilation) -> None:
    compilation.refused = KernelPolicyError(
        f"Triton would compile with an author's object: {what}", field=f"kernel {compilation.kernel}", hint=_HINT
    )
    raise compilation.refused


def _shown(node: ast.AST) -> str:
    return expression_text(node)[:80] if isinstance(node, (ast.expr, ast.stmt)) else type(node).__name__


def _described(value: object) -> str:
    kind = type(value)
    if kind is types.ModuleType:
        return "a module"
    if _is_one_of(kind, _FUNCTIONS):
        return "a function that is no kernel"
    if issubclass(kind, type):
        return "a class"
    if _is_one_of(kind, _kernel_kinds()):
        return "a kernel with attributes of an author"
    return f"of class {_name_of(kind, '__name__')}"


def _parts(value: object, seen: dict[int, object], *, lists: bool = False) -> Iterator[object]:
    """A value, and all that containers and Triton's own values hold, but for what was seen. `lists`: lists as well."""
    pending = [value]
    while pending:
        part = pending.pop()
        kind = type(part)
        if _is_one_of(kind, _PLAIN) or id(part) in seen:
            continue
        seen[id(part)] = part
        if _is_one_of(kind, _SEQUENCES) or _is_record(kind):
            if lists and kind is list:
                yield part
            pending += list.__iter__(part) if isinstance(part, list) else tuple.__iter__(part)  # type: ignore[arg-type]
            continue
        yield part
        if _is_one_of(kind, (types.MethodType, *_METHODS)):
            pending += [] if _is_module(part.__self__) else [part.__self__]  # type: ignore[attr-defined]
        elif _is_one_of(kind, _kernel_kinds()):
            given = (each.default for each in vars(part)["signature"].parameters.values())
            pending += [default for default in given if default is not inspect.Parameter.empty]
        elif _is_own(kind):
            pending += [held for held in getattr(part, "__dict__", {}).values() if not _is_handle(held)]


def _is_known(value: object) -> bool:
    """Whether the compiler may meet a value. What the value holds is asked for apart."""
    kind = type(value)
    if kind is types.FunctionType:
        return _is_own(value)
    if kind is types.MethodType:
        return _is_method_of_triton(value)
    if _is_one_of(kind, _METHODS):
        return _is_method_of_python(value)
    if issubclass(kind, type):
        return _is_one_of(value, (*_CLASSES, _enumerated())) or _is_record(value) or _is_own(value)
    if _is_one_of(kind, _kernel_kinds()):
        return _is_as_made(value)
    return _is_own(kind) or kind is type(_enumerated().NONE)


def _may_be_called(function: Any) -> bool:
    """Whether what the compiler may meet may also get its values. Of constexpr functions, only Triton's may."""
    from triton.runtime import jit

    if isinstance(function, type):
        return _is_one_of(function, _CALLED_CLASSES) or _is_record(function) or _is_own(function)
    if type(function) is jit.BoundConstexprFunction:
        function = function.__func__
    return type(function) is not jit.ConstexprFunction or _home(vars(function)["fn"])


@functools.lru_cache(maxsize=1)
def _kernel_kinds() -> tuple[type, ...]:
    """Triton's classes of functions with `@triton.jit` and their like."""
    from triton.experimental.gluon._runtime import GluonJITFunction
    from triton.runtime import jit

    return jit.JITFunction, GluonJITFunction, jit.ConstexprFunction


@functools.lru_cache(maxsize=1)
def _enumerated() -> Any:
    """The enumeration that Triton's compiler brings itself."""
    from triton.language import core

    return core.PropagateNan


@functools.lru_cache(maxsize=4)
def _as_made(kind: Any) -> dict[str, type]:
    """What one of Triton's own functions of a kind holds: names and types."""
    from triton.language import standard

    own = standard._log2 if kind is _kernel_kinds()[2] else standard.zeros
    return {name: type(value) for name, value in vars(own).items()}


def _is_as_made(kernel: object) -> bool:
    """Whether a kernel has what Triton gave it, and nothing that an author put there."""
    kind: Any = type(kernel)
    expected = _as_made(kind)
    held = vars(kernel).items()
    return all(_is_one_of(type(value), _PLAIN) or expected.get(name) is type(value) for name, value in held)


def _is_one_of(value: object, these: tuple[object, ...]) -> bool:
    return any(value is each for each in these)


def _is_module(value: object) -> bool:
    return type(value) is types.ModuleType


def _is_handle(value: object) -> bool:
    """Whether a value is the compiler's own, such as those that Triton's tensors hold."""
    from triton._C import libtriton

    name = _name_of(type(value), "__name__")
    return any(getattr(part, name, None) is type(value) for part in (libtriton.ir, libtriton.gluon_ir))


def _name_of(kind: type, which: str) -> str:
    """What Python says of a class, whatever its own class says."""
    found = type.__dict__[which].__get__(kind)
    return found if type(found) is str else ""


def _is_own(value: Any) -> bool:
    """Whether a function or a class is Triton's: its module has it under its own name."""
    if isinstance(value, type):
        home, path = _name_of(value, "__module__"), _name_of(value, "__qualname__")
    else:
        home, path = value.__module__, value.__qualname__
    if type(home) is not str or not _HOMES.fullmatch(home):
        return False
    found: object = sys.modules.get(home)
    for name in path.split("."):
        found = getattr(found, "__dict__", {}).get(name)
    return found is value


def _home(function: Any) -> bool:
    """Whether the text of a function stands in a module of Triton's."""
    named = type(function) is types.FunctionType and function.__globals__.get("__name__")
    return type(named) is str and _HOMES.fullmatch(named) is not None


def _is_method_of_triton(method: Any) -> bool:
    function, kind = method.__func__, type(method.__self__)
    return _home(function) and any(function is each for base in kind.__mro__ for each in vars(base).values())


def _is_method_of_python(method: Any) -> bool:
    owner = method.__self__
    plain = _is_one_of(type(owner), (*_PLAIN, tuple, torch.Size)) and method.__name__ not in _FORMATS
    return _is_one_of(method, _PYTHONS) or owner is math or plain


def _is_record(kind: Any) -> bool:
    """Whether a class is a named tuple without methods of an author's."""
    if type(kind) is not type or kind.__mro__ != (kind, tuple, object):
        return False
    return all(type(value) is _FIELD or _is_of_namedtuple(name, value) for name, value in vars(kind).items())


def _is_of_namedtuple(name: str, value: Any) -> bool:
    function = value.__func__ if type(value) is classmethod else value
    if type(function) is not types.FunctionType:
        return name in _OF_RECORDS
    made = str(function.__globals__.get("__name__"))
    return name in _OF_RECORDS and (made == "collections" or (name == "__new__" and made.startswith("namedtuple_")))
