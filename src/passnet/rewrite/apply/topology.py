"""Keep a graph in topological order when several results of a match move to one place."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping

from torch import fx

from passnet.rewrite.canonical.effects import Refusal
from passnet.rewrite.canonical.index import GraphIndex
from passnet.rewrite.match.search import Match


def acyclic(matches: tuple[Match, ...], table: GraphIndex) -> tuple[list[Match], list[Refusal]]:
    """The matches that can all be replaced together, and those given up, later ones first.

    Two matches with several results each may feed one another: each alone is sound, both together are a cycle.
    """
    kept = list(matches)
    refused: list[Refusal] = []
    if all(len(match.outputs) == 1 for match in matches):
        return kept, refused
    while len(kept) > 1:
        stuck = _stuck(kept, table)
        if stuck is None:
            break
        refused.append(Refusal(stuck.nodes[0], "replacing this match together with an earlier one would make a cycle"))
        kept.remove(stuck)
    return kept, refused


def _stuck(matches: list[Match], table: GraphIndex) -> Match | None:
    """The last match on a cycle of the graph in which each match is one node. None when there is no cycle."""
    owner: dict[fx.Node, fx.Node] = {node: match.nodes[-1] for match in matches for node in match.nodes}
    needs: dict[fx.Node, set[fx.Node]] = {}
    for node in table.graph.nodes:
        here = owner.get(node, node)
        sources = (owner.get(source, source) for source in node.all_input_nodes)
        needs.setdefault(here, set()).update(source for source in sources if source is not here)
    done = set(_kahn(needs, table.position))
    return next((match for match in reversed(matches) if match.nodes[-1] not in done), None)


def restore_order(graph: fx.Graph) -> None:
    """Sort the graph topologically, moving only nodes that stand before something they need."""
    rank = {node: index for index, node in enumerate(graph.nodes)}
    if all(rank[source] < rank[node] for node in graph.nodes for source in node.all_input_nodes):
        return
    needs = {node: set(node.all_input_nodes) for node in graph.nodes}
    previous: fx.Node | None = None
    for node in _kahn(needs, rank):
        if previous is not None and previous.next is not node:
            previous.append(node)
        previous = node


def _kahn(needs: Mapping[fx.Node, Iterable[fx.Node]], rank: Mapping[fx.Node, int]) -> list[fx.Node]:
    """Nodes in dependency order, the lowest rank first among those that are ready. Nodes on cycles are left out."""
    waiting = {node: len(set(sources)) for node, sources in needs.items()}
    users: dict[fx.Node, list[fx.Node]] = {}
    for node, sources in needs.items():
        for source in set(sources):
            users.setdefault(source, []).append(node)
    ready = [(rank[node], index, node) for index, (node, count) in enumerate(waiting.items()) if count == 0]
    heapq.heapify(ready)
    order: list[fx.Node] = []
    while ready:
        _, _, node = heapq.heappop(ready)
        order.append(node)
        for user in users.get(node, ()):
            waiting[user] -= 1
            if waiting[user] == 0:
                heapq.heappush(ready, (rank[user], len(order), user))
    return order
