"""The text of an expression for a message, whatever the expression holds."""

from __future__ import annotations

import ast
import itertools
from typing import Final

MOST_NODES: Final = 200


def expression_text(node: ast.AST, limit: int | None = None) -> str:
    """The source of a node, cut after `limit` characters.

    A node of more than `MOST_NODES` parts is named by its kind, because writing it out takes long. So is one that
    `ast.unparse` cannot write: a deep one, an integer of thousands of digits, and before Python 3.12 an f-string whose
    parts need a backslash.
    """
    if sum(1 for _ in itertools.islice(ast.walk(node), MOST_NODES + 1)) > MOST_NODES:
        return f"a long {type(node).__name__}"
    try:
        text = ast.unparse(node)
    except (ValueError, RecursionError, MemoryError):
        return f"a {type(node).__name__} that cannot be written out"
    return text if limit is None or len(text) <= limit else f"{text[: limit - 3]}..."
