"""Calls of a graph that compute one value twice: they count as one node when a pattern computes it once."""

from __future__ import annotations

from torch import fx

from passnet.rewrite.canonical.effects import Effects
from passnet.rewrite.canonical.index import GraphIndex
from passnet.rewrite.canonical.normalize import CanonicalOp
from passnet.rewrite.canonical.values import Value, map_nodes


def find_repeats(table: GraphIndex, effects: Effects) -> dict[fx.Node, fx.Node]:
    """Each later twin and the first call with the same operation and arguments.

    Only calls without effects, on storage that nothing writes. Other calls may see different values although their text
    is the same.
    """
    alike: dict[Value, list[fx.Node]] = {}
    repeats: dict[fx.Node, fx.Node] = {}
    for node, op in table.ops.items():
        sources = [repeats.get(source, source) for source in node.all_input_nodes]
        others = alike.setdefault((op.name, *sources), [])
        others.append(node)
        if len(others) == 1 or not op.pure or op.target is not None or effects.written(node, *sources):
            continue
        key = _key(op, repeats)
        earlier = next((other for other in others[:-1] if _key(table.ops[other], repeats) == key), None)
        if earlier is not None:
            others.pop()
            repeats[node] = earlier
    return repeats


def _key(op: CanonicalOp, repeats: dict[fx.Node, fx.Node]) -> Value:
    # Types are part of the key: 1, 1.0 and True are equal, and give different dtypes.
    args = (map_nodes(_typed(op.args[key]), lambda node: repeats.get(node, node)) for key in sorted(op.args))
    return (op.name, *sorted(op.args), *args)


def _typed(value: Value) -> Value:
    if isinstance(value, tuple):
        return tuple(_typed(item) for item in value)
    return value if isinstance(value, fx.Node) else (type(value).__name__, repr(value))
