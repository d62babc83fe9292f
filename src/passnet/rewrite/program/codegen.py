"""Turns a graph into one plain function: its statements in a row, with parameters as local names and
without modules.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from torch import fx, nn


def straight_line(module: fx.GraphModule) -> Callable[..., Any]:
    """The computation of `module.forward` as a function of the same inputs.

    Parameters, buffers and submodules are looked up once, now. Changes in place are seen later, new assignments are
    not. Submodules are called by their forward unless they have hooks.
    """
    names = types.SimpleNamespace()
    graph = fx.Graph()
    graph.output(graph.graph_copy(module.graph, {}))
    for index, node in enumerate(graph.nodes):
        if node.op in ("get_attr", "call_module"):
            found = _attribute(module, str(node.target))
            node.target = f"v{index}"
            setattr(names, node.target, _bare(found) if node.op == "call_module" else found)
    code = graph.python_code("self")
    space = dict(code.globals)
    exec(compile(code.src, f"<program of {type(module).__name__}>", "exec"), space)
    return types.MethodType(space["forward"], names)


def _attribute(module: nn.Module, path: str) -> Any:
    found: Any = module
    for name in path.split("."):
        found = getattr(found, name)
    return found


def _bare(module: nn.Module) -> Callable[..., Any]:
    hooked = (
        module._forward_hooks or module._forward_pre_hooks or nn.modules.module._has_any_global_hook()  # type: ignore[no-untyped-call]  # torch annotates nothing there
    )
    forward: Callable[..., Any] = module if hooked else module.forward
    return forward
