"""Frozen launches inside another compiler: an operator executes the replay of its wrapper's call.

The whole process knows operators by their names. A replay gives the same bits as the wrapper, so every caller of the
operator gets the replay from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import fx

from passnet.kernels.replay.freeze import Frozen, freeze
from passnet.kernels.replay.plan import KeptState, NotFrozen
from passnet.rewrite.inductor.operators import Kernel, Operator, running
from passnet.rewrite.program.frozen import CallReport


def freeze_operators(operators: Sequence[Operator], run: Callable[[], Any]) -> tuple[CallReport, ...]:
    """Call `run` once, record each operator's wrapper on its inputs, and say of each whether it is replayed.

    Call the program once before, so that the wrappers' compiling and tuning is done. Raises any error of `run`.
    """
    outcomes: dict[str, Frozen | NotFrozen] = {}
    # One by one, in order of the calls: two places of a graph may share an operator.
    with torch.no_grad(), running({each.name: _recording(each, outcomes) for each in operators if not each.replay}):
        run()
    for each in operators:
        found = outcomes.get(each.name)
        if isinstance(found, Frozen) and not each.replay:
            each.take(found)
    return tuple(_report(each, outcomes.get(each.name, NotFrozen("not reached"))) for each in operators)


def _recording(operator: Operator, outcomes: dict[str, Frozen | NotFrozen]) -> Kernel:
    own, call = operator.run, operator.call

    def recording(*tensors: torch.Tensor) -> Any:
        result = own(*tensors)
        if operator.name not in outcomes:
            given = iter(tensors)
            # Each tensor argument has its own parameter, in order.
            arguments = fx.map_arg(call.args, lambda _: next(given))
            outcomes[operator.name] = _outcome(call.target, arguments)
        return result

    return recording


def _outcome(wrapper: Any, arguments: Sequence[Any]) -> Frozen | NotFrozen:
    try:
        return freeze(wrapper, arguments)
    except NotFrozen as refusal:
        return refusal


def _report(operator: Operator, outcome: Frozen | NotFrozen) -> CallReport:
    if operator.replay is not None:
        kernels = tuple(step.name for step in operator.replay.plan.launches)
        return CallReport(operator.rule, operator.name, True, kernels)
    reason = str(outcome)
    return CallReport(operator.rule, operator.name, False, reason=reason, kept=isinstance(outcome, KeptState))
