"""Prefixes of a graph, and the kernels that each launches on a CUDA device once Inductor has compiled it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import fx
from torch._C._autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

from passnet.dataset.capture.nodes import call_nodes
from passnet.dataset.cut.borders import borders, standalone
from passnet.errors import UsageError
from passnet.graph import Graph, fake_inputs, propagate

# Calls before the one that is counted: the first compiles and loads, the second settles allocations.
_WARM_UP = 2
_SEED = 0
_OTHER = ("Memcpy", "Memset", "## ")


@dataclass(frozen=True)
class Prefix:
    """The first `length` operators as a module, and the places of the graph's inputs that it takes.

    Its outputs are all tensors that are used after it. It has neither module nor inputs when there are none of them.
    """

    length: int
    module: fx.GraphModule | None
    inputs: tuple[int, ...] = ()


def prefixes(module: fx.GraphModule) -> Iterator[Prefix]:
    """Every prefix of a module whose nodes carry "val" (see `Graph.module`), shortest first.

    A prefix may end between an operator that returns several tensors and their readers. It then has no tensor to
    return, and this operator counts as without output.
    """
    calls = call_nodes(module)
    placeholders = {node: place for place, node in enumerate(_placeholders(module))}
    for length in range(1, len(calls) + 1):
        before, after = borders(calls[:length])
        tensors = [node for node in after if isinstance(node.meta.get("val"), torch.Tensor)]
        if tensors and before:
            part = standalone(calls[:length], before, tensors)
            yield Prefix(length, part, tuple(placeholders[node] for node in before))
        else:
            yield Prefix(length, None)


def _placeholders(module: fx.GraphModule) -> list[fx.Node]:
    return [node for node in module.graph.nodes if node.op == "placeholder"]


def launch_counts(graph: Graph) -> list[int]:
    """Kernels that each prefix launches on the CUDA device. It compiles once per operator, so it takes minutes.

    A prefix without outputs launches as many as the one before it. Raises any error of Inductor or of an operator.
    Errors: UsageError where there is no CUDA device.
    """
    if not torch.cuda.is_available():
        raise UsageError("kernels can only be counted where they run", expected="a CUDA device", found="none")
    module = graph.module("cuda", propagated=False)
    # Shapes come from the CPU: only which results are tensors is asked of them.
    shapes = graph.module("cpu", propagated=False)
    propagate(shapes, fake_inputs(graph.specs))
    for node, known in zip(module.graph.nodes, shapes.graph.nodes, strict=True):
        if "val" in known.meta:
            node.meta["val"] = known.meta["val"]
    inputs = graph.inputs(_SEED, "cuda")
    counts: list[int] = []
    for prefix in prefixes(module):
        if prefix.module is None:
            counts.append(counts[-1] if counts else 0)
        else:
            counts.append(count_launches(prefix.module, [inputs[place] for place in prefix.inputs]))
    return counts


def count_launches(module: fx.GraphModule, inputs: Sequence[torch.Tensor]) -> int:
    """Kernels of one call of the compiled module on CUDA tensors. The inputs do not change."""
    from torch._inductor.compile_fx import compile_fx

    for node in module.graph.nodes:
        # Inductor reads shapes from its own run, and trips over fake tensors of another mode.
        node.meta.pop("val", None)
    with torch.no_grad():
        compiled: Any = compile_fx(module, [value.clone() for value in inputs])
        for _ in range(_WARM_UP):
            compiled(*(value.clone() for value in inputs))
        given = [value.clone() for value in inputs]
        torch.cuda.synchronize()
        with profile(activities=[ProfilerActivity.CUDA]) as recorded:
            compiled(*given)
            torch.cuda.synchronize()
    return len(kernel_names(recorded.events() or ()))


def kernel_names(events: Iterable[Any]) -> list[str]:
    """Names of the kernels among profiler events: what ran on the device and was neither a copy nor a fill.

    Stretches of time that a program named are shown on the device as well and are left out.
    """
    return [
        str(event.name)
        for event in events
        if event.device_type == DeviceType.CUDA
        and not event.is_user_annotation
        and not str(event.name).startswith(_OTHER)
    ]
