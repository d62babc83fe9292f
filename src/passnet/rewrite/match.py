"""Find the non-overlapping places of a graph that a rule may replace, in graph order, and those it must leave alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torch import fx

from passnet.rewrite.effects import Effects, Refusal, Region
from passnet.rewrite.table import Table
from passnet.rewrite.trace import Pattern
from passnet.rewrite.unify import Budget, Environment, Unifier


@dataclass(frozen=True, slots=True)
class Match:
    """One place: the graph nodes that disappear, what stays visible, and what each parameter stands for.

    `outputs` follow the pattern's return order. `inputs` has None for parameters that the pattern does not use.
    `written_inputs` are graph inputs that pattern and graph both change in place; the kernel decides whether they do.
    """

    nodes: tuple[fx.Node, ...]
    outputs: tuple[fx.Node, ...]
    inputs: tuple[fx.Node | None, ...]
    written_inputs: tuple[fx.Node, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Matches of one rule in one graph, and complete structural matches that were refused, with the reason."""

    matches: tuple[Match, ...]
    refused: tuple[Refusal, ...]


def find_matches(pattern: Pattern, table: Table, effects: Effects, rule: str, max_steps: int) -> Found:
    """All non-overlapping matches: roots in graph order, the first valid assignment of each.

    Raises `RewriteLimitError` after `max_steps` comparisons.
    """
    if any(op.name not in table.by_name for node, op in pattern.ops.items() if node not in pattern.metadata):
        return Found((), ())
    unifier = Unifier(pattern, table, Budget(max_steps, rule))
    order = _output_order(pattern, table)
    taken: set[fx.Node] = set()
    matches: list[Match] = []
    refused: list[Refusal] = []
    for root in _candidates(order[0], {}, pattern, table):
        found = _first_valid(unifier, order, root, effects, taken)
        if isinstance(found, Match):
            taken.update(found.nodes)
            matches.append(found)
        elif found is not None:
            refused.append(found)
    return Found(tuple(matches), tuple(refused))


def _output_order(pattern: Pattern, table: Table) -> tuple[fx.Node, ...]:
    """The output with the rarest operation first: it has the fewest places to look at."""
    rarity = {
        node: len(table.by_name.get(pattern.ops[node].name, ())) for node in pattern.outputs if node in pattern.ops
    }
    return tuple(sorted(dict.fromkeys(pattern.outputs), key=lambda node: rarity.get(node, 0)))


def _candidates(p: fx.Node, env: Environment, pattern: Pattern, table: Table) -> list[fx.Node]:
    """Graph nodes that `p` might be: users of an operand that is bound already, else all of its operation."""
    op = pattern.ops.get(p)
    if op is None:
        return []
    bound = next((env[source] for source in p.all_input_nodes if source in env), None)
    if bound is None:
        return table.by_name.get(op.name, [])
    users = [user for user in bound.users if user in table.ops and table.ops[user].name == op.name]
    return sorted(users, key=table.position.__getitem__)


def _first_valid(
    unifier: Unifier, order: tuple[fx.Node, ...], root: fx.Node, effects: Effects, taken: set[fx.Node]
) -> Match | Refusal | None:
    refusal: Refusal | None = None
    for env in _assignments(unifier, order, root, {}):
        found = _validate(unifier, env, effects, taken)
        if isinstance(found, Match):
            return found
        refusal = refusal or found
    return refusal


def _assignments(
    unifier: Unifier, order: tuple[fx.Node, ...], root: fx.Node, env: Environment
) -> Iterator[Environment]:
    for solved in unifier.solve(order[0], root, env):
        yield from _extend(unifier, order[1:], solved)


def _extend(unifier: Unifier, rest: tuple[fx.Node, ...], env: Environment) -> Iterator[Environment]:
    if not rest:
        yield env
    elif rest[0] in env:
        yield from _extend(unifier, rest[1:], env)
    else:
        used = set(env.values())
        for candidate in _candidates(rest[0], env, unifier.pattern, unifier.table):
            if candidate not in used:
                yield from _assignments(unifier, rest, candidate, env)


def _validate(unifier: Unifier, env: Environment, effects: Effects, taken: set[fx.Node]) -> Match | Refusal | None:
    pattern, table = unifier.pattern, unifier.table
    inner = frozenset(env[p] for p in pattern.ops if p in env and p not in pattern.metadata)
    inputs = tuple(env.get(p) for p in pattern.parameters)
    outputs = tuple(env[p] for p in pattern.outputs)
    if not taken.isdisjoint(inner) or any(node in inner for node in inputs):
        return None
    if len(set(outputs)) != len(set(pattern.outputs)):
        return None
    nodes = tuple(sorted(inner, key=table.position.__getitem__))
    bound = tuple(node for node in inputs if node is not None)
    region = Region(nodes, outputs, bound, _extra_writes(pattern, table, env), inner)
    refusal = _escape(region) or _shared_effects(pattern, env) or effects.refuse(region)
    refusal = refusal or _written_inputs(effects, region, pattern, table, env) or _order(region, table, effects)
    if refusal is not None:
        return refusal
    return Match(nodes, outputs, inputs, effects.written_inputs(region))


def _extra_writes(pattern: Pattern, table: Table, env: Environment) -> dict[fx.Node, tuple[fx.Node, ...]]:
    """Writes that the pattern spells where the graph's node is out of place: the kernel might really do them."""
    extra: dict[fx.Node, tuple[fx.Node, ...]] = {}
    for p, op in pattern.ops.items():
        if op.writes and not table.ops[env[p]].writes:
            extra[env[p]] = tuple(env[target] for target in op.writes if target in env)
    return extra


def _escape(region: Region) -> Refusal | None:
    for node in region.nodes:
        if node in region.outputs:
            continue
        for user in node.users:
            if user not in region.members:
                return Refusal(node, f"value escapes: %{node.name} is used by %{user.name} outside the match")
    return None


def _shared_effects(pattern: Pattern, env: Environment) -> Refusal | None:
    """Two pattern nodes may be one graph node only when computing it twice would make no difference."""
    seen: dict[fx.Node, fx.Node] = {}
    for p, op in pattern.ops.items():
        first = seen.setdefault(env[p], p) if p in env else p
        if first is not p and not op.pure:
            return Refusal(
                env[p], f"{first.name} and {p.name} of the pattern are one call in the graph, and it has effects"
            )
    return None


def _written_inputs(
    effects: Effects, region: Region, pattern: Pattern, table: Table, env: Environment
) -> Refusal | None:
    """A graph input may only be written where pattern and graph both say so: its owner sees the difference."""
    written = effects.written_inputs(region)
    if not written:
        return None
    for p, op in pattern.ops.items():
        if p in env and op.writes != () and table.ops[env[p]].writes != ():
            continue
        if p in env and (op.writes != ()) != (table.ops[env[p]].writes != ()):
            side = "the graph" if table.ops[env[p]].writes else "the pattern"
            name = written[0].name
            return Refusal(
                env[p], f"only {side} changes graph input %{name} in place: spell {p.name} as the graph does"
            )
    return None


def _order(region: Region, table: Table, effects: Effects) -> Refusal | None:
    """Several results: nothing outside may stand between them that needs one and feeds another, or has effects."""
    position = table.position
    first = min(position[node] for node in region.nodes)
    last = max(position[node] for node in region.nodes)
    later = _dependents_between(region, position, last)
    for node in region.nodes:
        for source in node.all_input_nodes:
            if source in later:
                return Refusal(source, f"%{source.name} depends on one result of the match and feeds another")
    if later and effects.impure_between(first, last):
        return Refusal(next(iter(later)), "a call with effects stands between the results of the match")
    return None


def _dependents_between(region: Region, position: dict[fx.Node, int], last: int) -> dict[fx.Node, None]:
    """Outside nodes before position `last` that need a value of the region, in order of discovery."""
    found: dict[fx.Node, None] = {}
    pending = [user for node in region.nodes for user in node.users]
    while pending:
        user = pending.pop()
        if user in region.members or user in found or position[user] > last:
            continue
        found[user] = None
        pending.extend(user.users)
    return found
