"""The program of a rewritten graph: straight-line code, with replays in place of the kernels' wrappers.

A wrapper whose calls cannot be replayed is called as it is. `kernels.replay.freeze` gives the reason. Each replay
checks its own arguments, so the program as a whole takes all inputs that the graph takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import fx

from passnet.errors import described, foreign
from passnet.kernels.replay.freeze import MOST_BYTES, Frozen, copied, freeze, signature
from passnet.kernels.replay.plan import KeptState, NotFrozen, Wrapper
from passnet.rewrite.apply.replace import only_result
from passnet.rewrite.apply.rewriting import Rewritten
from passnet.rewrite.program.codegen import straight_line
from passnet.rewrite.rules.kept_memory import modules_of
from passnet.rewrite.rules.kept_values import values_of


@dataclass(frozen=True, slots=True)
class CallReport:
    """One replaced call: whether it is replayed, the kernels it launches, or why it runs ordinarily."""

    rule: str
    call: str
    frozen: bool
    kernels: tuple[str, ...] = ()
    reason: str | None = None
    kept: bool = False

    def to_json(self) -> dict[str, object]:
        """Plain values."""
        return asdict(self) | {"kernels": list(self.kernels)}


@dataclass(frozen=True, slots=True)
class FrozenProgram:
    """`forward` runs the graph `module`, with replays of its replaced calls. `calls` says which ones are replayed."""

    forward: Wrapper
    module: fx.GraphModule
    calls: tuple[CallReport, ...]

    @property
    def frozen(self) -> int:
        """Number of calls that are replayed."""
        return sum(call.frozen for call in self.calls)


def freeze_program(result: Rewritten, example_inputs: Sequence[object]) -> FrozenProgram:
    """Run the rewritten graph once on copies of the example inputs, and record each wrapper on its inputs.

    Wrappers compile and tune in this run. If the graph raises, the calls from there on are left as they are, and the
    program will raise when it is called.
    """
    rules = {record.call: record.rule for record in result.records}
    recorded = _Recording(result.gm, rules.keys())
    stopped = NotFrozen("not reached")
    size = sum(
        value.nbytes for value in example_inputs if isinstance(value, torch.Tensor) and value.layout is torch.strided
    )
    try:
        if size > MOST_BYTES:
            raise NotFrozen(f"the program is given {size >> 20} MiB: the cost of a launch does not matter at this size")
        # What a kernel raises will be raised by the program, to its caller.
        with foreign(_raises, NotFrozen), torch.no_grad():
            recorded.run(*copied(example_inputs, alter=False), enable_io_processing=False)
    except NotFrozen as refusal:
        stopped = refusal
    outcomes = {name: recorded.outcomes.get(name, stopped) for name in rules}
    module = _replaced(result.gm, outcomes)
    return FrozenProgram(straight_line(module), module, tuple(_report(rules, outcomes)))


def _raises(error: BaseException) -> NotFrozen:
    return NotFrozen(f"the program raises {described(error)}"[:300])


class _Recording(fx.Interpreter):
    """Runs a graph. After each call of a wrapper it makes the replay, or notes why there is none."""

    def __init__(self, module: fx.GraphModule, calls: Any) -> None:
        super().__init__(module)
        self.calls = calls
        self.outcomes: dict[str, Frozen | NotFrozen] = {}
        self.known: dict[Any, Frozen | NotFrozen] = {}

    def run_node(self, n: fx.Node) -> Any:
        if n.name not in self.calls:
            return super().run_node(n)
        args, _ = self.fetch_args_kwargs_from_env(n)
        assert callable(n.target), "a replacement is a call of a function"
        result = n.target(*args)
        key = (n.target, signature(args))
        if key not in self.known:
            self.known[key] = _outcome(n.target, args)
        self.outcomes[n.name] = self.known[key]
        return result


def _outcome(function: Callable[..., object], args: Sequence[object]) -> Frozen | NotFrozen:
    modules = modules_of([function])
    before = values_of(modules, [function])
    try:
        frozen = freeze(function, args)
    except NotFrozen as refusal:
        return refusal
    after = values_of(modules, [function])
    changed = next((name for name in {**before, **after} if before.get(name) != after.get(name)), None)
    return frozen if changed is None else NotFrozen(f"changes {changed}, which outlives the call")


def _replaced(module: fx.GraphModule, outcomes: Mapping[str, Frozen | NotFrozen]) -> fx.GraphModule:
    """A copy that shares parameters, with replays in place of wrappers. Nodes that unpacked single tensors
    are removed.
    """
    graph = fx.Graph()
    graph.output(graph.graph_copy(module.graph, {}))
    for node in list(graph.nodes):
        outcome = outcomes.get(node.name)
        if not isinstance(outcome, Frozen):
            continue
        node.target = outcome.call
        for unpacked in [user for user in node.users if user.target is only_result and outcome.plan.single]:
            unpacked.replace_all_uses_with(node)
            graph.erase_node(unpacked)
    graph.lint()
    return fx.GraphModule(module, graph, class_name=type(module).__name__)


def _report(rules: Mapping[str, str], outcomes: Mapping[str, Frozen | NotFrozen]) -> list[CallReport]:
    return [
        CallReport(rules[name], name, False, reason=outcome.reason, kept=isinstance(outcome, KeptState))
        if isinstance(outcome, NotFrozen)
        else CallReport(rules[name], name, True, tuple(step.name for step in outcome.plan.launches))
        for name, outcome in outcomes.items()
    ]
