"""Say why a rule matched nothing: the place that agrees with most of the pattern, and the first difference."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from torch import fx

from passnet.rewrite.canonical.effects import Refusal
from passnet.rewrite.canonical.index import GraphIndex
from passnet.rewrite.canonical.values import show
from passnet.rewrite.match.search_state import Environment, Goal, Mismatch, SearchBudget
from passnet.rewrite.match.unify import Unifier
from passnet.rewrite.rules.trace import Pattern

MAX_PLACES = 200  # places checked per rule: an explanation need not be the best of thousands


@dataclass(frozen=True, slots=True)
class NearMiss:
    """The best partial match of a rule in a graph. `place` is the graph node where the pattern's result would be."""

    graph: str
    rule: str
    pattern_node: str
    expected: str
    found: str
    reason: str
    place: str | None = None

    def to_json(self) -> dict[str, str | None]:
        """The record of `passnet check`."""
        return {
            "graph": self.graph,
            "rule": self.rule,
            "pattern_node": self.pattern_node,
            "expected": self.expected,
            "found": self.found,
            "reason": self.reason,
            "place": self.place,
        }

    def text(self) -> str:
        """One line that an author can act on."""
        where = f" near %{self.place}" if self.place else ""
        return f"{self.rule} does not match{where}: at %{self.pattern_node} of the pattern: {self.reason}"


def nearest_miss(graph: str, rule: str, pattern: Pattern, table: GraphIndex, refused: tuple[Refusal, ...]) -> NearMiss:
    """The explanation for a rule without a match. The first of these that exists is the best one:

    1. a structurally complete match that was refused
    2. an operation that the graph does not have at all
    3. the partial match with the most agreeing nodes, the earliest of equals
    """
    if refused:
        first = refused[0]
        return NearMiss(
            graph,
            rule,
            pattern.outputs[0].name,
            "a match that may be replaced",
            show(first.node),
            first.reason,
            first.node.name,
        )
    absent = _absent(pattern, table)
    best = _best_partial(rule, pattern, table)
    if absent is not None and (best is None or best[0] == 0):
        return NearMiss(graph, rule, absent.pattern_node, absent.expected, absent.found, absent.reason)
    if best is None:
        return NearMiss(graph, rule, pattern.outputs[0].name, "a match", "none", "its places overlap or share values")
    _, place, miss = best
    return NearMiss(graph, rule, miss.pattern_node, miss.expected, miss.found, miss.reason, place.name)


def _absent(pattern: Pattern, table: GraphIndex) -> Mismatch | None:
    for node, op in pattern.ops.items():
        if node in pattern.metadata or op.name in table.by_name:
            continue
        close = get_close_matches(op.name, list(table.by_name), n=3)
        found = ", ".join(close) if close else ", ".join(sorted(table.by_name)[:8])
        return Mismatch(node.name, op.name, found or "no operation", f"operation {op.name} is not in the graph")
    return None


def _best_partial(rule: str, pattern: Pattern, table: GraphIndex) -> tuple[int, fx.Node, Mismatch] | None:
    unifier = Unifier(pattern, table, SearchBudget(1_000_000, rule))
    best: tuple[int, fx.Node, Mismatch] | None = None
    for output in dict.fromkeys(pattern.outputs):
        if output not in pattern.ops:
            continue
        for place in table.by_name.get(pattern.ops[output].name, [])[:MAX_PLACES]:
            count, miss = _agree(unifier, output, place)
            if miss is not None and (best is None or count > best[0]):
                best = (count, place, miss)
    return best


def _agree(unifier: Unifier, output: fx.Node, place: fx.Node) -> tuple[int, Mismatch | None]:
    """How many pattern nodes agree when the search goes on past differences, and the first of those."""
    env: Environment = {}
    goals: list[Goal] = []
    late: list[Goal] = []
    misses = [unifier.enter(output, place, env, goals)]
    while goals:
        goal = goals.pop()
        if unifier.is_commuted(goal):
            goals.extend(unifier.likely_order(goal, env))
        else:
            misses.append(unifier.step(goal, env, goals, late))
    misses.extend(unifier.check_late(goal, env) for goal in late)
    agreed = sum(1 for node in env if node in unifier.pattern.ops)
    found = [miss for miss in misses if miss is not None]
    return agreed - len(found), found[0] if found else None
