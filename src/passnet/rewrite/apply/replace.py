"""Replaces a match by one call of the wrapper, copies the metadata, and records the step for a judge."""

from __future__ import annotations

import keyword
import operator
import types
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import torch
from torch import fx

from passnet.errors import foreign
from passnet.kernels.replay.plan import Wrapper
from passnet.rewrite.apply.lazy import is_lazy
from passnet.rewrite.apply.topology import acyclic, restore_order
from passnet.rewrite.canonical.effects import Refusal
from passnet.rewrite.canonical.index import GraphIndex
from passnet.rewrite.canonical.values import example_value
from passnet.rewrite.match.search import Match
from passnet.rewrite.rules.arguments import Argument, Metadata, Template
from passnet.rewrite.rules.rule import Rule


@dataclass(frozen=True, slots=True)
class Replacement:
    """One replaced match, as data. A judge in another process can check it against the original graph.

    `arguments` holds, for each argument of the call, `{"input": node}`, `{"constant": text, "type": name}` or
    `{"items": [...]}`. Its names are those of the graph before this replacement. `outputs` maps each removed result to
    the node that took its place. `written_inputs` are graph inputs that the removed nodes changed in place.
    `written` are places of arguments into which the call may write. They count tensors and constants, also in tuples.
    """

    rule: str
    removed: tuple[str, ...]
    call: str
    function: str
    arguments: tuple[dict[str, Any], ...]
    outputs: dict[str, str]
    written_inputs: tuple[str, ...]
    written: tuple[int, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Plain dictionaries, lists and strings."""
        return asdict(self) | {
            "removed": list(self.removed),
            "arguments": list(self.arguments),
            "written_inputs": list(self.written_inputs),
            "written": list(self.written),
        }


def replace_all(table: GraphIndex, rule: Rule, matches: tuple[Match, ...]) -> tuple[list[Replacement], list[Refusal]]:
    """Replace the matches of one rule in `table`'s graph. If anything was replaced, the table is out of date
    afterwards.

    A match may use the result of another match, even inside a list argument. Such results are looked up.
    """
    wanted, refused = acyclic(matches, table)
    replaced: dict[fx.Node, fx.Node] = {}
    done: list[Replacement] = []
    for match in wanted:
        try:
            arguments = tuple(_fill(item, match) for item in rule.arguments)
        except _NoMetadata as missing:
            reason = f"replacement_args reads metadata of %{missing.node.name}, and the graph has none for it"
            refused.append(Refusal(missing.node, reason))
            continue
        lazy = next((leaf for leaf in leaves(arguments) if leaf in match.written and is_lazy(leaf)), None)
        if lazy is not None:
            refused.append(Refusal(lazy, f"it writes into %{lazy.name}, which torch negates or conjugates lazily"))
            continue
        done.append(_replace(table, rule, match, arguments, replaced))
    if any(len(match.outputs) > 1 for match in wanted):
        restore_order(table.graph)
    return done, refused


def only_result(result: Any) -> Any:
    """The result of a wrapper for a one-output pattern: authors return either the tensor or a tuple of one."""
    if type(result) in (tuple, list) and len(result) == 1:
        return result[0]
    if result is None:
        raise TypeError("the wrapper returned None; write `return out` at its end, with the tensor that it made")
    return result


def leaves(arguments: Any) -> Iterator[Any]:
    """The arguments of a call one by one, those in tuples and lists too."""
    for argument in arguments:
        if isinstance(argument, (tuple, list)):
            yield from leaves(argument)
        else:
            yield argument


def _replace(
    table: GraphIndex, rule: Rule, match: Match, arguments: tuple[Any, ...], replaced: dict[fx.Node, fx.Node]
) -> Replacement:
    graph, last = table.graph, match.nodes[-1]
    written = tuple(place for place, leaf in enumerate(leaves(arguments)) if leaf in match.written)
    arguments = fx.map_arg(arguments, lambda node: replaced.get(node, node))
    with graph.inserting_after(last):
        call = graph.call_function(_target(rule.function), arguments)
    call.meta["val"] = _example(match.outputs)
    table.position[call] = table.position[last]
    results = _results(table, call, match)
    record = Replacement(
        rule=rule.name,
        removed=tuple(node.name for node in match.nodes),
        call=call.name,
        function=getattr(rule.function, "__name__", type(rule.function).__name__),
        arguments=tuple(_describe(argument) for argument in arguments),
        outputs={old.name: new.name for old, new in results.items()},
        written_inputs=tuple(node.name for node in match.written_inputs),
        written=written,
    )
    for old, new in results.items():
        replaced[old] = new
        old.replace_all_uses_with(new)
    for node in reversed(match.nodes):
        graph.erase_node(node)
    return record


def _results(table: GraphIndex, call: fx.Node, match: Match) -> dict[fx.Node, fx.Node]:
    """The new node for each removed result, with that result's metadata."""
    if len(match.outputs) == 1:
        steps: dict[fx.Node, tuple[Wrapper, tuple[Any, ...]]] = {match.outputs[0]: (only_result, (call,))}
    else:
        distinct = dict.fromkeys(match.outputs)
        steps = {old: (operator.getitem, (call, match.outputs.index(old))) for old in distinct}
    results: dict[fx.Node, fx.Node] = {}
    cursor = call
    for old, (function, arguments) in steps.items():
        with table.graph.inserting_after(cursor):
            cursor = table.graph.call_function(function, arguments)
        table.position[cursor] = table.position[call]
        cursor.meta.update({key: old.meta[key] for key in ("val", "example_value", "tensor_meta") if key in old.meta})
        results[old] = cursor
    return results


def _example(outputs: tuple[fx.Node, ...]) -> object:
    values = tuple(example_value(node) for node in outputs)
    return values[0] if len(values) == 1 else values


class _NoMetadata(Exception):
    """An argument needs a size or dtype that nothing recorded, or that is not a plain number."""

    def __init__(self, node: fx.Node) -> None:
        super().__init__(node.name)
        self.node = node


def _fill(template: Template, match: Match) -> object:
    if isinstance(template, tuple):
        return tuple(_fill(item, match) for item in template)
    if not isinstance(template, (Argument, Metadata)):
        return template
    node = match.inputs[template.index]
    assert node is not None, "check_bindable refuses rules that pass on an unused parameter"
    return node if isinstance(template, Argument) else _read(template, node)


def _read(template: Metadata, node: fx.Node) -> object:
    value = example_value(node)
    if not isinstance(value, torch.Tensor):
        raise _NoMetadata(node)
    with foreign(lambda _: _NoMetadata(node)):  # a tensor of fewer dimensions has no such size
        read = template.read(value)
    read = tuple(read) if isinstance(read, (torch.Size, list)) else read
    items = read if isinstance(read, tuple) else (read,)
    if not all(isinstance(item, (int, str, torch.dtype, torch.device, torch.layout, type(None))) for item in items):
        raise _NoMetadata(node)
    return read


def _describe(argument: object) -> dict[str, object]:
    if isinstance(argument, fx.Node):
        return {"input": argument.name}
    if isinstance(argument, tuple):
        return {"items": [_describe(item) for item in argument]}
    return {"constant": argument if isinstance(argument, str) else repr(argument), "type": type(argument).__name__}


@lru_cache(maxsize=4096)
def _target(function: Wrapper) -> Wrapper:
    """The function itself. What generated code cannot name, or would name otherwise than its home does, gets a name of
    ours: code is written with what a function says of itself, and a decorator copies that from any object.
    """
    if isinstance(function, types.FunctionType):
        name, home = function.__name__, function.__module__
        own = type(name) is str and type(home) is str and home == function.__globals__.get("__name__")
        if own and name.isidentifier() and not keyword.iskeyword(name):
            return function

    def call_replacement(*args: object) -> object:
        return function(*args)

    return call_replacement
