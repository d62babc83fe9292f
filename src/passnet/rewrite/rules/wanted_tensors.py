"""Finds the parameters of a pattern that the rest of its rule takes for tensors. It reads the texts of the rule.

Such a parameter does not stand for a number of the graph: the wrapper would fail on it. Only operations that a wrapper
does on every call count. A wrapper that serves several rules therefore does not decide for all of them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping

from torch import fx

from passnet.rewrite.passes.source import PassFile
from passnet.rewrite.policy.names import TENSOR_EVIDENCE
from passnet.rewrite.rules.arguments import Argument, Template, read_arguments
from passnet.rewrite.rules.trace import Pattern

_READS_SIZES = "replacement_args reads its sizes"
_BRANCHES = (
    ast.If, ast.IfExp, ast.For, ast.While, ast.Try, ast.With, ast.Match, ast.BoolOp, ast.Lambda, ast.FunctionDef,
    ast.AsyncFunctionDef, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def taken_for_tensors(
    pattern: Pattern, arguments: tuple[Template, ...], wrapper: Callable[..., object], files: Iterable[PassFile]
) -> dict[fx.Node, str]:
    """Each parameter of the pattern that must be a tensor, with the reason in words."""
    found = {pattern.parameters[index]: _READS_SIZES for index in read_arguments(arguments)}
    evidence = _evidence(wrapper, files)
    for place, item in enumerate(arguments):
        if isinstance(item, Argument) and place in evidence:
            found.setdefault(pattern.parameters[item.index], evidence[place])
    return found


def _evidence(wrapper: Callable[..., object], files: Iterable[PassFile]) -> Mapping[int, str]:
    """Positions of a wrapper's parameters that it uses as tensors in every case."""
    function = _definition(wrapper, files)
    if function is None:
        return {}
    parameters = [*function.args.posonlyargs, *function.args.args]
    asked = {
        node.args[0].id
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "isinstance"
        and node.args
        and isinstance(node.args[0], ast.Name)
    }
    used: dict[str, str] = {}
    for statement in function.body:
        for node in _always_run(statement):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in TENSOR_EVIDENCE:
                used.setdefault(node.value.id, f"{function.name} reads {node.value.id}.{node.attr}")
    return {
        place: used[parameter.arg]
        for place, parameter in enumerate(parameters)
        if parameter.arg in used and parameter.arg not in asked
    }


def _always_run(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a statement that run whenever it does."""
    if isinstance(node, _BRANCHES):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _always_run(child)


def _definition(wrapper: Callable[..., object], files: Iterable[PassFile]) -> ast.FunctionDef | None:
    code = getattr(wrapper, "__code__", None)
    for file in files:
        if str(file.path) != getattr(code, "co_filename", None):
            continue
        for node in ast.walk(file.tree):
            if isinstance(node, ast.FunctionDef) and node.name == wrapper.__name__:
                return node
    return None
