"""Argument values in one form: lists, slices, sizes, devices. Two spellings of a literal are then one value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import fx

# The first item of a tuple of `forms.py`.
TAG = "form"
Value = Any
"""A canonical argument: an `fx.Node`, a literal, a `tuple` of values, or a form of `shape_args`."""


def canonical_value(value: Any) -> Value:
    """Lists and sizes as tuples, slices as tagged tuples. Everything else stays as it is."""
    if isinstance(value, (list, tuple)):
        return tuple(canonical_value(item) for item in value)
    if isinstance(value, slice):
        return ("slice", *_slice_parts(value))
    if isinstance(value, dict):
        return ("dict", *((key, canonical_value(value[key])) for key in sorted(value, key=str)))
    if isinstance(value, str) and value.startswith(("cpu", "cuda", "meta")):
        return _device(value)
    return value


def _slice_parts(value: slice) -> tuple[Value, Value, Value]:
    start = None if isinstance(value.start, int) and value.start == 0 else canonical_value(value.start)
    step = None if isinstance(value.step, int) and value.step == 1 else canonical_value(value.step)
    return start, canonical_value(value.stop), step


def _device(text: str) -> Value:
    try:
        return torch.device(text)
    except RuntimeError:
        return text


def nodes_in(value: Value) -> Iterator[fx.Node]:
    """Every node inside a canonical value, in order."""
    if isinstance(value, fx.Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from nodes_in(item)


def map_nodes(value: Value, change: Callable[[fx.Node], Value]) -> Value:
    """The value with each node replaced by `change(node)`."""
    if isinstance(value, fx.Node):
        return change(value)
    if isinstance(value, tuple):
        return tuple(map_nodes(item, change) for item in value)
    return value


def same_literal(left: Value, right: Value, *, exact_type: bool = False) -> bool:
    """Whether two literals mean the same. 1 and 1.0 differ only when `exact_type` asks for it."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(
            same_literal(a, b, exact_type=exact_type) for a, b in zip(left, right, strict=True)
        )
    if isinstance(left, torch.Tensor) or isinstance(right, torch.Tensor):
        return _same_tensor(left, right)
    if _is_number(left) and _is_number(right):
        return _same_number(left, right, exact_type)
    if isinstance(left, torch.device) and isinstance(right, torch.device):
        return left.type == right.type and (left.index or 0) == (right.index or 0)
    return type(left) is type(right) and bool(left == right)


def _is_number(value: Value) -> bool:
    return isinstance(value, (int, float, complex)) and not isinstance(value, bool)


def _same_number(left: complex, right: complex, exact_type: bool) -> bool:
    if exact_type and type(left) is not type(right):
        return False
    if isinstance(left, float) and isinstance(right, float) and math.isnan(left):
        return math.isnan(right)
    return left == right


def _same_tensor(left: Value, right: Value) -> bool:
    both = isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor)
    return both and left.dtype == right.dtype and left.shape == right.shape and bool(torch.equal(left, right))


# Annotations of a pattern's parameters that make them stand for literals, and what each accepts. A `list` stands for
# several tensors at once.
LITERALS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "str": (str,),
    "tuple": (tuple,),
    "dtype": (torch.dtype,),
    "list": (tuple,),
}


def literal_kind(node: fx.Node) -> str | None:
    """The kind of literal of a pattern's parameter, from its annotation. None for tensors."""
    if node.op != "placeholder" or node.type is None:
        return None
    name = node.type if isinstance(node.type, str) else getattr(node.type, "__name__", "")
    name = name.removeprefix("torch.").split("[")[0]
    return name if name in LITERALS else None


def as_literal(kind: str, value: Value) -> Value:
    """`value` as a literal of `kind`, or None when it is none. One number may stand for a list of equal ones."""
    if kind == "int" and isinstance(value, tuple) and value and all(item == value[0] for item in value):
        value = value[0]
    if isinstance(value, bool) and kind != "bool":
        return None
    if kind == "list":
        several = isinstance(value, tuple) and value and all(isinstance(item, fx.Node) for item in value)
        return value if several else None
    if not isinstance(value, LITERALS[kind]) or any(True for _ in nodes_in(value)):
        return None
    return float(value) if kind == "float" and isinstance(value, int) else value


_PLAIN = (bool, int, float, complex, str, torch.dtype, torch.device, torch.memory_format, torch.layout)


def is_plain_literal(value: Value) -> bool:
    """Whether a value of a graph can go to a wrapper as it is: a number, name or dtype, or a tuple of these."""
    if isinstance(value, tuple):
        return value[:1] not in (("slice",), ("dict",), (TAG,)) and all(is_plain_literal(item) for item in value)
    return isinstance(value, _PLAIN)


def kind_of(value: Value) -> str | None:
    """The annotation under which a parameter takes this literal. None when there is none."""
    kinds = ("bool", "int", "float", "str", "tuple", "dtype")
    found = next((kind for kind in kinds if is_plain_literal(value) and isinstance(value, LITERALS[kind])), None)
    return "torch.dtype" if found == "dtype" else found


def example_value(node: fx.Node) -> Any:
    """The fake (or real) value recorded for a node, or None when nothing was propagated."""
    value = node.meta.get("val")
    return value if value is not None else node.meta.get("example_value")


def show(value: Value) -> str:
    """A value as an author would write it."""
    if isinstance(value, fx.Node):
        return f"%{value.name}"
    if isinstance(value, tuple) and value and value[0] == "slice" and len(value) == 4:
        return "slice(" + ", ".join(show(item) for item in value[1:]) + ")"
    if isinstance(value, tuple):
        return "(" + ", ".join(show(item) for item in value) + ("," if len(value) == 1 else "") + ")"
    return str(value) if not isinstance(value, str) else repr(value)
