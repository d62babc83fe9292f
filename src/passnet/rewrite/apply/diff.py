"""The change that a pass set would make to a graph, as text, line by line."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from torch import fx

from passnet.rewrite.apply.rewriting import Rewritten


def graph_diff(original: fx.GraphModule, rewritten: Rewritten, context: int = 2) -> str:
    """A unified diff of the graphs, one call a line. Empty when no rule matched.

    The results of a replacement keep their old names, so calls that only read them do not show.
    """
    if not rewritten.total:
        return ""
    names = {new: old for record in rewritten.records for old, new in record.outputs.items()}
    before = [_line(node, {}) for node in original.graph.nodes]
    after = [_line(node, names) for node in rewritten.gm.graph.nodes]
    lines = difflib.unified_diff(before, after, "captured", "rewritten", n=context, lineterm="")
    return "\n".join(lines) + "\n"


def _line(node: fx.Node, names: Mapping[str, str]) -> str:
    arguments = [_text(value, names) for value in node.args]
    arguments += [f"{key}={_text(value, names)}" for key, value in node.kwargs.items()]
    if node.op == "output":
        return f"return {', '.join(arguments)}"
    target = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", repr(node.target))
    call = f".{target}" if node.op == "call_method" else target
    return f"{_text(node, names)} = {node.op if node.op == 'placeholder' else call}({', '.join(arguments)})"


def _text(value: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, fx.Node):
        return "%" + names.get(value.name, value.name)
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(_text(item, names) for item in value) + "]"
    if isinstance(value, slice):
        return ":".join("" if part is None else _text(part, names) for part in (value.start, value.stop, value.step))
    return repr(value)
