"""Bind the arguments of one call by name, through the Python signature or the aten schema, with defaults filled in."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch import fx

from passnet.rewrite.canonical import op_tables
from passnet.rewrite.canonical.values import Value, canonical_value, example_value, literal_kind

Args = dict[str, Value]


@dataclass(frozen=True, slots=True)
class BoundCall:
    """A call with its arguments by canonical name.

    `defaults` holds the values of arguments that are not written. `writes` and `aliases` name arguments whose storage
    the call changes or may return. `aliases` None means that it may return any of them. `fresh` is the number of
    tensors that it returns if there are several and each surely has storage of its own, else 0.
    """

    name: str
    args: Args
    defaults: Args
    inplace: bool = False
    writes: tuple[str, ...] = ()
    aliases: tuple[str, ...] | None = ()
    fresh: int = 0


@dataclass(frozen=True, slots=True)
class _Parameter:
    name: str
    type: str
    length: int | None
    required: bool
    default: Any
    keyword_only: bool
    written: bool
    aliased: bool


@dataclass(frozen=True, slots=True)
class _Signature:
    parameters: tuple[_Parameter, ...]
    fresh: int


def bind_schema(name: str, args: tuple[Value, ...], kwargs: Args) -> BoundCall | None:
    """Bind by the first aten overload of `name` that accepts the arguments. None when there is none.

    Nodes without a known value are taken for tensors first, and for anything in a second round.
    """
    for strict in (True, False):
        for signature in _signatures(name):
            bound = _try(signature, args, kwargs, strict)
            if bound is not None:
                return _finish(name, signature, bound)
    return None


def bind_python(name: str, function: Callable[..., object], args: tuple[Value, ...], kwargs: Args) -> BoundCall | None:
    """Bind by the signature of a Python function of torch. None when it does not accept the arguments."""
    signature = _python_signature(function)
    if signature is None:
        return None
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return None
    given = {key: canonical_value(value) for key, value in bound.arguments.items()}
    defaults = {
        key: canonical_value(parameter.default)
        for key, parameter in signature.parameters.items()
        if parameter.default is not inspect.Parameter.empty
    }
    filled = _rename(name, {**defaults, **given})
    inplace = filled.pop("inplace", False) is True
    writes = ("input",) if inplace else ()
    aliases = ("input",) if inplace else _python_aliases(name)
    return BoundCall(name, _widen(name, filled), _widen(name, _rename(name, defaults)), inplace, writes, aliases)


def has_schema(name: str) -> bool:
    """Whether aten knows an operation of this name."""
    return bool(_signatures(name))


def python_function(target: object) -> tuple[str, Callable[..., object]] | None:
    """Name and binding function of a Python-level torch function, or None for builtins and foreign functions."""
    if not callable(target):
        return None
    dispatched = _DISPATCHED.get(target)
    if dispatched is not None:
        return dispatched
    module = getattr(target, "__module__", None) or ""
    if inspect.isfunction(target) and (module == "torch" or module.startswith("torch.")):
        return target.__name__.removeprefix("_tensor_"), target
    return None


def _boolean_dispatched() -> dict[object, tuple[str, Callable[..., object]]]:
    """F.max_pool2d and similar closures choose by `return_indices`. Their plain branch has the signature."""
    names = [f"{kind}max_pool{n}d" for kind in ("", "adaptive_", "fractional_") for n in (1, 2, 3)]
    plain = {name: getattr(F, f"_{name}", None) for name in names}
    return {getattr(F, name): (name, function) for name, function in plain.items() if function is not None}


_DISPATCHED = _boolean_dispatched()


@lru_cache(maxsize=4096)
def _signatures(name: str) -> tuple[_Signature, ...]:
    schemas = torch._C._jit_get_schemas_for_operator(f"aten::{name}")
    own = any(_has_kernels(schema) for schema in schemas if _plain_results(schema))
    return tuple(
        _Signature(tuple(map(_parameter, schema.arguments)), _plain_results(schema) if own else 0)
        for schema in schemas
        if schema.arguments and not any(argument.is_out for argument in schema.arguments)
    )


def _plain_results(schema: torch._C.FunctionSchema) -> int:
    """The number of tensors that an operator returns, if several, and its schema names none an alias. Else 0.

    Lists do not always say that they hold views.
    """
    plain = all(str(result.type) == "Tensor" and result.alias_info is None for result in schema.returns)
    return len(schema.returns) if plain and len(schema.returns) > 1 else 0


def _has_kernels(schema: torch._C.FunctionSchema) -> bool:
    """Whether an operator is more than a composition of others, whose schema may be silent about views."""
    name = f"{schema.name}.{schema.overload_name}".removesuffix(".")
    try:
        return not torch._C._dispatch_has_kernel_for_dispatch_key(name, "CompositeImplicitAutograd")
    except RuntimeError:  # an operator of scripts alone
        return False


def _parameter(argument: Any) -> _Parameter:
    # An annotated argument is written, or its storage is returned: results in lists do not always say so themselves.
    info = argument.alias_info
    return _Parameter(
        name=argument.name,
        type=str(argument.real_type),
        length=argument.N,
        required=not argument.has_default_value(),
        default=canonical_value(argument.default_value),
        keyword_only=argument.kwarg_only,
        written=info is not None and info.is_write,
        aliased=info is not None,
    )


def _try(signature: _Signature, args: tuple[Value, ...], kwargs: Args, strict: bool) -> Args | None:
    positional = [parameter for parameter in signature.parameters if not parameter.keyword_only]
    if len(args) > len(positional):
        return None
    by_name = {parameter.name: parameter for parameter in signature.parameters}
    bound: Args = {}
    given = [(positional[i].name, value) for i, value in enumerate(args)]
    given += [(_spelled(key, by_name), value) for key, value in kwargs.items()]
    for key, value in given:
        if key not in by_name or key in bound or not _fits(by_name[key].type, value, strict):
            return None
        bound[key] = value
    missing = (p for p in signature.parameters if p.required and p.name not in bound)
    return None if any(not p.type.startswith("Optional") for p in missing) else bound


def _spelled(key: str, by_name: dict[str, _Parameter]) -> str:
    """The schema's own name for a keyword that Python also accepts under another (`input`, `axis`, `keepdims`)."""
    if key in by_name:
        return key
    wanted = op_tables.ARG_NAMES.get(key, key)
    return next((name for name in by_name if op_tables.ARG_NAMES.get(name, name) == wanted), key)


_LITERALS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "number": (int, float, complex),
    "bool": (bool,),
    "str": (str,),
    "ScalarType": (torch.dtype,),
    "Device": (torch.device, str, int),
    "Layout": (torch.layout,),
    "MemoryFormat": (torch.memory_format,),
}


def _fits(kind: str, value: Value, strict: bool) -> bool:
    if kind.startswith("Optional["):
        return value is None or _fits(kind[9:-1], value, strict)
    if isinstance(value, fx.Node):
        return _node_fits(kind, value, strict)
    if kind.startswith("List["):
        return _list_fits(kind[5:-1], value, strict)
    if kind == "int" and isinstance(value, bool):
        return False
    return isinstance(value, _LITERALS.get(kind, ()))


def _list_fits(kind: str, value: Value, strict: bool) -> bool:
    if isinstance(value, (list, tuple)):
        return all(_fits(kind, item, strict) for item in value)
    return kind == "int" and isinstance(value, int) and not isinstance(value, bool)


def _node_fits(kind: str, node: fx.Node, strict: bool) -> bool:
    if literal_kind(node) is not None:
        return kind != "Tensor"
    value = example_value(node)
    if isinstance(value, torch.Tensor) or (value is None and strict):
        # Torch takes the number from a tensor without dimensions where it needs a number.
        number = not strict and value is not None and value.dim() == 0 and kind in ("int", "float", "number", "bool")
        return kind == "Tensor" or number
    if isinstance(value, (tuple, list)):
        return kind.startswith("List")
    return value is None or kind in ("int", "float", "number", "bool", "List[int]")


def _finish(name: str, signature: _Signature, bound: Args) -> BoundCall:
    defaults = {p.name: p.default for p in signature.parameters if not p.required}
    defaults |= {p.name: None for p in signature.parameters if p.required and p.type.startswith("Optional")}
    types = {p.name: p for p in signature.parameters}
    typed = {key: _coerce(types[key], canonical_value(value)) for key, value in {**defaults, **bound}.items()}
    default_values = {key: _coerce(types[key], value) for key, value in defaults.items()}
    renamed = {p.name: _canonical_arg(name, p.name, types) for p in signature.parameters}
    return BoundCall(
        name=name,
        args={renamed[key]: value for key, value in typed.items() if renamed[key] not in op_tables.IGNORED_ARGS},
        defaults={renamed[key]: value for key, value in default_values.items()},
        writes=tuple(renamed[p.name] for p in signature.parameters if p.written),
        aliases=tuple(renamed[p.name] for p in signature.parameters if p.aliased),
        fresh=signature.fresh,
    )


def _coerce(parameter: _Parameter, value: Value) -> Value:
    kind = parameter.type.removeprefix("Optional[").removesuffix("]")
    if kind == "float" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind.startswith("List[int") and isinstance(value, int):
        return (value,) * (parameter.length or 1)
    if kind == "Device" and isinstance(value, str):
        return torch.device(value)
    return value


def _rename(name: str, args: Args) -> Args:
    renamed = {_canonical_arg(name, key, args): value for key, value in args.items()}
    return {key: value for key, value in renamed.items() if key not in op_tables.IGNORED_ARGS}


def _canonical_arg(name: str, key: str, siblings: Iterable[str]) -> str:
    special = op_tables.OP_ARG_NAMES.get(name, {}).get(key)
    if special is not None:
        return special
    wanted = op_tables.ARG_NAMES.get(key, key)
    return key if wanted != key and wanted in siblings else wanted


@lru_cache(maxsize=4096)
def _lengths(name: str) -> dict[str, int]:
    """Length of every list-of-int argument of aten's operation `name`, by canonical argument name.

    An argument that another overload takes as one number is left out: `split(x, 4)` is not `split(x, [4])`.
    """
    lengths: dict[str, int] = {}
    numbers: set[str] = set()
    for signature in _signatures(name):
        names = [p.name for p in signature.parameters]
        for p in signature.parameters:
            if p.type in ("List[int]", "Optional[List[int]]"):
                lengths.setdefault(_canonical_arg(name, p.name, names), p.length or 1)
            elif p.type == "int":
                numbers.add(_canonical_arg(name, p.name, names))
    return {key: length for key, length in lengths.items() if key not in numbers}


def _widen(name: str, args: Args) -> Args:
    lengths = _lengths(name)
    return {
        key: (value,) * lengths[key]
        if key in lengths and isinstance(value, int) and not isinstance(value, bool)
        else value
        for key, value in args.items()
    }


@lru_cache(maxsize=1024)
def _python_signature(function: Callable[..., object]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def _python_aliases(name: str) -> tuple[str, ...] | None:
    """Python functions have no alias facts. Takes those of the aten operation of the same name, or unknown."""
    if name in op_tables.MAY_RETURN_INPUT:
        return None
    signatures = _signatures(name)
    if not signatures:
        return None
    aliased = {_canonical_arg(name, p.name, ()) for s in signatures for p in s.parameters if p.aliased}
    return tuple(sorted(aliased))
