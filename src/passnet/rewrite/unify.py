"""Find assignments of graph nodes to pattern nodes: structural unification with commuted operands tried both ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx

from passnet.rewrite.errors import RewriteLimitError
from passnet.rewrite.forms import TAG, first_tensor, resolve
from passnet.rewrite.normalize import Op
from passnet.rewrite.table import Table
from passnet.rewrite.trace import Pattern
from passnet.rewrite.values import Value, example_value, map_nodes, nodes_in, same_literal, show

Environment = dict[fx.Node, fx.Node]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first difference between a pattern node and the graph: what the rule expects and what is there."""

    pattern_node: str
    expected: str
    found: str
    reason: str


@dataclass(frozen=True, slots=True)
class Goal:
    """Two values that must agree: argument `key` of the pattern node `owner` against that of a graph operation."""

    pattern: Value
    graph: Value
    owner: fx.Node
    key: str
    op: Op


@dataclass(slots=True)
class Budget:
    """Steps that one rule may spend on one graph; commuted operands can multiply the work of a hostile pattern."""

    left: int
    rule: str

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise RewriteLimitError(
                f"rule {self.rule}: matching took too many steps",
                hint="split the pattern: it has many operands that may be commuted",
            )


class Unifier:
    """One pattern against one graph. Holds no state of a search, so all searches of a rule share it."""

    def __init__(self, pattern: Pattern, table: Table, budget: Budget) -> None:
        self.pattern = pattern
        self.table = table
        self._budget = budget

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

    def _plausible(self, goal: Goal, env: Environment) -> bool:
        """A cheap look at the heads, so that an order that cannot work is not tried."""
        p, g = goal.pattern, goal.graph
        if not isinstance(p, fx.Node) or not isinstance(g, fx.Node):
            return isinstance(p, fx.Node) == isinstance(g, fx.Node) or p in self.pattern.metadata
        if p in env:
            return env[p] is g
        wanted, there = self.pattern.ops.get(p), self.table.ops.get(g)
        return wanted is None or p in self.pattern.metadata or (there is not None and wanted.name == there.name)

    def step(self, goal: Goal, env: Environment, goals: list[Goal], late: list[Goal]) -> Mismatch | None:
        """Settle one goal: bind, descend, compare literals, or put off what needs other bindings first."""
        self._budget.spend()
        p, g = goal.pattern, goal.graph
        if any(node in self.pattern.metadata for node in nodes_in(p)):
            late.append(goal)
            return None
        if isinstance(p, fx.Node):
            return self.enter(p, g, env, goals, goal) if isinstance(g, fx.Node) else self._no_node(goal)
        if isinstance(p, tuple) and isinstance(g, tuple) and any(True for _ in nodes_in((p, g))):
            return self._descend(goal, p, g, goals)
        return self._literal(goal, p)

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
            return None if env[p] is g else Mismatch(p.name, f"%{env[p].name}", f"%{g.name}", _TWICE)
        if p.op == "placeholder":
            env[p] = g
            return None
        if p.op == "get_attr":
            return self._constant(p, g, env)
        wanted, there = self.pattern.ops[p], self.table.ops.get(g)
        if there is None or wanted.name != there.name or wanted.target is not there.target:
            found = there.name if there is not None else f"{g.op} %{g.name}"
            return Mismatch(p.name, wanted.name, found, f"operation: expected {wanted.name}, found {found}")
        env[p] = g
        return self._arguments(p, wanted, there, goals)

    def _arguments(self, p: fx.Node, wanted: Op, there: Op, goals: list[Goal]) -> Mismatch | None:
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
        if node not in self.pattern.metadata:
            value = example_value(env[node]) if node in env else None
            if value is None:
                raise _Unknown(f"the pattern reads metadata of {node.name}, and the graph has none for it")
            return value
        args = fx.map_arg(node.args, lambda arg: self._evaluate(arg, env))
        method = node.op == "call_method"
        function: Any = getattr(args[0], str(node.target)) if method else node.target
        result = function(*(args[1:] if method else args))
        return tuple(result) if isinstance(result, torch.Size) else result

    def _no_node(self, goal: Goal) -> Mismatch:
        wanted = "a tensor" if goal.pattern.op == "placeholder" else show(goal.pattern)
        return self._differs(goal, f"argument {goal.key}: expected {wanted}, found {show(_plain(goal.graph))}")

    def _differs(self, goal: Goal, reason: str) -> Mismatch:
        left, right = show(_plain(goal.pattern)), show(_plain(goal.graph))
        return Mismatch(goal.owner.name, f"{goal.key}={left}", f"{goal.key}={right}", reason)


class _Unknown(Exception):
    """Metadata that the graph does not carry."""


_COMMUTED = "<operands>"
_TWICE = "one argument of the pattern stands for two different values"


def _is_default(key: str, wanted: Op, there: Op) -> bool:
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
