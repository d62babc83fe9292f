"""Counts the kernels of growing prefixes without a GPU: Inductor lowers and fuses, nothing is generated or run.

One scheduling of the whole graph gives the counts of all prefixes (`kernel_counts`): every fused kernel is traced back
to the torch-level operators whose work it does, and a prefix needs the kernels of its operators. Scheduling prefix by
prefix (`prefix_counts`) is the reference that this is measured against (`benchmarks/fusible_agreement.py`).

This leans on Inductor's inner interfaces, which a new torch may move: callers treat any failure as "not known".
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, TypeVar

import torch
from torch import fx
from torch._inductor import ir
from torch._inductor.compile_fx import _recursive_post_grad_passes
from torch._inductor.debug import DebugContext
from torch._inductor.fx_passes.joint_graph import joint_graph_passes
from torch._inductor.fx_passes.post_grad import view_to_reshape
from torch._inductor.graph import GraphLowering
from torch._inductor.scheduler import BaseSchedulerNode, NopKernelSchedulerNode
from torch._inductor.virtualized import V
from torch.fx.experimental.symbolic_shapes import ShapeEnv, statically_known_true

from passnet.dataset.capture.nodes import call_nodes
from passnet.dataset.cut.prefix import prefixes
from passnet.dataset.cut.schedule_device import scheduling
from passnet.dataset.cut.schedule_trace import computing, is_view, on_device, products_with_bias, torch_places, trace
from passnet.graph import fake_inputs

L = TypeVar("L", bound=GraphLowering)
By = Literal["schedule-cuda-fake", "schedule-cuda", "schedule-cpu"]


@dataclass(frozen=True)
class KernelCounts:
    """Kernels of each prefix (`counts[p - 1]`: first p operators), the operators that compute, and the method used."""

    counts: tuple[int, ...]
    computing: frozenset[int]
    by: By


def kernel_counts(module: fx.GraphModule, specs: Sequence[Any], device: str = "cuda") -> KernelCounts:
    """The counts of all prefixes from one scheduling of the whole module. `specs` describe its inputs.

    `device` "cuda" works on any machine. Raises any error of Inductor or of an operator.
    """
    target = torch.device(device, 0) if device == "cuda" else torch.device(device)
    inputs = fake_inputs(specs)
    aten = trace(module, inputs)
    places = computing(aten)
    gemms = products_with_bias(aten)
    kernels = schedule(aten, inputs, target)
    of = torch_places(aten, gemms)
    starts, lives = begins(kernels, of), reordered(kernels, of)
    counts = tuple(
        bisect_left(starts, end) + sum(made < end <= last for made, last in lives)
        for end in range(1, len(call_nodes(module)) + 1)
    )
    return KernelCounts(counts, places, _by(target))


def prefix_counts(module: fx.GraphModule, specs: Sequence[Any], device: str = "cuda") -> list[int]:
    """The reference: each prefix is traced, lowered and scheduled by itself. Values that are used later are its
    outputs.

    `module` carries "val" (see `Graph.module`). Raises any error of Inductor or of an operator.
    """
    target = torch.device(device, 0) if device == "cuda" else torch.device(device)
    counts: list[int] = []
    for prefix in prefixes(module):
        if prefix.module is None:
            counts.append(counts[-1] if counts else 0)
            continue
        inputs = fake_inputs([specs[place] for place in prefix.inputs])
        aten = trace(prefix.module, inputs)
        counts.append(len(schedule(aten, inputs, target)))
    return counts


def _by(device: torch.device) -> By:
    if device.type == "cpu":
        return "schedule-cpu"
    return "schedule-cuda" if torch.cuda.is_available() else "schedule-cuda-fake"


@dataclass(frozen=True)
class ScheduledKernel:
    """One launch: the ATen operators whose results it stores, and those that it computes on the way.

    `call`: it is a library's kernel, into which nothing can be fused. `reordered`: its result lies in memory in another
    order than the operator's own. A convolution in channels-last order is an example.
    """

    makes: frozenset[fx.Node]
    inlines: frozenset[fx.Node]
    call: bool = False
    reordered: bool = False


def schedule(aten: fx.GraphModule, inputs: Sequence[torch.Tensor], device: torch.device) -> list[ScheduledKernel]:
    """The kernels that Inductor would launch on a device for an ATen graph of fake CPU inputs. Changes `aten`."""
    with scheduling(device):
        return _scheduled(aten, on_device(aten, inputs, device))


def _scheduled(aten: fx.GraphModule, inputs: Sequence[torch.Tensor]) -> list[ScheduledKernel]:
    with lowered(aten, inputs, _Lowering) as lowering:
        lowering._update_scheduler()
        return [lowering.kernel(node) for node in lowering.scheduler.nodes if _launches(node)]


@contextmanager
def lowered(
    aten: fx.GraphModule,
    inputs: Sequence[torch.Tensor],
    make: Callable[[fx.GraphModule, Sequence[torch.Tensor], ShapeEnv], L],
) -> Iterator[L]:
    """Inductor's passes over an ATen graph and its lowering by what `make(aten, inputs, shape_env)` gives."""
    mode = inputs[0].fake_mode  # type: ignore[attr-defined]
    with V.set_fake_mode(mode), torch.no_grad():
        joint_graph_passes(aten)
        view_to_reshape(aten)  # type: ignore[no-untyped-call]
        # Returned tensors lie in memory as eager leaves them.
        ir.gm_original_output_strides(aten)
        _recursive_post_grad_passes(aten, is_inference=True)
        lowering = make(aten, inputs, mode.shape_env)
        with V.set_graph_handler(lowering), V.set_debug_handler(DebugContext()), V.set_extern_kernel_nodes([]):
            lowering.run(*inputs)
            yield lowering


def _launches(node: BaseSchedulerNode) -> bool:
    """Some nodes only name another node's result or reserve memory."""
    return any(
        not isinstance(part, NopKernelSchedulerNode) and not isinstance(part.node, ir.MultiOutput)
        for part in node.get_nodes()
    )


class _Lowering(GraphLowering):
    """Inductor's lowering, watched: which operators' work does each buffer hold?

    Inductor's own record of origins also names the operator that made a buffer necessary, which would move kernels
    from one prefix to another.
    """

    def __init__(self, aten: fx.GraphModule, inputs: Sequence[torch.Tensor], shape_env: Any) -> None:
        super().__init__(aten, example_inputs=inputs, shape_env=shape_env, is_inference=True)
        self._stores: dict[fx.Node, Any] = {}
        # Operators whose work was in a value without a buffer when that value was lowered.
        self._work: dict[fx.Node, frozenset[fx.Node]] = {}
        self._pending: dict[fx.Node, list[fx.Node]] = {}
        self._made_by: dict[str, fx.Node] = {}
        self._calls: set[fx.Node] = set()
        self._valued: dict[str, fx.Node] | None = None

    def run_node(self, n: fx.Node) -> object:
        known = len(self.operations)
        self._pending[n] = [source for source in n.all_input_nodes if _is_pending(self._stores[source])]
        result = super().run_node(n)
        made = self.operations[known:]
        self._made_by |= dict.fromkeys((operation.get_operation_name() for operation in made), n)
        self._stores[n] = _store(result)
        inlined: Iterable[fx.Node] = (source for source in self._pending[n] if _is_pending(self._stores[source]))
        if any(isinstance(operation, ir.ExternKernel) for operation in made):
            # A library call reads buffers. An operation that is pending after it is its own bias.
            self._calls.add(n)
            inlined = ()
        self._work[n] = frozenset({n}).union(*(self._work[source] for source in inlined))
        return result

    def kernel(self, node: BaseSchedulerNode) -> ScheduledKernel:
        """The operations of a (fused) scheduler node: those it makes and those it inlines. Call it after lowering."""
        if self._valued is None:
            self._valued = {}
            for source, store in self._stores.items():
                if store is not None and not _is_pending(store):
                    self._valued.setdefault(store.data.get_name(), source)
        found = [self._content(part.node, self._valued) for part in node.get_nodes() if part.node is not None]
        makes = frozenset[fx.Node]().union(*(kernel.makes for kernel in found))
        inlines = frozenset[fx.Node]().union(*(kernel.inlines for kernel in found))
        # If a library call leaves its bias to another operation, that operation makes the call's result.
        makes |= {source for source in inlines & self._calls if _is_pending(self._stores[source])}
        call = all(kernel.call for kernel in found)
        return ScheduledKernel(makes, inlines - makes, call, call and any(kernel.reordered for kernel in found))

    def _is_reordered(self, node: fx.Node) -> bool:
        store, value = self._stores[node], node.meta.get("val")
        if store is None or _is_pending(store) or not isinstance(value, torch.Tensor):
            return False
        stored, known = store.data.get_stride(), value.stride()
        if not all(isinstance(step, int) or getattr(step, "is_number", False) for step in (*stored, *known)):
            return False  # Shapes depend on data, and so do the places of elements.
        return [int(step) for step in stored] != [int(step) for step in known]

    def _content(self, made: ir.Operation, valued: dict[str, fx.Node]) -> ScheduledKernel:
        values = [valued[buffer.get_name()] for buffer in made.get_outputs() if buffer.get_name() in valued]
        node = self._made_by[made.get_operation_name()]
        if isinstance(made, ir.ExternKernel):
            return ScheduledKernel(frozenset({node}), frozenset(), call=True, reordered=self._is_reordered(node))
        if values:
            makes = frozenset(values)
            return ScheduledKernel(makes, frozenset().union(*(self._work[value] for value in values)) - makes)
        return self._intermediate(made, node)

    def _intermediate(self, made: ir.Operation, node: fx.Node) -> ScheduledKernel:
        """A buffer that is no operator's value: a stage of a reduction, or an operand in the layout of a call."""
        reads = made.get_read_names()
        operands = [source for source in self._pending[node] if _reads(self._stores[source]) <= reads]
        work = frozenset().union(*(self._work[source] for source in operands))
        makes = frozenset({operands[-1] if operands and node in self._calls else node})
        return ScheduledKernel(makes, work - makes)


def _store(result: object) -> object:
    """The storage behind a lowered value, seen through views. None for anything but a single tensor."""
    value: Any = result.data if isinstance(result, ir.TensorBox) else None
    while isinstance(value, ir.BaseView):
        value = value.data
    return value if isinstance(value, ir.StorageBox) else None


def _is_pending(store: Any) -> bool:
    """A value that is not in a buffer: every reader computes it."""
    return store is not None and not isinstance(store.data, ir.Buffer)


def _reads(store: Any) -> frozenset[str]:
    """Names of the buffers that a value is computed from."""
    return frozenset(store.data.get_read_names())


def begins(kernels: Sequence[ScheduledKernel], places: Mapping[fx.Node, int]) -> list[int]:
    """The torch-level place at which each kernel becomes necessary, sorted. `places` is that of each ATen operator.

    A kernel begins with the first operator that it alone computes. Two kinds of work do not count. The first is work
    that would be fused into the previous kernel if the graph ended there. The second is work that several kernels
    repeat because that is cheaper than storing its result. It counts for the first of these kernels only.
    """
    stored = {node: kernel for kernel in kernels for node in kernel.makes}
    holders: dict[fx.Node, list[int]] = {}
    first: dict[int, int] = {}
    for number, kernel in enumerate(kernels):
        own = kernel.inlines - stored.keys() - _absorbed(kernel, stored)
        for node in own:
            holders.setdefault(node, []).append(number)
        known = [places[node] for node in kernel.makes if node in places]
        if known:
            first[number] = min(known)
    for node in sorted(holders.keys() & places.keys(), key=lambda node: (len(holders[node]) > 1, places[node])):
        number = min(holders[node], key=lambda number: (first.get(number, inf), number))
        first[number] = min(places[node], first.get(number, places[node]))
    return sorted(first.values())


def reordered(kernels: Sequence[ScheduledKernel], places: Mapping[fx.Node, int]) -> list[tuple[int, int]]:
    """For each library call whose result lies in another order: where the result is made and where it is last read.

    A prefix that ends between them returns the result. It needs one more kernel to restore the order.
    """
    found: list[tuple[int, int]] = []
    for kernel in kernels:
        for node in kernel.makes if kernel.reordered else ():
            last = max((places[user] for user in _readers(node) if user in places), default=-1)
            if node in places and last > places[node]:
                found.append((places[node], last))
    return found


def _readers(node: fx.Node) -> list[fx.Node]:
    """The operators that read a result, through views too."""
    found: list[fx.Node] = []
    for user in node.users:
        found += _readers(user) if is_view(user) else [user]
    return found


def _absorbed(kernel: ScheduledKernel, stored: Mapping[fx.Node, ScheduledKernel]) -> set[fx.Node]:
    """Inlined pointwise work on a result of another kernel, element by element."""
    found: set[fx.Node] = set()
    pending = set(kernel.inlines)
    while pending:
        grown = {node for node in pending if any(_goes_on(node, source, stored, found) for source in _sources(node))}
        if not grown:
            break
        found |= grown
        pending -= grown
    return found


def _goes_on(node: fx.Node, source: fx.Node, stored: Mapping[fx.Node, ScheduledKernel], found: set[fx.Node]) -> bool:
    if source in found:
        return True
    maker = stored.get(source)
    return maker is not None and not maker.call and statically_known_true(_numel(node) == _numel(source))


def _sources(node: fx.Node) -> list[fx.Node]:
    """The operators whose results are read, seen through views."""
    found: list[fx.Node] = []
    for source in node.all_input_nodes:
        found += _sources(source) if is_view(source) else [source]
    return found


def _numel(node: fx.Node) -> int:
    value = node.meta.get("val")
    return value.numel() if isinstance(value, torch.Tensor) else -1
