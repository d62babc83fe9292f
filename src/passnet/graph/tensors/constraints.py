"""Reads and writes `input_tensor_constraints.py`: symbolic dimensions, parsed as text (sympy is not needed)."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from passnet.graph.errors import GraphError
from passnet.graph.text.literals import literal, parse_python, snippet

_PREFIX = "dynamic_dim_constraint_"
_LISTS = ("symbols", "symbol2example_value", "relations", "input_shapes")

# A dimension: a size, or the text of a symbol or expression.
Dimension = int | str


@dataclass(frozen=True)
class Constraints:
    """Symbolic shapes of a graph's inputs.

    - `examples`: (symbol, value) pairs.
    - `relations`: kept as text.
    - `input_shapes`: (parameter name, shape) in file order. That order is usually by name: look inputs up by name.
    """

    symbols: tuple[str, ...] = ()
    examples: tuple[tuple[str, int], ...] = ()
    relations: tuple[str, ...] = ()
    input_shapes: tuple[tuple[str, tuple[Dimension, ...]], ...] = ()

    def text(self) -> str:
        """The file's text. Reading it gives an equal record."""
        lines = ["from sympy import Symbol, Expr, Rel, Eq", ""]
        lines += [f'{symbol} = Symbol("{symbol}")' for symbol in self.symbols]
        shapes = ", ".join(f'([{", ".join(map(str, shape))}], "{name}")' for name, shape in self.input_shapes)
        examples = ", ".join(f"{symbol}: {value}" for symbol, value in self.examples)
        bodies = (", ".join(self.symbols), examples, ", ".join(self.relations), shapes)
        for name, body, brackets in zip(_LISTS, bodies, ("[]", "{}", "[]", "[]"), strict=True):
            lines += ["", f"{_PREFIX}{name} = {brackets[0]}{body}{brackets[1]}"]
        return "\n".join(lines) + "\n"


def read_constraints(text: str, path: Path) -> Constraints | None:
    """The constraints of a file, or None when it is empty.  Errors: `GraphError` with file and line."""
    body = parse_python(text, path).body
    if not body:
        return None
    found: dict[str, ast.expr] = {}
    for node in body:
        _statement(node, path, found)
    return Constraints(
        symbols=tuple(_dimension_text(item) for item in _elements(found, "symbols", path)),
        examples=_examples(found.get("symbol2example_value"), path),
        relations=tuple(_dimension_text(item) for item in _elements(found, "relations", path)),
        input_shapes=tuple(_input_shape(item, path) for item in _elements(found, "input_shapes", path)),
    )


def _refuse(node: ast.AST, path: Path, expected: str) -> GraphError:
    line = f"line {getattr(node, 'lineno', '?')}"
    return GraphError("constraint refused", path=path, field=line, expected=expected, found=snippet(node))


def _statement(node: ast.stmt, path: Path, found: dict[str, ast.expr]) -> None:
    if isinstance(node, ast.ImportFrom) and node.module == "sympy" and not node.level:
        return
    if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        raise _refuse(node, path, "an import from sympy or an assignment")
    name = node.targets[0].id
    if name.startswith(_PREFIX) and name.removeprefix(_PREFIX) in _LISTS:
        found[name.removeprefix(_PREFIX)] = node.value
    elif not _is_symbol(node.value):
        raise _refuse(node, path, f'S0 = Symbol("S0") or one of {", ".join(_PREFIX + item for item in _LISTS)}')


def _is_symbol(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Symbol"


def _elements(found: dict[str, ast.expr], name: str, path: Path) -> list[ast.expr]:
    node = found.get(name)
    if node is None:
        return []
    if not isinstance(node, (ast.List, ast.Tuple)):
        raise _refuse(node, path, f"{_PREFIX}{name} to be a list")
    return node.elts


def _dimension_text(node: ast.expr) -> str:
    return snippet(node, limit=10_000)


def _dimension(node: ast.expr) -> Dimension:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return _dimension_text(node)


def _examples(node: ast.expr | None, path: Path) -> tuple[tuple[str, int], ...]:
    if node is None:
        return ()
    if not isinstance(node, ast.Dict):
        raise _refuse(node, path, "a dictionary of symbol to integer")
    pairs = []
    for key, value in zip(node.keys, node.values, strict=True):
        number = literal(value, path, "symbol2example_value")
        if not isinstance(key, ast.Name) or type(number) is not int:
            raise _refuse(node, path, "a dictionary of symbol to integer")
        pairs.append((key.id, number))
    return tuple(pairs)


def _input_shape(node: ast.expr, path: Path) -> tuple[str, tuple[Dimension, ...]]:
    if not isinstance(node, ast.Tuple) or len(node.elts) != 2:
        raise _refuse(node, path, 'a pair ([dimensions], "name")')
    shape, name = node.elts
    if not isinstance(shape, (ast.List, ast.Tuple)) or not isinstance(name, ast.Constant):
        raise _refuse(node, path, 'a pair ([dimensions], "name")')
    text = literal(name, path, "input_shapes")
    if not isinstance(text, str):
        raise _refuse(name, path, "the name of a parameter in quotes")
    return text, tuple(_dimension(item) for item in shape.elts)
