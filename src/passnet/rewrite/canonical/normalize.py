"""One canonical form for nodes of any spelling: name without namespace, arguments by name, defaults filled."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import torch
from torch import fx

from passnet.graph.fused import is_fma, plain_fma
from passnet.op_classes import COMMUTATIVE
from passnet.rewrite.canonical import op_tables
from passnet.rewrite.canonical.binding import Args, BoundCall, bind_python, bind_schema, has_schema, python_function
from passnet.rewrite.canonical.fixups import FIXUPS
from passnet.rewrite.canonical.shape_args import form
from passnet.rewrite.canonical.values import Value, canonical_value, nodes_in


class CanonicalOp(NamedTuple):
    """A node in canonical form. `target` is set for calls that torch does not know: they match by identity.

    `writes` are the nodes whose storage the call changes, `aliases` those that its result may share storage with.
    `fresh` is the number of its results if there are several and each surely has storage of its own, else 0.
    """

    name: str
    args: Args
    defaults: Mapping[str, Value] = MappingProxyType({})
    inplace: bool = False
    writes: tuple[fx.Node, ...] = ()
    aliases: tuple[fx.Node, ...] = ()
    target: object = None
    fresh: int = 0

    @property
    def commutative(self) -> bool:
        """Whether `input` and `other` may change places."""
        return self.name in COMMUTATIVE and self.args.get("alpha", 1) == 1 and "other" in self.args

    @property
    def pure(self) -> bool:
        """The operation does not write, draws no random numbers, and does not change how later calls behave."""
        return not self.writes and self.name not in op_tables.BARRIERS and not self.random

    @property
    def random(self) -> bool:
        """Whether two calls with equal arguments may differ."""
        if self.name not in op_tables.RANDOM and self.args.get("dropout_p", 0.0) in (0, 0.0):
            return False
        return self.args.get("training", True) is not False


def normalize(node: fx.Node) -> CanonicalOp | None:
    """The canonical form of a call node. None for placeholders, constants, outputs and nested modules."""
    if node.op not in ("call_function", "call_method"):
        return None
    args = tuple(node.args)
    kwargs = dict(node.kwargs)
    bound = (
        _function(node.target, args, kwargs) if node.op == "call_function" else _method(str(node.target), args, kwargs)
    )
    if bound is None:
        return _opaque(node, args, kwargs)
    return _op(bound)


def _op(bound: BoundCall) -> CanonicalOp:
    args = dict(bound.args)
    args.pop("out", None)
    name, args = _flip(*FIXUPS.get(bound.name, _same)(bound.name, args))
    nodes = tuple(nodes_in(tuple(bound.args.values())))
    writes = tuple(node for key in bound.writes for node in nodes_in(bound.args.get(key)))
    writes += tuple(nodes_in(bound.args.get("out")))
    if bound.name in op_tables.MAY_RETURN_INPUT or bound.aliases is None:
        aliases = nodes
    else:
        aliases = tuple(node for key in bound.aliases for node in nodes_in(bound.args.get(key)))
    if bound.name == "batch_norm" and args.get("training") is True:
        writes += tuple(nodes_in((args.get("running_mean"), args.get("running_var"))))
    fresh = 0 if writes or aliases else bound.fresh
    return CanonicalOp(name, args, bound.defaults, bound.inplace, writes, aliases, fresh=fresh)


def _same(name: str, args: Args) -> tuple[str, Args]:
    return name, args


def _flip(name: str, args: Args) -> tuple[str, Args]:
    if name in op_tables.FLIPPED and {"input", "other"} <= args.keys():
        return op_tables.FLIPPED[name], {**args, "input": args["other"], "other": args["input"]}
    return name, args


def _opaque(node: fx.Node, args: tuple[Value, ...], kwargs: Args) -> CanonicalOp:
    """A call that nothing binds: arguments by position, and every tensor may be aliased and is taken as read only."""
    values = {str(i): canonical_value(value) for i, value in enumerate(args)}
    values |= {key: canonical_value(value) for key, value in kwargs.items()}
    nodes = tuple(nodes_in(tuple(values.values())))
    target = None if isinstance(node.target, str) else node.target
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", str(node.target))
    if target in (operator.setitem, op_tables.assign_item):
        return CanonicalOp("setitem", values, writes=nodes[:1], aliases=nodes[:1])
    inplace = name.endswith("_") and not name.endswith("__")
    writes = nodes[:1] if inplace else nodes if _mutates(target) else ()
    return CanonicalOp(name, values, inplace=inplace, writes=writes, aliases=nodes, target=target)


def _mutates(target: object) -> bool:
    """Whether a custom operator declares that it writes some argument."""
    return bool(getattr(getattr(target, "_schema", None), "is_mutable", False))


def _function(target: object, args: tuple[Value, ...], kwargs: Args) -> BoundCall | None:
    """Bind a call_function node: Python operators by table, torch's functions by signature or schema."""
    if target in _OPERATORS:
        return _OPERATORS[target](args)
    if isinstance(target, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return _library(target, args, kwargs)
    found = python_function(target)
    if found is not None:
        return _python(found[0], found[1], args, kwargs)
    return _named(str(getattr(target, "__name__", "")), args, kwargs) if _is_torch_builtin(target) else None


def _is_torch_builtin(target: object) -> bool:
    """Builtins of torch: `torch.cat` is a method of a hidden class, `torch._C._nn.gelu` a function of a module."""
    owner = getattr(target, "__self__", None)
    owner_name = getattr(owner, "__name__", "") or ""
    module = getattr(target, "__module__", None) or ""
    return module.startswith("torch") or owner_name.startswith(("torch", "_VariableFunctions"))


def _library(
    target: torch._ops.OpOverload | torch._ops.OpOverloadPacket, args: tuple[Value, ...], kwargs: Args
) -> BoundCall | None:
    qualified = target._qualified_op_name if isinstance(target, torch._ops.OpOverloadPacket) else target._schema.name
    namespace, _, name = qualified.partition("::")
    if is_fma(target) and len(args) == 3:
        plain, operands, keywords = plain_fma(*args)
        return _named(plain, operands, dict(keywords))
    return _named(name, args, kwargs) if namespace == "aten" else None


def _method(name: str, args: tuple[Value, ...], kwargs: Args) -> BoundCall | None:
    if name.startswith("__") and name.endswith("__"):
        return _dunder(name[2:-2], args)
    if name in op_tables.DTYPE_METHODS:
        return _conversion(args[0], (getattr(torch, op_tables.DTYPE_METHODS[name]),), kwargs)
    if name in ("to", "type", "type_as", "cpu", "cuda"):
        extra = args[1:] or ((torch.device(name),) if name in ("cpu", "cuda") else ())
        return _conversion(args[0], extra, kwargs)
    if name in op_tables.VARIADIC and _are_ints(args[1:]) and len(args) > 1:
        args = (args[0], args[1:])
    method = getattr(torch.Tensor, name, None)
    found = python_function(method)
    if found is not None and not has_schema(name):
        return _python(name, found[1], args, kwargs)
    return _named(name, args, kwargs) or (_python(name, found[1], args, kwargs) if found else None)


def _are_ints(values: tuple[Value, ...]) -> bool:
    return all(isinstance(value, (int, fx.Node)) and not isinstance(value, bool) for value in values)


def _python(name: str, function: Callable[..., object], args: tuple[Value, ...], kwargs: Args) -> BoundCall | None:
    bound = bind_python(name, function, args, kwargs)
    if bound is None:
        return _named(name, args, kwargs)
    return _base(bound)


def _named(name: str, args: tuple[Value, ...], kwargs: Args) -> BoundCall | None:
    bound = bind_schema(name, args, kwargs)
    return None if bound is None else _base(bound)


def _base(bound: BoundCall) -> BoundCall:
    """The bound call under the canonical name of its operation, in-place forms folded with a flag."""
    name = bound.name
    if name.endswith("_") and not name.endswith("__") and bound.writes:
        stem = name[:-1]
        return replace(bound, name=_canonical(stem), inplace=True, aliases=("input",))
    return replace(bound, name=_canonical(name))


def _canonical(name: str) -> str:
    return op_tables.ALIASES.get(name, name)


def _binary(name: str, args: tuple[Value, ...]) -> BoundCall:
    second = "exponent" if name == "pow" else "other"
    return BoundCall(name, {"input": canonical_value(args[0]), second: canonical_value(args[1])}, {})


def _binary_in_place(name: str, args: tuple[Value, ...]) -> BoundCall:
    return replace(_binary(name, args), inplace=True, writes=("input",), aliases=("input",))


def _unary(name: str, args: tuple[Value, ...]) -> BoundCall:
    return BoundCall(name, {"input": args[0]}, {}, aliases=("input",) if name == "positive" else ())


def _dunder(name: str, args: tuple[Value, ...]) -> BoundCall | None:
    """Bind a method such as `__add__`, `__radd__` (operands swapped) or `__iadd__`, named without underscores."""
    if name in op_tables.DUNDER_UNARY:
        return _unary(op_tables.DUNDER_UNARY[name], args)
    if len(args) != 2:
        return None
    if name == "getitem":
        return _item(args)
    if name in op_tables.DUNDER_BINARY:
        return _binary(op_tables.DUNDER_BINARY[name], args)
    kind, base = name[:1], op_tables.DUNDER_BINARY.get(name[1:])
    if base is None or kind not in ("r", "i"):
        return None
    return _binary(base, (args[1], args[0])) if kind == "r" else _binary_in_place(base, args)


def _attribute(value: Value, name: str) -> BoundCall:
    if name in ("T", "mT"):
        dims = form("reverse") if name == "T" else form("swap", -2, -1)
        return BoundCall("permute", {"input": value, "dims": dims}, {}, aliases=("input",))
    if name in op_tables.FIELD_INDEX:
        return BoundCall("getitem", {"input": value, "index": op_tables.FIELD_INDEX[name]}, {}, aliases=None)
    return BoundCall("getattr", {"input": value, "name": name}, {}, aliases=None)


def _conversion(value: Value, given: tuple[Value, ...], kwargs: Args) -> BoundCall:
    """`to` in all its orders of arguments, and `half()`, `type(dtype)`, `type_as(other)`, `cuda()`."""
    args: Args = {"input": value, "dtype": None, "device": None, "other": None}
    flags = iter(("non_blocking", "copy"))
    for item in (canonical_value(item) for item in given):
        if isinstance(item, torch.dtype):
            args["dtype"] = item
        elif isinstance(item, fx.Node):
            args["other"] = item
        elif isinstance(item, bool):
            args[next(flags)] = item
        elif item is not None:
            args["device"] = torch.device(f"cuda:{item}") if isinstance(item, int) else item
    args |= {key: canonical_value(item) for key, item in kwargs.items()}
    args.pop("non_blocking", None)
    if args.get("memory_format") is torch.preserve_format:
        args["memory_format"] = None
    return BoundCall("to", args, {"copy": False, "memory_format": None}, aliases=("input",))


def _item(args: tuple[Value, ...]) -> BoundCall:
    return BoundCall("getitem", {"input": args[0], "index": canonical_value(args[1])}, {}, aliases=None)


def _operators() -> dict[object, Callable[[tuple[Value, ...]], BoundCall]]:
    table: dict[object, Callable[[tuple[Value, ...]], BoundCall]] = {
        operator.getitem: _item,
        builtins.getattr: lambda args: _attribute(args[0], str(args[1])),
    }
    table |= {key: partial(_binary, name) for key, name in op_tables.BINARY_OPERATORS.items()}
    table |= {key: partial(_binary_in_place, name) for key, name in op_tables.INPLACE_OPERATORS.items()}
    table |= {key: partial(_unary, name) for key, name in op_tables.UNARY_OPERATORS.items()}
    return table


_OPERATORS = _operators()
