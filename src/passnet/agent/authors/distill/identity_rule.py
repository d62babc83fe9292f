"""The identity rule: it replaces a view by the same view, for variants on which no kernel beats eager."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from passnet.agent.authors.distill.rules import Language, pattern_of
from passnet.agent.lowering.pieces import Pieces
from passnet.errors import PassNetError
from passnet.graph import Graph
from passnet.op_classes import PERMUTATIONS, RESHAPES

# Methods that view the same memory in another way, whatever its layout.
_VIEWS = (RESHAPES | PERMUTATIONS) - {"reshape", "flatten"}


def identity_rule(graph: Graph, language: Language) -> str | None:
    """A rule that replaces one view of the graph by the same view. None for a graph without views."""
    candidates = list(_candidates(graph))
    if not candidates:
        return None
    pieces = Pieces(graph)
    for number, expression in candidates:
        try:
            piece = pieces.cut(number, number).graph
        except PassNetError:
            continue
        if len(piece.specs) == 1 and len(piece.statements()) == 1:
            return _rule(piece, expression, language)
    return None


def _candidates(graph: Graph) -> Iterator[tuple[int, str]]:
    """The number of a statement, and the value that a wrapper returns in its place. `x` is the input."""
    for number, op in enumerate(graph.statements()):
        if op.kind == "method" and op.target in _VIEWS:
            yield number, "view"
        elif op.target.endswith(".dropout") and _is_off(op.args, dict(op.kwargs)):
            yield number, "same"


def _is_off(args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    training = kwargs.get("training", args[2] if len(args) > 2 else True)
    return training is False


def _rule(piece: Graph, expression: str, language: Language) -> str:
    pattern = pattern_of(piece, language.device)
    name = pattern.parameters[0]
    body = ast.parse(pattern.text).body[0]
    assert isinstance(body, ast.FunctionDef)
    statement = body.body[0]
    assert isinstance(statement, ast.Assign)
    result = name if expression == "same" else ast.unparse(statement.value)
    lines = [
        '"""Eager as it is: no kernel was faster, and a view is replaced by itself."""',
        "",
        "import torch",
        "",
        f'DEVICES = ("{language.device}",)',
        "",
        "",
        pattern.text,
        "",
        "",
        f"def replacement_args({name}):",
        f"    return ({name},)",
        "",
        "",
        "@torch.fx.wrap",
        f"def unchanged({name}):",
        f"    return {result}",
        "",
        "",
        "def replacement_func():",
        "    return unchanged",
    ]
    return "\n".join(lines) + "\n"
