"""The same passes inside TorchInductor: replaced pieces become operators, and everything else is fused as ever."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import fx
from torch._inductor.custom_graph_pass import CustomGraphPass

from passnet.rewrite.apply.lazy import plain_memory
from passnet.rewrite.canonical.values import example_value
from passnet.rewrite.inductor.convert import as_operators, operable
from passnet.rewrite.rules.rule import Rule

# Settings of TorchInductor by name: each has a type of its own.
InductorOptions = Mapping[str, Any]

RulesFor = Callable[[str], Sequence[Rule]]


class Compiled:
    """A graph compiled by Inductor. Like a module, it has a `forward` of the graph's flat inputs."""

    def __init__(self, module: fx.GraphModule, examples: Sequence[Any], patches: InductorOptions | None = None) -> None:
        """Inductor takes the module over and may change it. `patches` are settings of Inductor.

        Inductor reads the bytes of tensors that torch negates lazily. Where the examples have such, it gets plain ones.
        Raises any error of Inductor.
        """
        from torch._inductor.compile_fx import compile_fx

        plain = [_plain(value) for value in examples]
        made: Any = compile_fx(module, plain, config_patches=dict(patches or {}))
        lazy = any(one is not other for one, other in zip(plain, examples, strict=True))
        self.forward: Any = (lambda *inputs: made(*map(_plain, inputs))) if lazy else made


def _plain(value: Any) -> Any:
    return plain_memory(value) if isinstance(value, torch.Tensor) and value.layout is torch.strided else value


class InductorPass(CustomGraphPass):
    """A custom pass for `torch._inductor.config.pre_grad_custom_pass`: rewrites torch-level graphs in place.

    `identity` is the content hash of the pass set, which Inductor's caches take for the pass. Graphs where nothing
    matches, whose sizes are unknown or symbolic, or whose gradient is recorded stay as they are.
    """

    def __init__(self, rules_for: RulesFor, identity: str) -> None:
        self._rules_for = rules_for
        self._identity = identity
        self.replacements: dict[str, int] = {}

    def __call__(self, graph: fx.Graph) -> None:
        module = graph.owning_module
        values = [example_value(node) for node in graph.nodes if node.op == "placeholder"]
        tensors = [value for value in values if isinstance(value, torch.Tensor)]
        if module is None or records_gradient(tensors) or torch._C._is_any_autocast_enabled():
            return
        rules = self._rules_for(tensors[0].device.type if tensors else "cpu")
        result = operable(module, rules, explain=False)
        if not result.total:
            return
        replace_body(graph, as_operators(result, rules).module.graph)
        for rule, count in result.replacements.items():
            self.replacements[rule] = self.replacements.get(rule, 0) + count

    def uuid(self) -> str:
        """The key of this pass in Inductor's cache."""
        return self._identity


def settings(made: InductorPass) -> dict[str, Any]:
    """Inductor's settings that put the pass to work, for `torch.compile(model, options=...)`.

    The pass must run before a cache is asked: it registers the operators that cached code calls.
    """
    early = {"pre_grad_pass_timing": "early"} if hasattr(torch._inductor.config, "pre_grad_pass_timing") else {}
    return {"pre_grad_custom_pass": made, **early}


def replace_body(graph: fx.Graph, other: fx.Graph) -> None:
    """Let a graph compute the same as another graph with the same inputs. Its input nodes stay, with their metadata."""
    inputs, theirs = ([node for node in each.nodes if node.op == "placeholder"] for each in (graph, other))
    for node in reversed(list(graph.nodes)):
        if node.op != "placeholder":
            graph.erase_node(node)
    known = dict(zip(theirs, inputs, strict=True))
    graph.output(graph.graph_copy(other, known))


def records_gradient(values: Sequence[object]) -> bool:
    """Whether a call with these inputs would record a gradient, which kernels cannot give."""
    return torch.is_grad_enabled() and any(isinstance(v, torch.Tensor) and v.requires_grad for v in values)
