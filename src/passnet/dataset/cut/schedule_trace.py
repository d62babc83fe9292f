"""Traces a torch-level graph to functional ATen operators. Each knows the torch-level operator that it came from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import fx
from torch._dispatch.python import enable_python_dispatcher
from torch._inductor.decomposition import select_decomp_table
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import traceback
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from passnet.dataset.capture.nodes import call_nodes
from passnet.graph import propagate
from passnet.graph.values.propagation import restored_state

_INDEX = "passnet_index"
_BIAS = (torch.ops.aten.add.Tensor, torch.ops.aten.mul.Tensor)


def trace(module: fx.GraphModule, inputs: Sequence[torch.Tensor]) -> fx.GraphModule:
    """The ATen graph of one call on fake CPU tensors (see `passnet.graph.fake_inputs`): no mutation, decomposed as
    Inductor does, dead code removed. Raises what operators raise for which shapes depend on data.
    """
    for place, node in enumerate(call_nodes(module)):
        node.meta["custom"] = {_INDEX: place}

    def run(*values: Any) -> Any:
        return fx.Interpreter(module).run(*values)

    mode = inputs[0].fake_mode  # type: ignore[attr-defined]
    functional = torch.func.functionalize(run, remove="mutations")
    # Ahead-of-time compilation does the same: some operators are decomposed by their Python kernels alone.
    with restored_state(), torch.no_grad(), enable_python_dispatcher(), mode, traceback.preserve_node_meta():
        aten = make_fx(functional, decomposition_table=select_decomp_table(), tracing_mode="real")(*inputs)
    aten.graph.eliminate_dead_code()
    return aten


def on_device(aten: fx.GraphModule, inputs: Sequence[torch.Tensor], device: torch.device) -> list[torch.Tensor]:
    """Move an ATen graph and its nodes' shapes ("val") to another device. Returns its fake inputs there.

    Torch-level calls cannot be traced for a missing device, because indexing from Python asks for its driver. ATen
    calls can.
    """

    def moved(value: Any) -> Any:
        return device if isinstance(value, torch.device) else value

    for node in aten.graph.nodes:
        node.args = fx.node.map_aggregate(node.args, moved)
        node.kwargs = fx.node.map_aggregate(node.kwargs, moved)
    aten.recompile()
    mode = FakeTensorMode(allow_non_fake_inputs=True, shape_env=ShapeEnv())
    made = _placed(inputs, device, mode)
    reached = propagate(aten, made)
    if not reached.complete:
        # A literal tensor cannot be on a missing device. An input can.
        made += _placed(_literals_as_inputs(aten), device, mode)
        reached = propagate(aten, made)
    if not reached.complete:
        raise RuntimeError(f"{reached.node}: {reached.reason}")
    # Sizes that depend on data got names here. Lowering gives its own names, and must not find these unused.
    assert mode.shape_env is not None
    mode.shape_env.pending_fresh_unbacked_symbols.clear()
    return made


def _placed(values: Sequence[torch.Tensor], device: torch.device, mode: FakeTensorMode) -> list[torch.Tensor]:
    """Fake tensors like these on a device."""
    with mode:
        return [torch.empty_strided(one.shape, one.stride(), dtype=one.dtype, device=device) for one in values]


def _literals_as_inputs(aten: fx.GraphModule) -> list[torch.Tensor]:
    """Turn the tensors that the graph holds as attributes into further inputs. Returns their values."""
    literals = [node for node in aten.graph.nodes if node.op == "get_attr"]
    last = [node for node in aten.graph.nodes if node.op == "placeholder"][-1]
    values: list[torch.Tensor] = []
    for node in literals:
        with aten.graph.inserting_after(last):
            last = aten.graph.placeholder(f"literal_{len(values)}")
        node.replace_all_uses_with(last)
        aten.graph.erase_node(node)
        values.append(getattr(aten, str(node.target)))
    aten.recompile()
    return values


def products_with_bias(aten: fx.GraphModule) -> frozenset[int]:
    """Places of the torch-level operators that became a matrix product with its bias added by the library."""
    targets = (torch.ops.aten.addmm.default,)
    found = (node.meta.get("custom") or {} for node in aten.graph.nodes if node.target in targets)
    return frozenset(custom[_INDEX] for custom in found if _INDEX in custom)


def torch_places(aten: fx.GraphModule, products: frozenset[int] = frozenset()) -> dict[fx.Node, int]:
    """ATen operator -> place of its torch-level operator. One that a pass of Inductor made has its user's place.

    Views have none: they launch nothing. Inductor may take the addition of a bias out of one of the `products` if the
    next operation is pointwise. Such an addition has none either: by itself the operator is one library call.
    """
    found: dict[fx.Node, int] = {}
    calls = [node for node in aten.graph.nodes if node.op == "call_function"]
    for node in reversed(calls):
        custom = node.meta.get("custom") or {}
        users = [found[user] for user in node.users if user in found]
        if _INDEX in custom:
            found[node] = custom[_INDEX]
        elif users:
            found[node] = min(users)
    for node in calls:
        if node not in found:
            found[node] = max((found[source] for source in node.all_input_nodes if source in found), default=0)
    return {
        node: place
        for node, place in found.items()
        if not is_view(node) and not (place in products and node.target in _BIAS)
    }


def is_view(node: fx.Node) -> bool:
    """Whether the operator returns its operand's own memory."""
    if not isinstance(node.target, OpOverload) or node.target._schema.is_mutable:
        return False
    returned = node.target._schema.returns
    return bool(returned) and returned[0].alias_info is not None


def computing(aten: fx.GraphModule) -> frozenset[int]:
    """Places of the torch-level operators that compute something: their ATen operators are not only views."""
    return frozenset(torch_places(aten).values())
