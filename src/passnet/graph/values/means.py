"""Whether a graph takes means of its numbers, of which a form rounds otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passnet.op_classes import word_set

if TYPE_CHECKING:
    from passnet.graph import Graph

CENTRING = word_set("layer_norm group_norm instance_norm batch_norm var std var_mean std_mean")
_SUBTRACTING = word_set("sub sub_ subtract rsub isub")


def takes_means(graph: Graph) -> bool:
    """Whether a mean is taken from a graph's numbers."""
    used = {op.leaf for op in graph.program.ops}
    return bool(used & CENTRING or ("mean" in used and used & _SUBTRACTING))
