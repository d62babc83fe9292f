"""Finds the non-overlapping places of a graph that a rule may replace, in graph order, and places that it must not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torch import fx

from passnet.rewrite.canonical.effects import EffectRegion, Effects, Refusal
from passnet.rewrite.canonical.index import GraphIndex
from passnet.rewrite.canonical.values import Value, nodes_in
from passnet.rewrite.match.search_state import Environment, SearchBudget
from passnet.rewrite.match.unify import Unifier
from passnet.rewrite.passes.errors import RewriteLimitError
from passnet.rewrite.rules.author_guard import Candidate, Guard, objection
from passnet.rewrite.rules.trace import Pattern


@dataclass(frozen=True, slots=True)
class Match:
    """One place: the graph nodes to remove, the nodes that stay visible, and the value of each parameter.

    `outputs` follow the pattern's return order. `inputs` has a node or a captured literal for each parameter, None for
    those that the pattern does not use. `written_inputs` are graph inputs that pattern and graph both change in place.
    The kernel decides whether they do. `written` are values that pattern or graph changes in place.
    """

    nodes: tuple[fx.Node, ...]
    outputs: tuple[fx.Node, ...]
    inputs: tuple[Value, ...]
    written_inputs: tuple[fx.Node, ...]
    written: tuple[fx.Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """Matches of one rule in one graph, and complete structural matches that were refused, with the reason.

    `tried` are the places where a search began. `rejected_early` are those that the operations alone ruled out.
    """

    matches: tuple[Match, ...]
    refused: tuple[Refusal, ...]
    tried: int = 0
    rejected_early: int = 0


@dataclass(frozen=True, slots=True)
class _Search:
    """State that all searches for one rule in one graph share. `order` are the pattern's outputs, the rarest first."""

    unifier: Unifier
    order: tuple[fx.Node, ...]
    effects: Effects
    applies: Guard | None

    @property
    def pattern(self) -> Pattern:
        return self.unifier.pattern

    @property
    def table(self) -> GraphIndex:
        return self.unifier.table


def find_matches(
    pattern: Pattern, table: GraphIndex, effects: Effects, rule: str, max_steps: int, applies: Guard | None = None
) -> Found:
    """The matches that can be replaced together: of those that overlap the larger one, of equals the earlier one.

    `applies` is the rule's own guard. Raises `RewriteLimitError` after `max_steps` comparisons.
    """
    order = _output_order(pattern, table)
    if any(op.name not in table.by_name for node, op in pattern.ops.items() if node not in pattern.metadata):
        return Found((), (), 0, len(_candidates(order[0], {}, pattern, table)))
    search = _Search(Unifier(pattern, table, SearchBudget(max_steps, rule)), order, effects, applies)
    places = _candidates(order[0], {}, pattern, table)
    roots = [root for root in places if search.unifier.may_match(order[0], root)]
    first: list[tuple[fx.Node, Match]] = []
    refused: list[Refusal] = []
    for root in roots:
        found = _first_valid(search, root, set())
        if isinstance(found, Match):
            first.append((root, found))
        elif found is not None:
            refused.append(found)
    matches = _without_overlap(search, first, refused)
    return Found(matches, tuple(refused), len(roots), len(places) - len(roots))


def _without_overlap(search: _Search, first: list[tuple[fx.Node, Match]], refused: list[Refusal]) -> tuple[Match, ...]:
    """Larger matches before smaller ones, then in graph order. A place whose match is taken may have another match."""
    taken: set[fx.Node] = set()
    chosen: dict[fx.Node, Match] = {}
    for root, match in sorted(first, key=lambda pair: -len(pair[1].nodes)):
        free = match if taken.isdisjoint(match.nodes) else _first_valid(search, root, taken)
        if isinstance(free, Match):
            taken.update(free.nodes)
            chosen[root] = free
        elif free is not None:
            refused.append(free)
    return tuple(chosen[root] for root, _ in first if root in chosen)


def _output_order(pattern: Pattern, table: GraphIndex) -> tuple[fx.Node, ...]:
    """The output with the rarest operation first, because it has the fewest places to check."""
    rarity = {
        node: len(table.by_name.get(pattern.ops[node].name, ())) for node in pattern.outputs if node in pattern.ops
    }
    return tuple(sorted(dict.fromkeys(pattern.outputs), key=lambda node: rarity.get(node, 0)))


def _candidates(p: fx.Node, env: Environment, pattern: Pattern, table: GraphIndex) -> list[fx.Node]:
    """Graph nodes that `p` might be: users of an operand that is bound already, else all of its operation."""
    op = pattern.ops.get(p)
    if op is None:
        return []
    bound = next((env[source] for source in p.all_input_nodes if isinstance(env.get(source), fx.Node)), None)
    if bound is None:
        return table.by_name.get(op.name, [])
    users = [user for user in bound.users if user in table.ops and table.ops[user].name == op.name]
    return sorted(users, key=table.position.__getitem__)


def _first_valid(search: _Search, root: fx.Node, taken: set[fx.Node]) -> Match | Refusal | None:
    """Two equal calls of a pattern match two calls of the graph if it has two. Else they match one call."""
    found = _first_distinct(search, root, taken)
    if isinstance(found, Match) or not search.unifier.collided:
        return found
    return _first(search, root, taken) or found


def _first_distinct(search: _Search, root: fx.Node, taken: set[fx.Node]) -> Match | Refusal | None:
    """The same with a part of the steps only: finding two different calls for two equal ones can take very long."""
    unifier, whole = search.unifier, search.unifier.budget
    share = SearchBudget(whole.left // 4, whole.rule)
    given = share.left
    unifier.budget, unifier.distinct, unifier.collided = share, True, False
    try:
        return _first(search, root, taken)
    except RewriteLimitError:
        unifier.collided = True
        return None
    finally:
        unifier.budget, unifier.distinct = whole, False
        whole.left -= given - max(share.left, 0)


def _first(search: _Search, root: fx.Node, taken: set[fx.Node]) -> Match | Refusal | None:
    refusal: Refusal | None = None
    for env in _assignments(search.unifier, search.order, root, {}):
        found = _validate(search, env, taken)
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
        used = {node for node in env.values() if isinstance(node, fx.Node)}
        for candidate in _candidates(rest[0], env, unifier.pattern, unifier.table):
            if candidate not in used:
                yield from _assignments(unifier, rest, candidate, env)


def _validate(search: _Search, env: Environment, taken: set[fx.Node]) -> Match | Refusal | None:
    pattern, table, effects = search.pattern, search.table, search.effects
    inner = _inner(pattern, table, env)
    inputs = tuple(env.get(p) for p in pattern.parameters)
    outputs = tuple(env[p] for p in pattern.outputs)
    bound = tuple(nodes_in(inputs))
    if not taken.isdisjoint(inner) or any(node in inner for node in bound):
        return None
    if len(set(outputs)) != len(set(pattern.outputs)):
        return None
    nodes = tuple(sorted(inner, key=table.position.__getitem__))
    region = EffectRegion(
        nodes, outputs, bound, _extra_writes(pattern, table, env), inner, _ordered(pattern, table, env)
    )
    refusal = _escape(region) or _shared_effects(pattern, env) or effects.refuse(region)
    refusal = refusal or _written_inputs(effects, region, pattern, table, env) or _order(region, table, effects)
    refusal = refusal or _guarded(search.applies, pattern, inputs, outputs)
    if refusal is not None:
        return refusal
    return Match(nodes, outputs, inputs, effects.written_inputs(region), effects.written_arguments(region))


def _inner(pattern: Pattern, table: GraphIndex, env: Environment) -> frozenset[fx.Node]:
    """The graph's nodes to remove: the computation of the pattern, and reads of sizes without other users."""
    inner = {env[p] for p in pattern.ops if p in env and p not in pattern.metadata}
    reads = {env[p] for p in pattern.metadata if isinstance(env.get(p), fx.Node)}
    for node in sorted(reads, key=table.position.__getitem__, reverse=True):
        if inner.issuperset(node.users):
            inner.add(node)
    return frozenset(inner)


def _guarded(
    guard: Guard | None, pattern: Pattern, inputs: tuple[Value, ...], outputs: tuple[fx.Node, ...]
) -> Refusal | None:
    """The objection of the rule's own guard to the match."""
    if guard is None:
        return None
    names = [str(parameter.target) for parameter in pattern.parameters]
    reason = objection(guard, Candidate(names, inputs, outputs))
    return None if reason is None else Refusal(outputs[0], reason)


def _extra_writes(pattern: Pattern, table: GraphIndex, env: Environment) -> dict[fx.Node, tuple[fx.Node, ...]]:
    """Writes in the pattern where the graph's node does not write in place: the kernel might really do them."""
    extra: dict[fx.Node, tuple[fx.Node, ...]] = {}
    for p, op in pattern.ops.items():
        if op.writes and not table.ops[env[p]].writes:
            extra[env[p]] = tuple(env[target] for target in op.writes if target in env)
    return extra


def _ordered(pattern: Pattern, table: GraphIndex, env: Environment) -> frozenset[tuple[fx.Node, fx.Node]]:
    """Pairs of a writer and a reader of one storage that pattern and graph both have, in the same order."""
    agreed: dict[tuple[fx.Node, fx.Node], bool] = {}
    rank = {p: index for index, p in enumerate(pattern.ops)}
    for writer, op in pattern.ops.items():
        if not op.writes or not table.ops[env[writer]].writes:
            continue
        for p in pattern.ops:
            reads = any(pattern.effects.share_storage(s, t) for s in p.all_input_nodes for t in op.writes)
            if p not in env or p in pattern.metadata or not reads:
                continue
            pair = (env[writer], env[p])
            same = (rank[writer] < rank[p]) == (table.position[pair[0]] < table.position[pair[1]])
            agreed[pair] = agreed.get(pair, True) and same
    return frozenset(pair for pair, same in agreed.items() if same)


def _escape(region: EffectRegion) -> Refusal | None:
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
    effects: Effects, region: EffectRegion, pattern: Pattern, table: GraphIndex, env: Environment
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


def _order(region: EffectRegion, table: GraphIndex, effects: Effects) -> Refusal | None:
    """Several results: nothing outside may stand between them that needs one and feeds another, or has effects."""
    if len(region.nodes) == 1 or len(set(region.outputs)) == 1:
        return None  # only its one result leaves the match, so nothing outside depends on it in between
    position = table.position
    first, last = position[region.nodes[0]], position[region.nodes[-1]]
    later = _dependents_between(region, position, last)
    for node in region.nodes:
        for source in node.all_input_nodes:
            if source in later:
                return Refusal(source, f"%{source.name} depends on one result of the match and feeds another")
    if later and effects.impure_between(first, last):
        return Refusal(next(iter(later)), "a call with effects stands between the results of the match")
    return None


def _dependents_between(region: EffectRegion, position: dict[fx.Node, int], last: int) -> dict[fx.Node, None]:
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
