"""The parts of a search for matches: open goals, bindings, the remaining steps, and differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from torch import fx

from passnet.rewrite.canonical.normalize import CanonicalOp
from passnet.rewrite.canonical.values import Value
from passnet.rewrite.passes.errors import RewriteLimitError

Environment = dict[fx.Node, Any]
"""Pattern node -> graph node, or the literal that an annotated parameter stands for."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first difference between a pattern node and the graph: what the rule expects, and what the graph has."""

    pattern_node: str
    expected: str
    found: str
    reason: str


class Goal(NamedTuple):
    """Two values that must agree: argument `key` of the pattern node `owner` against that of a graph operation."""

    pattern: Value
    graph: Value
    owner: fx.Node
    key: str
    op: CanonicalOp


@dataclass(slots=True)
class SearchBudget:
    """Steps that one rule may spend on one graph. Commuted operands can multiply the work of a hostile pattern."""

    left: int
    rule: str

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise RewriteLimitError(
                f"rule {self.rule}: matching took too many steps",
                hint="split the pattern: it has many operands that may be swapped",
            )
