"""Finds calls that must not be moved or dropped: writes into storage that other calls still read, and state changes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import fx

from passnet.rewrite.canonical import op_tables
from passnet.rewrite.canonical.index import GraphIndex, build_table
from passnet.rewrite.canonical.normalize import CanonicalOp
from passnet.rewrite.canonical.values import example_value

Writes = Mapping[fx.Node, tuple[fx.Node, ...]]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a structurally complete match must not be replaced, and at which graph node that shows."""

    node: fx.Node
    reason: str


@dataclass(frozen=True, slots=True)
class EffectRegion:
    """A candidate for replacement: its nodes in graph order, the results that stay visible, the values that it reads.

    `members` is `nodes` for look-ups. `extra_writes` are writes that the pattern spells although the graph has none
    there: the kernel may do them too. `ordered` are pairs of a call that writes and one that reads the same storage
    whose order the pattern spells as the graph has it.
    """

    nodes: tuple[fx.Node, ...]
    outputs: tuple[fx.Node, ...]
    inputs: tuple[fx.Node, ...]
    extra_writes: Writes
    members: frozenset[fx.Node]
    ordered: frozenset[tuple[fx.Node, fx.Node]] = frozenset()


class Effects:
    """Alias classes, writes and barriers of one graph, and the question whether a region may become one call.

    A class holds all nodes that may share storage. Classes without writes need no care, and most have none. Where an
    operator gives several tensors of which each has storage of its own, the nodes that take one of them out are a
    class, and the node of the operator stands for all these classes.
    """

    def __init__(self, table: GraphIndex) -> None:
        self._ops = table.ops
        self._position = table.position
        self._parent: dict[fx.Node, fx.Node] = {}
        self._items: dict[fx.Node, dict[int, fx.Node]] = {
            node: {} for node, op in table.ops.items() if _only_taken_apart(node, op, table.ops)
        }
        for node, op in table.ops.items():
            for source in self._same_storage(node, op):
                self._union(node, source)
        self._members: dict[fx.Node, list[fx.Node]] = {}
        for node in table.graph.nodes:
            self._members.setdefault(self._root(node), []).append(node)
        self._writers: dict[fx.Node, list[fx.Node]] = {}
        for node, op in table.ops.items():
            for root in {self._root(target): None for target in op.writes}:
                self._writers.setdefault(root, []).append(node)
        barriers = [node for node, op in table.ops.items() if op.name in op_tables.BARRIERS]
        self._barriers = {self._position[node]: node for node in barriers}
        impure = [self._position[node] for node, op in table.ops.items() if not op.pure]
        self._impure = sorted(impure)

    def written(self, *nodes: fx.Node) -> bool:
        """Whether anything writes to storage of one of the nodes."""
        return bool(self._writers) and any(root in self._writers for node in nodes for root in self._roots(node))

    def share_storage(self, left: fx.Node, right: fx.Node) -> bool:
        """Whether two nodes may be views of one storage."""
        return not self._roots(left).isdisjoint(self._roots(right))

    def written_inputs(self, region: EffectRegion) -> tuple[fx.Node, ...]:
        """Graph inputs and constants whose storage the region writes or, by its pattern, may write."""
        if not self._writers and not region.extra_writes:
            return ()
        targets = [t for node in region.nodes for t in self._targets(node, region)]
        members = {member: None for target in targets for member in self._members[self._root(target)]}
        owned = [node for node in members if node.op in ("placeholder", "get_attr")]
        return tuple(sorted(owned, key=self._position.__getitem__))

    def written_arguments(self, region: EffectRegion) -> tuple[fx.Node, ...]:
        """The values that the region reads and, in the graph or by its pattern, writes in place: a kernel may too."""
        if not self._writers and not region.extra_writes:
            return ()
        roots = {self._root(target) for node in region.nodes for target in self._targets(node, region)}
        return tuple(node for node in region.inputs if not roots.isdisjoint(self._roots(node)))

    def impure_between(self, first: int, last: int) -> bool:
        """Whether any call after `first` and up to `last` has an effect, so that nothing may be moved past `last`."""
        index = bisect_right(self._impure, first)
        return index < len(self._impure) and self._impure[index] <= last

    def refuse(self, region: EffectRegion) -> Refusal | None:
        """None when one call after the last node of the region may take its place, else the first reason against it."""
        first, last = self._position[region.nodes[0]], self._position[region.nodes[-1]]
        for position, node in self._barriers.items():
            if first < position < last:
                return Refusal(node, f"{node.name} inside the match changes how later operations behave")
        if not self._writers and not region.extra_writes:
            return None
        roots = {root for node in (*region.nodes, *region.inputs) for root in self._roots(node)}
        for root in sorted(roots, key=self._position.__getitem__):
            found = self._refuse_class(root, region, last)
            if found is not None:
                return found
        return None

    def _refuse_class(self, root: fx.Node, region: EffectRegion, last: int) -> Refusal | None:
        inner = [n for n in region.nodes if any(self._root(t) is root for t in self._targets(n, region))]
        writers = self._writers.get(root, [])
        if not inner and not writers:
            return None
        start = min(self._position[n] for n in region.nodes if self._touches(n, root))
        outer = [w for w in writers if w not in region.members and self._position[w] > start]
        between = next((w for w in outer if self._position[w] < last), None)
        if between is not None:
            return Refusal(between, f"{between.name} writes in place to storage that the match reads")
        unordered = next((n for w in inner for n in self._unordered_readers(w, root, region)), None)
        if unordered is not None:
            return Refusal(unordered, f"{unordered.name} reads storage that another call of the match writes in place")
        results = {node for node in region.outputs if root in self._roots(node)}
        mine = sorted(results, key=self._position.__getitem__)
        if not inner and not (outer and mine):
            return None
        if len(mine) > 1 and (outer or self._position[mine[0]] < max(self._position[node] for node in inner)):
            return Refusal(mine[1], f"{mine[0].name} and {mine[1].name} share storage that is written in place")
        return self._observer(root, region, mine, inner, outer)

    def _unordered_readers(self, writer: fx.Node, root: fx.Node, region: EffectRegion) -> Iterator[fx.Node]:
        """Nodes of the region that read the written storage, but neither feed the writer nor read its result.

        Only data flow orders the steps of a kernel. It would be left to chance whether such a node sees the change. The
        exception is a pattern that itself reads a view of what it writes: its order of calls is then part of its
        meaning. The writer itself may read its target, but no other view of it.
        """
        before = _ancestors(writer, region.members)
        targets = self._targets(writer, region)
        for node in region.nodes:
            if node in before:
                continue
            for source in node.all_input_nodes:
                expected = source in targets if node is writer else source is writer or self._derived(source, writer)
                if self._root(source) is root and not expected and (writer, node) not in region.ordered:
                    yield node

    def _observer(
        self, root: fx.Node, region: EffectRegion, mine: list[fx.Node], inner: list[fx.Node], outer: list[fx.Node]
    ) -> Refusal | None:
        """A call outside the region that reads the written storage other than through the region's result."""
        when = min(self._position[node] for node in (*inner, *outer))
        latest = max((self._position[node] for node in inner), default=-1)
        for member in dict.fromkeys((*self._members[root], *mine)):
            is_result = member in mine and self._position[member] >= latest
            if is_result or (member not in mine and any(self._derived(member, node) for node in mine)):
                continue
            for user in member.users:
                if user not in region.members and self._position[user] > when:
                    return Refusal(user, f"{user.name} reads {member.name}, whose storage is written in place")
        return None

    def _targets(self, node: fx.Node, region: EffectRegion) -> tuple[fx.Node, ...]:
        return self._ops[node].writes + region.extra_writes.get(node, ())

    def _touches(self, node: fx.Node, root: fx.Node) -> bool:
        return any(root in self._roots(value) for value in (node, *node.all_input_nodes))

    def _derived(self, node: fx.Node, source: fx.Node) -> bool:
        """Whether `node` is a view (of a view ...) of `source`, or an in-place result of one."""
        pending, seen = [node], {node}
        while pending:
            for parent in self._aliases(pending.pop()):
                if parent is source:
                    return True
                if parent not in seen:
                    seen.add(parent)
                    pending.append(parent)
        return False

    def _aliases(self, node: fx.Node) -> Iterable[fx.Node]:
        op = self._ops.get(node)
        return () if op is None else _shared(node, op)

    def _same_storage(self, node: fx.Node, op: CanonicalOp) -> tuple[fx.Node, ...]:
        """The nodes whose classes become this node's."""
        source = op.args.get("input")
        if isinstance(source, fx.Node) and source in self._items:
            place = _item(op, self._ops[source].fresh)
            if place is not None:
                return (self._items[source].setdefault(place, node),)
        return _shared(node, op)

    def _roots(self, node: fx.Node) -> frozenset[fx.Node]:
        """The classes that a node stands for."""
        return frozenset(map(self._root, (node, *self._items.get(node, {}).values())))

    def _root(self, node: fx.Node) -> fx.Node:
        root = node
        while root in self._parent:
            root = self._parent[root]
        while node is not root:
            self._parent[node], node = root, self._parent[node]
        return root

    def _union(self, left: fx.Node, right: fx.Node) -> None:
        a, b = self._root(left), self._root(right)
        if a is not b:
            early, late = sorted((a, b), key=self._position.__getitem__)
            self._parent[late] = early


def changes_inputs(module: fx.GraphModule) -> bool:
    """Whether a call may change an input or a constant of the graph, so that it cannot be made twice."""
    nodes = list(module.graph.nodes)
    given = [node for node in nodes if node.op in ("placeholder", "get_attr")]
    opaque = any(node.op == "call_module" for node in nodes)
    return opaque or Effects(build_table(module.graph)).written(*given)


def _ancestors(node: fx.Node, within: frozenset[fx.Node]) -> set[fx.Node]:
    found: set[fx.Node] = set()
    pending = [source for source in node.all_input_nodes if source in within]
    while pending:
        source = pending.pop()
        if source not in found:
            found.add(source)
            pending.extend(s for s in source.all_input_nodes if s in within)
    return found


def _only_taken_apart(node: fx.Node, op: CanonicalOp, ops: Mapping[fx.Node, CanonicalOp]) -> bool:
    """Whether a node gives several tensors that share no storage, and all that is done with them is to take one out."""
    if not op.fresh or isinstance(example_value(node), torch.Tensor):
        return False
    return all(user in ops and _item(ops[user], op.fresh) is not None for user in node.users)


def _item(op: CanonicalOp, count: int) -> int | None:
    """Which of `count` results a call takes out. None if it is another call."""
    index = op.args.get("index") if op.name == "getitem" else None
    return index % count if type(index) is int and -count <= index < count else None


def _shared(node: fx.Node, op: CanonicalOp) -> tuple[fx.Node, ...]:
    """The nodes whose storage this node's result may be: none where a cast or a pad certainly made a new tensor."""
    if op.name in op_tables.INPUT_OR_NEW and op.aliases:
        result, source = example_value(node), example_value(op.aliases[0])
        known = isinstance(result, torch.Tensor) and isinstance(source, torch.Tensor)
        if known and _kind(result) != _kind(source):
            return ()
    return op.aliases


def _kind(value: torch.Tensor) -> tuple[torch.Size, torch.dtype, torch.device]:
    return value.shape, value.dtype, value.device
