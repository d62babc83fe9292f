"""Find assignments of graph nodes to pattern nodes: structural unification with commuted operands tried both ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import fx

from passnet.rewrite.canonical.associative import ASSOCIATIVE, Operand, OperandSet, cuts, flattened
from passnet.rewrite.canonical.index import GraphIndex
from passnet.rewrite.canonical.normalize import CanonicalOp
from passnet.rewrite.canonical.shape_args import first_tensor, resolve
from passnet.rewrite.canonical.values import (
    TAG,
    Value,
    as_literal,
    example_value,
    is_plain_literal,
    kind_of,
    map_nodes,
    nodes_in,
    same_literal,
    show,
)
from passnet.rewrite.match.search_state import Environment, Goal, Mismatch, SearchBudget
from passnet.rewrite.rules.trace import Pattern


class Unifier:
    """One pattern against one graph, for all searches of a rule.

    While `distinct` is set, no call of the graph stands for two calls of the pattern. `collided` says that this
    mattered.
    """

    def __init__(self, pattern: Pattern, table: GraphIndex, budget: SearchBudget) -> None:
        self.pattern = pattern
        self.table = table
        self.budget = budget
        self.distinct = self.collided = False
        kept = frozenset(pattern.outputs) | pattern.metadata
        found = ((p, flattened(p, pattern.ops, kept)) for p, op in pattern.ops.items() if _may_regroup(op))
        flats = {p: flat for p, flat in found if flat is not None}
        inside = {p for flat in flats.values() for p in flat.inner[1:]}
        self._flat = {p: _specific_first(flat) for p, flat in flats.items() if p not in inside}

    def solve(self, p: fx.Node, g: fx.Node, start: Environment) -> Iterator[Environment]:
        """Every assignment that extends `start` and maps `p` to `g`, straight operands first."""
        env = dict(start)
        goals: list[Goal] = []
        late: list[Goal] = []
        if self.enter(p, g, env, goals) is None:
            yield from self._run(goals, late, env)

    def _run(self, goals: list[Goal], late: list[Goal], env: Environment) -> Iterator[Environment]:
        while goals:
            goal = goals.pop()
            if self.is_commuted(goal):
                for first, second in self._orders(goal, env):
                    yield from self._run([*goals, second, first], list(late), dict(env))
                for more, mapped in self._groupings(goal, env):
                    yield from self._run([*goals, *more], list(late), {**env, **mapped})
                return
            if self.step(goal, env, goals, late) is not None:
                return
        if all(self.check_late(goal, env) is None for goal in late):
            yield env

    @staticmethod
    def is_commuted(goal: Goal) -> bool:
        """Whether the goal stands for two operands in either order."""
        return goal.key == _COMMUTED

    def likely_order(self, goal: Goal, env: Environment) -> tuple[Goal, Goal]:
        """The order of operands that looks better from the outside, for explanations."""
        p = self.pattern.ops[goal.pattern]
        orders = []
        for left, right in (("input", "other"), ("other", "input")):
            first = Goal(p.args["input"], goal.op.args[left], goal.owner, "input", goal.op)
            second = Goal(p.args["other"], goal.op.args[right], goal.owner, "other", goal.op)
            orders.append((self._plausible(first, env) + self._plausible(second, env), (second, first)))
        return orders[1][1] if orders[1][0] > orders[0][0] else orders[0][1]

    def _orders(self, goal: Goal, env: Environment) -> Iterator[tuple[Goal, Goal]]:
        p = self.pattern.ops[goal.pattern]
        for left, right in (("input", "other"), ("other", "input")):
            first = Goal(p.args["input"], goal.op.args[left], goal.owner, "input", goal.op)
            second = Goal(p.args["other"], goal.op.args[right], goal.owner, "other", goal.op)
            if self._plausible(first, env) and self._plausible(second, env):
                yield first, second

    def _groupings(self, goal: Goal, env: Environment) -> Iterator[tuple[list[Goal], Environment]]:
        """Ways to pair the operands of a whole sum (product ...) of the pattern with those of one of the graph."""
        p = goal.pattern
        wanted = self._flat.get(p)
        if wanted is None or any(node in env for node in wanted.inner[1:]):
            return
        for there in cuts(env[p], self.table.ops, len(wanted.operands)):
            mapped = dict(zip(wanted.inner, there.inner, strict=True))
            for operands in self._pairings(wanted.operands, there.operands, env):
                yield operands, mapped

    def _pairings(
        self, wanted: tuple[Operand, ...], there: tuple[Operand, ...], env: Environment
    ) -> Iterator[list[Goal]]:
        if len(wanted) == 0 or (len(wanted) > MAX_FREE and all(self._is_free(item, env) for item in wanted)):
            # Many operands, and any of them may match any other: one pairing is as good as another.
            yield [self._operand_goal(p, g) for p, g in zip(wanted, there, strict=True)]
            return
        self.budget.spend()
        first, *rest = wanted
        for index, operand in enumerate(there):
            goal = self._operand_goal(first, operand)
            if self._plausible(goal, env):
                bound = {**env, first.value: operand.value} if _is_parameter(first.value) else env
                for more in self._pairings(tuple(rest), there[:index] + there[index + 1 :], bound):
                    yield [*more, goal]

    def _operand_goal(self, wanted: Operand, there: Operand) -> Goal:
        return Goal(wanted.value, there.value, wanted.owner, there.key, self.table.ops[there.owner])

    @staticmethod
    def _is_free(operand: Operand, env: Environment) -> bool:
        value = operand.value
        return _is_parameter(value) and len(value.users) == 1 and value not in env

    def may_match(self, p: fx.Node, g: fx.Node) -> bool:
        """A cheap check of a place: whether its operands have the operations of the pattern's operands."""
        wanted, there = self.pattern.ops[p], self.table.ops[g]
        if wanted.target is not there.target:
            return False
        if wanted.commutative and there.commutative:
            return p in self._flat or any(True for _ in self._orders(Goal(p, None, p, _COMMUTED, there), {}))
        pairs = ((wanted.args[key], there.args[key]) for key in wanted.args if key in there.args)
        nodes = ((a, b) for a, b in pairs if isinstance(a, fx.Node) and isinstance(b, fx.Node))
        return all(self._plausible(Goal(a, b, p, "", there), {}) for a, b in nodes)

    def _plausible(self, goal: Goal, env: Environment) -> bool:
        """A cheap check of the heads, so that an order that cannot work is not tried."""
        p, g = goal.pattern, goal.graph
        if isinstance(p, fx.Node) and p in self.pattern.literals:
            return not isinstance(g, fx.Node) or self.pattern.literals[p] == "list"
        if not isinstance(p, fx.Node) or not isinstance(g, fx.Node):
            if isinstance(p, fx.Node) and self.pattern.may_be_literal(p):
                return is_plain_literal(g) and (p not in env or self._is_bound(env[p], g))
            return isinstance(p, fx.Node) == isinstance(g, fx.Node) or p in self.pattern.metadata
        if p in env:
            return self._is_bound(env[p], g)
        wanted, there = self.pattern.ops.get(p), self.table.ops.get(g)
        return wanted is None or p in self.pattern.metadata or (there is not None and wanted.name == there.name)

    def step(self, goal: Goal, env: Environment, goals: list[Goal], late: list[Goal]) -> Mismatch | None:
        """Settle one goal: bind it, descend, compare literals, or delay it until other bindings are known."""
        self.budget.spend()
        p, g = goal.pattern, goal.graph
        if any(node in self.pattern.metadata for node in nodes_in(p)) and not any(True for _ in nodes_in(g)):
            late.append(goal)
            return None
        if isinstance(p, fx.Node) and p in self.pattern.literals:
            return self._capture(goal, env)
        if isinstance(p, fx.Node):
            return self.enter(p, g, env, goals, goal) if isinstance(g, fx.Node) else self._take(goal, env)
        if _is_open_size(p) and any(map(self._is_number, nodes_in(p))) and not any(True for _ in nodes_in(g)):
            # Open sizes of a pattern equal the graph's, once -1 and flatten are computed.
            kind, p, g = p[1], p[2], resolve(goal.op.name, goal.key, g, goal.op.args)
            if kind == "size" and len(p) == len(g):  # -1 is the size that follows from the others
                g = tuple(a if _is_rest(a) else b for a, b in zip(p, g, strict=True))
        if isinstance(p, tuple) and isinstance(g, tuple) and any(True for _ in nodes_in((p, g))):
            return self._descend(goal, p, g, goals)
        return self._literal(goal, p)

    def _capture(self, goal: Goal, env: Environment) -> Mismatch | None:
        """Let an annotated parameter stand for the literal that the graph has here."""
        p, kind = goal.pattern, self.pattern.literals[goal.pattern]
        found = resolve(goal.op.name, goal.key, goal.graph, goal.op.args)
        unpacked = kind == "list" and isinstance(found, fx.Node) and isinstance(example_value(found), (tuple, list))
        value = found if unpacked else as_literal(kind, found)
        if value is None:
            return self._differs(goal, f"argument {goal.key}: expected a literal {kind}, found {show(_plain(found))}")
        if p in env and not same_literal(env[p], value):
            return self._differs(goal, f"argument {goal.key}: {p.name} is {show(env[p])} elsewhere, {show(value)} here")
        env.setdefault(p, value)
        return None

    def _take(self, goal: Goal, env: Environment) -> Mismatch | None:
        """Let a parameter without annotation stand for the literal that the graph has here, as it is written there."""
        p = goal.pattern
        formed = isinstance(goal.graph, tuple) and goal.graph[:1] == (TAG,)
        value = resolve(goal.op.name, goal.key, goal.graph, goal.op.args) if formed else goal.graph
        if not self.pattern.may_be_literal(p) or not is_plain_literal(value):
            return self._no_node(goal)
        if p in env and not self._is_bound(env[p], value):
            return self._differs(goal, f"argument {goal.key}: {p.name} is {show(env[p])} elsewhere, {show(value)} here")
        env.setdefault(p, value)
        return None

    def _is_bound(self, bound: Value, found: Value) -> bool:
        """Whether the value that a parameter already has is also the graph's value here."""
        if isinstance(bound, fx.Node) and isinstance(found, fx.Node):
            return self.table.same(bound, found)
        return not isinstance(bound, fx.Node) and not isinstance(found, fx.Node) and same_literal(bound, found)

    def _is_number(self, p: fx.Node) -> bool:
        """Whether a node of the pattern may stand for one number of a size."""
        return p in self.pattern.literals or self.pattern.may_be_literal(p)

    def _descend(self, goal: Goal, p: tuple[Value, ...], g: tuple[Value, ...], goals: list[Goal]) -> Mismatch | None:
        if len(p) != len(g):
            return self._differs(goal, f"{goal.key} has another length")
        goals.extend(Goal(a, b, goal.owner, goal.key, goal.op) for a, b in zip(p, g, strict=True))
        return None

    def enter(
        self, p: fx.Node, g: fx.Node, env: Environment, goals: list[Goal], goal: Goal | None = None
    ) -> Mismatch | None:
        """Bind pattern node `p` to graph node `g` and add the goals of their arguments."""
        if p in env:
            return None if self._is_bound(env[p], g) else Mismatch(p.name, show(env[p]), f"%{g.name}", _TWICE)
        if p.op == "placeholder":
            env[p] = g
            return None
        if p.op == "get_attr":
            return self._constant(p, g, env)
        wanted, there = self.pattern.ops[p], self.table.ops.get(g)
        if there is None or wanted.name != there.name or wanted.target is not there.target:
            found = there.name if there is not None else f"{g.op} %{g.name}"
            return Mismatch(p.name, wanted.name, found, f"operation: expected {wanted.name}, found {found}")
        if self.distinct and p not in self.pattern.metadata and g in env.values():
            self.collided = True
            return Mismatch(p.name, "a call of its own", f"%{g.name}", "one call of the graph stands for two")
        env[p] = g
        return self._arguments(p, wanted, there, goals)

    def _arguments(self, p: fx.Node, wanted: CanonicalOp, there: CanonicalOp, goals: list[Goal]) -> Mismatch | None:
        commuted = wanted.commutative and there.commutative
        if commuted:
            goals.append(Goal(p, None, p, _COMMUTED, there))
        for key in reversed(dict.fromkeys((*wanted.args, *there.args))):
            if commuted and key in ("input", "other"):
                continue
            if key in wanted.args and key in there.args:
                goals.append(Goal(wanted.args[key], there.args[key], p, key, there))
            elif not _is_default(key, wanted, there):
                left, right = (show(op.args[key]) if key in op.args else "nothing" for op in (wanted, there))
                return Mismatch(p.name, f"{key}={left}", f"{key}={right}", f"argument {key}: only one side has it")
        return None

    def _constant(self, p: fx.Node, g: fx.Node, env: Environment) -> Mismatch | None:
        mine = self.pattern.constants[p]
        theirs = _attribute(self.table.graph, g) if g.op == "get_attr" else None
        if theirs is None or not same_literal(mine, theirs):
            return Mismatch(
                p.name, f"constant {tuple(mine.shape)} {mine.dtype}", f"%{g.name}", "constant tensors differ"
            )
        env[p] = g
        return None

    def _literal(self, goal: Goal, p: Value) -> Mismatch | None:
        name, args = goal.op.name, goal.op.args
        left, right = resolve(name, goal.key, p, args), resolve(name, goal.key, goal.graph, args)
        if same_literal(left, right, exact_type=_integers_matter(goal)):
            return None
        return self._differs(goal, f"argument {goal.key}: expected {show(_plain(p))}, found {show(_plain(goal.graph))}")

    def check_late(self, goal: Goal, env: Environment) -> Mismatch | None:
        """Compare an argument that the pattern computes from sizes, now that it is known whose sizes they are."""
        try:
            value = map_nodes(goal.pattern, lambda node: self._evaluate(node, env))
        except _Unknown as unknown:
            return self._differs(goal, f"argument {goal.key}: {unknown}")
        return self._literal(goal, value)

    def _evaluate(self, node: fx.Node, env: Environment) -> Value:
        if node in self.pattern.literals and node in env:
            return env[node]
        if node not in self.pattern.metadata:
            bound = env.get(node)
            value = example_value(bound) if isinstance(bound, fx.Node) else None
            if value is None:
                raise _Unknown(f"the pattern reads metadata of {node.name}, and the graph has none for it")
            return value
        args = fx.map_arg(node.args, lambda arg: self._evaluate(arg, env))
        method = node.op == "call_method"
        function: Any = getattr(args[0], str(node.target)) if method else node.target
        result = function(*(args[1:] if method else args))
        return tuple(result) if isinstance(result, torch.Size) else result

    def _no_node(self, goal: Goal) -> Mismatch:
        p, found = goal.pattern, _plain(goal.graph)
        wanted = "a tensor" if p.op == "placeholder" else show(p)
        reason = f"argument {goal.key}: expected {wanted}, found {show(found)}"
        if p.op == "placeholder":
            reason += self._advice(p, goal.graph, goal)
        return self._differs(goal, reason)

    def _advice(self, p: fx.Node, found: Value, goal: Goal) -> str:
        """A hint: how to change the pattern so that the parameter can stand for the graph's value."""
        name = str(p.target)
        if found is None:
            return f"; write None in the pattern instead of {name}"
        if any(True for _ in nodes_in(found)):
            return f"; annotate {name}: list to take all of them"
        kind = kind_of(resolve(goal.op.name, goal.key, found, goal.op.args))
        if kind is None:
            return f"; write it in the pattern instead of {name}"
        why = f"{self.pattern.tensors[p]}, so {name} is a tensor; " if p in self.pattern.tensors else ""
        return (
            f"; {why}annotate {name}: {kind} to take the number"
            if kind in ("int", "float")
            else (f"; {why}annotate {name}: {kind} to take it")
        )

    def _differs(self, goal: Goal, reason: str) -> Mismatch:
        left, right = show(_plain(goal.pattern)), show(_plain(goal.graph))
        return Mismatch(goal.owner.name, f"{goal.key}={left}", f"{goal.key}={right}", reason)


class _Unknown(Exception):
    """Metadata that the graph does not have."""


_COMMUTED = "<operands>"
MAX_FREE = 3  # operands of a set that are tried in every order although they may be anything
_TWICE = "one argument of the pattern stands for two different values"


def _specific_first(flat: OperandSet) -> OperandSet:
    """Operands that few values can be before those that anything can be: dead ends show early."""
    names = [item.value.name if _is_parameter(item.value) else "" for item in flat.operands]
    order = sorted(range(len(names)), key=lambda index: (names[index] != "", -names.count(names[index]), names[index]))
    return OperandSet(flat.inner, tuple(flat.operands[index] for index in order))


def _is_parameter(value: Value) -> bool:
    return isinstance(value, fx.Node) and value.op == "placeholder"


def _is_open_size(value: Value) -> bool:
    return isinstance(value, tuple) and value[:1] == (TAG,) and value[1] in ("size", "order")


def _is_rest(value: Value) -> bool:
    return type(value) is int and value == -1


def _may_regroup(op: CanonicalOp) -> bool:
    return op.name in ASSOCIATIVE and op.commutative and not op.writes


def _is_default(key: str, wanted: CanonicalOp, there: CanonicalOp) -> bool:
    """An argument that only one side has says nothing when it is that side's default, or None."""
    owner = wanted if key in wanted.args else there
    value = owner.args[key]
    return value is None or (key in owner.defaults and same_literal(value, owner.defaults[key]))


def _integers_matter(goal: Goal) -> bool:
    """`x * 2` and `x * 2.0` differ in dtype when x holds integers."""
    if goal.key not in ("input", "other", "exponent", "value", "min", "max"):
        return False
    tensor = first_tensor(goal.op.args)
    return tensor is not None and not (tensor.is_floating_point() or tensor.is_complex())


def _plain(value: Value) -> Value:
    return value[2:] if isinstance(value, tuple) and value[:1] == (TAG,) else value


def _attribute(graph: fx.Graph, node: fx.Node) -> torch.Tensor | None:
    owner: object = graph.owning_module
    for part in str(node.target).split("."):
        owner = getattr(owner, part, None)
    return owner if isinstance(owner, torch.Tensor) else None
