"""The arguments of an operation by the names of its signature, however a program spells the call."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch

from passnet.graph.errors import GraphError
from passnet.graph.text.build import resolve
from passnet.graph.text.operators import inplace_name
from passnet.graph.text.program import Op, Ref, Value
from passnet.op_classes import op_leaf, word_set

# One name for the spellings of one operation.
_SYNONYMS: Mapping[str, str] = {
    "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "invert": "bitwise_not", "not": "logical_not",
    "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift", "floordiv": "floor_divide", "mod": "remainder",
    "truediv": "div", "true_divide": "div", "divide": "div", "multiply": "mul", "subtract": "sub", "negative": "neg",
    "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge", "clip": "clamp",
    "absolute": "abs", "fix": "trunc", "nll_loss2d": "nll_loss", "nll_loss_nd": "nll_loss",
    "nll_loss_forward": "nll_loss", "nll_loss2d_forward": "nll_loss", "cross_entropy_loss": "cross_entropy",
}  # fmt: skip
_OPERATORS = word_set("add and floordiv lshift mod mul or pow rshift sub truediv xor matmul")
_INPLACE = {inplace_name(name): name for name in _OPERATORS}
_REVERSED = {f"r{name}": name for name in word_set("add and mul or xor")}
_MISSING = inspect.Parameter.empty


def plain_name(op: Op) -> str:
    """The name of an operation, without what tells an operator, a method, a namespace or an in-place form."""
    name = op.leaf.removeprefix("special_")
    if op.target.startswith("operator.") or name.startswith("__"):
        name = name.strip("_")
        name = _INPLACE.get(name, _REVERSED.get(name, name))
    elif not name.startswith("_"):
        name = name.rstrip("_")
    return _SYNONYMS.get(name, name)


def arguments(op: Op) -> dict[str, Value]:
    """What an operation is given and what it takes by default. What a method is called on is `input`.

    Where nobody knows a signature, the first value is `input` and the next one `other`.
    """
    if not (op.target.startswith("operator.") or op.leaf.startswith("__")):
        for strict in (True, False):
            for signature in _signatures(op.target):
                if (bound := _bound(op, signature, strict=strict)) is not None:
                    return bound
    names = ("input", "key", "value") if op.leaf == "setitem" else ("input", "other")
    return dict(zip(names, op.args, strict=False)) | dict(op.kwargs)


@dataclass(frozen=True)
class _Parameter:
    """`kind`: the type that the signature names. Empty where it names none."""

    name: str
    kind: str
    default: object
    by_name: bool

    def takes(self, value: Value, *, strict: bool) -> bool:
        """Whether a value may be this argument. Not `strict`: a value of the program may be a number."""
        if isinstance(value, Ref):
            return not strict or not self.kind or "Tensor" in self.kind
        if isinstance(value, bool | int | float):
            return "Tensor" not in self.kind and "List" not in self.kind
        return True


def _bound(op: Op, signature: tuple[_Parameter, ...], *, strict: bool) -> dict[str, Value] | None:
    """The arguments by name. None where the signature is another overload's."""
    places = [each for each in signature if not each.by_name]
    given = {each.name: value for each, value in zip(places, op.args, strict=False)}
    named = {"input" if name == "self" else name: value for name, value in op.kwargs}
    known = {each.name: each for each in signature}
    if len(op.args) > len(places) or not named.keys() <= known.keys() - given.keys():
        return None
    given |= named
    if not all(known[name].takes(value, strict=strict) for name, value in given.items()):
        return None
    bound = {each.name: given.get(each.name, each.default) for each in signature}
    return None if _MISSING in bound.values() else bound


@functools.cache
def _signatures(target: str) -> tuple[tuple[_Parameter, ...], ...]:
    """The signature of a function of Python, or those of all overloads of an operator."""
    if target.startswith("torch.nn.functional."):
        try:
            return (tuple(_of_python(target)),)
        except (GraphError, TypeError, ValueError):
            pass  # a builtin shows none
    leaf = op_leaf(target)
    names = [leaf, f"{target.split('.')[-2].strip('_')}_{leaf}" if "." in target else leaf]
    schemas = [each for name in names for each in torch._C._jit_get_schemas_for_operator(f"aten::{name}")]
    return tuple(
        tuple(
            _Parameter(
                "input" if each.name == "self" else each.name,
                str(each.type),
                each.default_value if each.has_default_value() else _MISSING,
                each.kwarg_only,
            )
            for each in schema.arguments
        )
        for schema in schemas
        if not any(each.is_out for each in schema.arguments)
    )


def _of_python(target: str) -> Iterator[_Parameter]:
    for each in inspect.signature(resolve(target)).parameters.values():
        yield _Parameter(each.name, "", each.default, each.kind is inspect.Parameter.KEYWORD_ONLY)
