"""The operators that a `model.py` may use: syntax tree class, function of the `operator` module, symbol."""

from __future__ import annotations

import ast
from collections.abc import Mapping

BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor",
    ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
UNARY: Mapping[type[ast.unaryop], str] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "not_"}
COMPARE: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
    ast.Is: "is_", ast.IsNot: "is_not",
}  # fmt: skip

# Function name -> symbol, for writing.
INFIX: Mapping[str, str] = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "is_": "is", "is_not": "is not",
}  # fmt: skip
PREFIX: Mapping[str, str] = {"neg": "-", "pos": "+", "invert": "~", "not_": "not "}


def inplace_name(operator: str) -> str:
    """`add` -> `iadd`, `and_` -> `iand`: the function behind `+=`, `&=`."""
    return f"i{operator.rstrip('_')}"


INPLACE: Mapping[str, str] = {inplace_name(name): INFIX[name] + "=" for name in BINARY.values()}
