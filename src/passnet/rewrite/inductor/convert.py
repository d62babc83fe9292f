"""Makes operators of the replaced calls in a rewritten graph. Another compiler can then compile the rest
around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import torch
from torch import fx

from passnet.rewrite.apply.replace import Replacement
from passnet.rewrite.apply.rewriting import Leave, Rewritten, rewrite
from passnet.rewrite.inductor.operators import NAMESPACE, NotAnOperator, Operator, check_call, operator_for, twin
from passnet.rewrite.rules.rule import Rule


@dataclass(frozen=True)
class Converted:
    """A rewritten module in which every replaced call is one of `operators`."""

    module: fx.GraphModule
    operators: tuple[Operator, ...]


def operable(
    module: fx.GraphModule, rules: Sequence[Rule], *, leave: Leave = MappingProxyType({}), explain: bool = True
) -> Rewritten:
    """`rewrite` where every replaced call can become an operator. Other matches are left alone, with the reason."""
    left = dict(leave)
    while True:
        result = rewrite(module, rules, leave=left, explain=explain)
        calls = {node.name: node for node in result.gm.graph.nodes}
        found = {(record.rule, record.removed): _objection(calls[record.call], record) for record in result.records}
        reasons = {place: reason for place, reason in found.items() if reason is not None}
        if not reasons:
            return result
        left.update(reasons)


def _objection(node: fx.Node, record: Replacement) -> str | None:
    """Why no operator can stand for a replaced call. None when one can."""
    if record.written_inputs:
        return f"{record.rule} matches a piece that changes {record.written_inputs[0]} in place"
    try:
        check_call(node, record.rule)
    except NotAnOperator as error:
        return str(error)
    return None


def as_operators(result: Rewritten, rules: Sequence[Rule]) -> Converted:
    """Register an operator for every replaced call and put it in the call's place, in a copy that shares parameters.

    Raises `NotAnOperator` for three kinds of calls: the sizes of its results are unknown or symbolic, it takes
    something else than tensors and constants, or it may write to its inputs. `operable` leaves such calls out.
    """
    by_name = {rule.name: rule for rule in rules}
    module = twin(result.gm)
    calls = {node.name: node for node in module.graph.nodes}
    operators = []
    for record in result.records:
        node = calls[record.call]
        reason = _objection(node, record)
        if reason is not None:
            raise NotAnOperator(reason)
        operator = operator_for(node, by_name[record.rule], record.written)
        _replace(node, operator)
        operators.append(operator)
    module.graph.lint()
    module.recompile()
    return Converted(module, tuple(operators))


def _replace(node: fx.Node, operator: Operator) -> None:
    """Put the operator in the call's place. The node that unpacked a single result is not needed any more."""
    graph = node.graph
    target = getattr(getattr(torch.ops, NAMESPACE), operator.name).default
    with graph.inserting_before(node):
        call = graph.call_function(target, _tensors(node))
    call.meta.update(node.meta)
    if len(operator.results) == 1:
        for unpacked in list(node.users):
            call.meta.update(unpacked.meta)
            unpacked.replace_all_uses_with(call)
            graph.erase_node(unpacked)
    node.replace_all_uses_with(call)
    graph.erase_node(node)


def _tensors(node: fx.Node) -> tuple[fx.Node, ...]:
    """The tensors among a call's arguments, in order and as often as they occur."""
    found: list[fx.Node] = []

    def note(source: fx.Node) -> fx.Node:
        found.append(source)
        return source

    fx.map_arg(node.args, note)
    return tuple(found)
