"""Normalises similar calls once. Models repeat their layers, so most calls differ only in their nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import fx

from passnet.rewrite.canonical.normalize import CanonicalOp, normalize
from passnet.rewrite.canonical.values import Value, example_value, literal_kind, map_nodes

_LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class _Slot:
    """A place in a form for a node: the call's distinct node number `index`."""

    index: int


@dataclass(frozen=True, slots=True)
class _Form:
    """An `CanonicalOp` without its nodes: `slots` are arguments that are one node, `nested` those with nodes inside."""

    op: CanonicalOp
    slots: tuple[tuple[str, int], ...]
    nested: tuple[tuple[str, Value], ...]
    writes: tuple[int, ...]
    aliases: tuple[int, ...]

    def fill(self, nodes: list[fx.Node]) -> CanonicalOp:
        """The operation with the nodes of one call."""
        op = self.op
        args = op.args.copy()
        for key, index in self.slots:
            args[key] = nodes[index]
        for key, value in self.nested:
            args[key] = _filled(value, nodes)
        writes = tuple(nodes[index] for index in self.writes)
        aliases = tuple(nodes[index] for index in self.aliases)
        return CanonicalOp(op.name, args, op.defaults, op.inplace, writes, aliases, op.target, op.fresh)


class Recall:
    """Remembers the forms of calls by their properties. Holds no nodes, so it outlives graphs."""

    def __init__(self) -> None:
        self._forms: dict[object, _Form | None] = {}

    def normalize(self, node: fx.Node) -> CanonicalOp | None:
        """`normalize(node)`, remembered."""
        if node.op not in ("call_function", "call_method"):
            return None
        nodes: list[fx.Node] = []
        index: dict[fx.Node, int] = {}
        named = _entries(node.kwargs, nodes, index) if node.kwargs else None
        key = (node.op, node.target, _items(node.args, nodes, index), named)
        try:
            form = self._forms.get(key)
        except TypeError:  # an argument without a hash
            return normalize(node)
        if form is not None:
            return form.fill(nodes)
        op = normalize(node)
        # A function that torch does not know would be kept alive, and with it the pass that it came from.
        if op is not None and op.target is None:
            if len(self._forms) >= _LIMIT:
                self._forms.clear()
            self._forms[key] = _form(op, index)
        return op


def _form(op: CanonicalOp, index: Mapping[fx.Node, int]) -> _Form:
    slots = tuple((key, index[value]) for key, value in op.args.items() if isinstance(value, fx.Node))
    blank = {key: map_nodes(value, lambda node: _Slot(index[node])) for key, value in op.args.items()}
    nested = tuple((key, value) for key, value in blank.items() if isinstance(value, tuple) and value != op.args[key])
    bare = CanonicalOp(op.name, blank, op.defaults, op.inplace, (), (), op.target, op.fresh)
    return _Form(bare, slots, nested, tuple(index[n] for n in op.writes), tuple(index[n] for n in op.aliases))


def _filled(value: Value, nodes: list[fx.Node]) -> Value:
    if isinstance(value, _Slot):
        return nodes[value.index]
    return tuple(_filled(item, nodes) for item in value) if isinstance(value, tuple) else value


def _look(value: Value, nodes: list[fx.Node], index: dict[fx.Node, int]) -> Value:
    """Everything that normalising may depend on: typed literals, which nodes are the same, and the values of nodes."""
    kind = type(value)
    if kind is fx.Node:
        place = index.get(value)
        if place is None:
            place = index[value] = len(nodes)
            nodes.append(value)
        return (_Slot, place, _holds(value))
    look = _CONTAINERS.get(kind)
    return look(value, nodes, index) if look is not None else (kind, value)


def _holds(node: fx.Node) -> Value:
    value = example_value(node)
    if isinstance(value, torch.Tensor):
        return (torch.Tensor, value.dim() == 0)
    return (type(value), literal_kind(node))


def _items(value: Value, nodes: list[fx.Node], index: dict[fx.Node, int]) -> Value:
    return (tuple, *[_look(item, nodes, index) for item in value])


def _entries(value: Value, nodes: list[fx.Node], index: dict[fx.Node, int]) -> Value:
    return (dict, *[(key, _look(item, nodes, index)) for key, item in value.items()])


def _slice(value: Value, nodes: list[fx.Node], index: dict[fx.Node, int]) -> Value:
    return (slice, *[_look(item, nodes, index) for item in (value.start, value.stop, value.step)])


_CONTAINERS: Mapping[type, Callable[[Value, list[fx.Node], dict[fx.Node, int]], Value]] = {
    tuple: _items,
    list: _items,
    torch.Size: _items,
    slice: _slice,
    dict: _entries,
    fx.immutable_collections.immutable_list: _items,
    fx.immutable_collections.immutable_dict: _entries,
}
