"""Finds weights of one shape behind both values whose rows meet in a product: of two towers, of a query and a key.

Rows of data that are near each other are so no longer behind two weights that are drawn apart.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from passnet.graph.text.program import refs_of
from passnet.graph.values.constants import constants
from passnet.graph.values.inputs import hardened
from passnet.graph.values.paired_rows import paired_values
from passnet.graph.values.roles import roles_of
from passnet.graph.values.writes import renewed

if TYPE_CHECKING:
    from passnet.graph.graph import Graph


def paired_weights(graph: Graph) -> list[tuple[int, int]]:
    """Two and two weights, of one dtype, shape and role, in the order in which the program uses them. The second one of
    each pair is in no other.
    """
    flows, roles = hardened(graph), roles_of(graph.program, graph.specs)
    weights = {
        index: (spec.dtype, spec.shape, roles[index])
        for index, spec in enumerate(graph.specs)
        if spec.is_inexact and spec.numel > 1 and index not in flows and index not in constants(graph)
    }
    if len(weights) < 2:
        return []
    behind = _behind(graph)
    found: dict[int, int] = {}
    for one, other in paired_values(graph):
        ways = ((one, other), (other, one))
        own, others = ([i for i in behind[a] if i in weights and i not in behind[b]] for a, b in ways)
        for kind in dict.fromkeys(weights[index] for index in own):
            both = [[index for index in each if weights[index] == kind] for each in (own, others)]
            for first, second in zip(*both, strict=False):
                if not {first, second} & {*found, *found.values()}:
                    found[second] = first
    return [(first, second) for second, first in found.items()]


def _behind(graph: Graph) -> dict[int, dict[int, None]]:
    """The inputs from which each value follows, in the order in which they are used."""
    behind: dict[int, dict[int, None]] = {index: {index: None} for index in range(len(graph.specs))}
    for place, op in enumerate(renewed(graph).statements, start=len(graph.specs)):
        refs = [ref.index for ref in refs_of((*op.args, *(value for _, value in op.kwargs)))]
        behind[place] = dict.fromkeys(itertools.chain.from_iterable(behind[ref] for ref in refs))
    return behind
