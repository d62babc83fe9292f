"""Matches as the published harness does: `torch.fx.symbolic_trace` of the pattern and fx's own matcher, nothing else.

Every spelling, literal and operand order must be the graph's. Writes in place are not checked. This module is only for
comparing with published results.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import torch
from torch import fx
from torch.fx.passes.utils.matcher_utils import InternalMatch, SubgraphMatcher
from torch.overrides import TorchFunctionMode

from passnet.errors import foreign
from passnet.rewrite.canonical.effects import Refusal
from passnet.rewrite.canonical.index import GraphIndex
from passnet.rewrite.canonical.values import canonical_value
from passnet.rewrite.match.search import Found, Match


def find_raw_matches(pattern: Callable[..., object], table: GraphIndex) -> Found:
    """The non-overlapping matches of fx's matcher, in its own order. A pattern that fx cannot trace matches nothing."""
    root = next(iter(table.graph.nodes))
    try:
        with foreign(lambda error: _Unusable(f"torch.fx cannot use the pattern: {type(error).__name__}: {error}")):
            traced = _traced(pattern)
            found = SubgraphMatcher(traced).match(table.graph)
    except _Unusable as error:
        return Found((), (Refusal(root, str(error)),))
    matches = tuple(_match(traced, match, table) for match in found)
    nowhere = () if matches else (Refusal(root, "raw matching finds the pattern nowhere in exactly this spelling"),)
    return Found(matches, nowhere, len(matches))


class _Unusable(Exception):
    """What fx made of the author's code."""


@lru_cache(maxsize=1024)
def _traced(pattern: Callable[..., object]) -> fx.Graph:
    with _MakesNone():
        return fx.symbolic_trace(pattern).graph


class _MakesNone(TorchFunctionMode):
    """Raises where a pattern makes a tensor of numbers alone. fx would compute with it, and no graph holds it."""

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        made = func(*args, **(kwargs or {}))
        if isinstance(made, torch.Tensor):
            raise _Unusable(f"the pattern makes a tensor of its own by {getattr(func, '__name__', func)}")
        return made


def _match(pattern: fx.Graph, match: InternalMatch, table: GraphIndex) -> Match:
    parameters = [node for node in pattern.nodes if node.op == "placeholder"]
    inner = {
        there
        for node, there in match.nodes_map.items()
        if node.op not in ("placeholder", "output") and there in table.position
    }
    nodes = tuple(sorted(inner, key=table.position.__getitem__))
    inputs = tuple(canonical_value(match.nodes_map.get(node)) for node in parameters)
    return Match(nodes, tuple(match.returning_nodes), inputs, ())
