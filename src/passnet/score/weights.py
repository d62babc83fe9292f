"""Reads the weights of the tolerance levels from a JSON file or an upstream Python file.

A Python file is parsed and never executed. The dict that it assigns is read number by number.
"""

from __future__ import annotations

import ast
import json
import operator
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from passnet.score.errors import ScoreError
from passnet.score.expressions import expression_text
from passnet.score.files import is_of_machine, read_bytes

MAX_BYTES: Final = 1 << 20

_CASTS: Final = frozenset({"float", "float64"})
"""Calls with one number that mean the number itself. Upstream writes `np.float64(0.8)`."""

_CHANGES: Final = frozenset({"clear", "pop", "popitem", "setdefault", "update"})
"""Methods that change a dict. After one of them the literal no longer shows the content."""

_OPERATORS: Final[dict[type[ast.operator], Callable[[float, float], object]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}

_HINT: Final = 'write the weights as JSON, e.g. {"-5": 1.0, "-4": 0.8}'


def load_weights(path: Path | str) -> dict[int, float]:
    """Weights of the levels, t -> weight, from a `.py` file or (any other suffix) a JSON object.

    `ScoreParams` checks the numbers. This function raises ScoreError for a file that has neither form.
    """
    path = Path(path)
    text = _read(path)
    read = _python_pairs if path.suffix == ".py" else _json_pairs
    try:
        pairs = list(read(text, path))
    except RecursionError:
        raise ScoreError("weights file is nested too deeply", path=path, expected="plain numbers", hint=_HINT) from None
    weights: dict[int, float] = {}
    for t, weight in pairs:
        if t in weights:
            raise ScoreError(
                "a tolerance level has two weights", path=path, expected="each t once", found=f"t = {t} twice"
            )
        weights[t] = weight
    return weights


def _read(path: Path) -> str:
    try:
        return read_bytes(path, MAX_BYTES).decode("utf-8-sig")
    except OSError as error:
        if is_of_machine(error):
            raise
        reason = error.strerror or str(error)
        raise ScoreError("cannot read the weights file", path=path, expected="a readable file", found=reason) from None
    except UnicodeDecodeError:
        raise ScoreError("weights file is not text", path=path, expected="UTF-8", hint=_HINT) from None


def _json_pairs(text: str, path: Path) -> Iterable[tuple[int, float]]:
    try:
        pairs = json.loads(text, object_pairs_hook=_Pairs)
    except ValueError as error:
        raise ScoreError(
            "weights file is not JSON", path=path, expected="an object", found=str(error), hint=_HINT
        ) from None
    if not isinstance(pairs, _Pairs):
        raise ScoreError(
            "not a table of weights", path=path, expected="a JSON object", found=type(pairs).__name__, hint=_HINT
        )
    return [(_json_level(key, path), _json_weight(key, value, path)) for key, value in pairs]


class _Pairs(list[tuple[str, object]]):
    """A JSON object as pairs, with repeated keys kept. Its type tells it from a JSON array."""


def _json_level(key: str, path: Path) -> int:
    try:
        return int(key)
    except ValueError:
        raise ScoreError("bad tolerance level", path=path, expected="an integer", found=repr(key), hint=_HINT) from None


def _json_weight(key: str, value: object, path: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        found = type(value).__name__ if isinstance(value, list) else repr(value)
        raise ScoreError(f"bad weight at t = {key}", path=path, expected="a number", found=found, hint=_HINT)
    return value


def _python_pairs(text: str, path: Path) -> Iterable[tuple[int, float]]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, MemoryError) as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        raise ScoreError("weights file is not Python", path=path, line=line, found=str(error), hint=_HINT) from None
    table = _weight_table(tree, path)
    for key, value in zip(table.keys, table.values, strict=True):
        if key is None:
            raise _unreadable(path, table, "`**` inside the table of weights")
        level = _number(key, path)
        if not level.is_integer():
            raise _unreadable(path, key, f"t = {level}")
        yield int(level), _number(value, path)


def _weight_table(tree: ast.Module, path: Path) -> ast.Dict:
    """The dict literal to read: the one in `get_weights` if that function exists, else the one at module level."""
    function = next((n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "get_weights"), None)
    scope: ast.AST = function or tree
    tables = list(_tables(ast.walk(function) if function else tree.body))
    if len(tables) != 1 or any(map(_changes_a_table, ast.walk(scope))):
        place = "get_weights" if function else "the module"
        raise ScoreError(
            "cannot tell the table of weights without running the file",
            path=path,
            expected="one assignment of a dict of numbers, as in weights = {-5: 1.0, ...}, never changed later",
            found=f"{len(tables)} in {place}" if len(tables) != 1 else f"one that {place} changes",
            hint=f"the file is read, not executed; {_HINT}",
        )
    return tables[0]


def _changes_a_table(node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, (ast.Store, ast.Del))
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES


def _tables(nodes: Iterable[ast.AST]) -> Iterator[ast.Dict]:
    for node in nodes:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Return)) and isinstance(node.value, ast.Dict):
            yield node.value


def _number(node: ast.expr, path: Path) -> float:
    """The value of an expression as a float: a number, a signed number, a cast of a number, or arithmetic on these."""
    match node:
        case ast.Constant(value=bool()):
            raise _unreadable(path, node, "a truth value")
        case ast.Constant(value=int() | float() as value):
            return _finite(path, node, lambda: float(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand, path)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _number(operand, path)
        case ast.Call(func=function, args=[argument], keywords=[]) if _name(function) in _CASTS:
            return _number(argument, path)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            a, b = _number(left, path), _number(right, path)
            return _finite(path, node, lambda: _OPERATORS[type(op)](a, b))
        case _:
            raise _unreadable(path, node, expression_text(node, 60))


def _name(function: ast.expr) -> str:
    """`float64` for `float64`, `np.float64` and `numpy.float64`."""
    return expression_text(function).rpartition(".")[2]


def _finite(path: Path, node: ast.expr, compute: Callable[[], object]) -> float:
    try:
        value = compute()
    except ArithmeticError as error:
        raise _unreadable(path, node, str(error)) from None
    if not isinstance(value, float):
        raise _unreadable(path, node, f"{value!r}")
    return value


def _unreadable(path: Path, node: ast.expr, found: str) -> ScoreError:
    hint = f"the file is read, not executed; {_HINT}"
    return ScoreError("unreadable weight", path=path, line=node.lineno, expected="a number", found=found, hint=hint)
