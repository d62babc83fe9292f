"""The code that Inductor would generate for a graph: its wrapper and kernels as text. Nothing is compiled or run.

Triton kernels are generated for CUDA on any machine. C++ kernels are plain loops over scalars. The compiler turns them
into vectors of the machine. This module depends on Inductor's internal interfaces, which may change in a new torch.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager

import torch
from torch import fx
from torch._inductor import config
from torch._inductor.graph import GraphLowering
from torch.fx.experimental.symbolic_shapes import ShapeEnv
from torch.fx.node import Argument

from passnet.agent.lowering.changed import leave_inputs, return_inputs, returned_inputs
from passnet.agent.lowering.own_products import WrittenProducts, write_products
from passnet.dataset.cut.schedule import lowered
from passnet.dataset.cut.schedule_device import present
from passnet.dataset.cut.schedule_trace import on_device, trace
from passnet.errors import PassNetError, first_line, foreign
from passnet.graph import Graph, TensorSpec, fake_inputs
from passnet.kernels import triton_check


class NotGenerated(PassNetError):
    """Inductor generates nothing for this graph. The message says why."""


_SETTINGS: dict[str, object] = {
    "fx_graph_cache": False,
    "compile_threads": 1,
    "max_autotune": False,
    "max_autotune_gemm": False,
    "benchmark_kernel": False,
    "size_asserts": False,
    "nan_asserts": False,
    "scalar_asserts": False,
    "alignment_asserts": False,
    # A measured choice of an earlier run would be found in the cache.
    "force_disable_caches": True,
    # In C++ buffers keep their own names. All kernels are one function there, and scratch memory is its own.
    "allow_buffer_reuse": False,
    "inplace_buffers": False,
    "memory_planning": False,
    "triton.autotune_at_compile_time": False,
    "triton.unique_kernel_names": True,
    "triton.store_cubin": False,
    # One lane: loops over scalars.
    "cpp.simdlen": 1,
    "cpp.threads": 1,
    "cpp.enable_kernel_profile": False,
    "cpp.enable_grouped_gemm_template": False,
}


# On a GPU a kernel may write to memory that holds what is read for the last time. It is still in the cache.
_ON_GPU: dict[str, object] = {"allow_buffer_reuse": True, "inplace_buffers": True}
# A literal tensor of at most so many numbers is written into the kernels. Inductor does so only with one axis.
_MOST_WRITTEN_OUT = 8
_UNUSED = TensorSpec("unused", (1,), "float32")


def generate(
    graph: Graph,
    device: str,
    *,
    strides: Sequence[tuple[int, ...]] | None = None,
    dead: Collection[int] = (),
    **settings: object,
) -> str:
    """The Python text of Inductor's module for one graph on "cpu" or "cuda", with the kernels as strings in it.

    `strides` are of the inputs, in elements. Without them the inputs are contiguous. A graph without inputs gets one
    that nothing reads. `dead` are places of inputs to which nothing need be written. `settings` go to Inductor's
    configuration, with dots in names (`{"triton.multi_kernel": 0}`). Raises NotGenerated with the error of Inductor or
    of an operator.
    """
    target = torch.device(device, 0) if device == "cuda" else torch.device(device)
    with foreign(lambda error: NotGenerated(f"{type(error).__name__}: {first_line(str(error))[:200]}")):
        module, given = graph.module(), fake_inputs(graph.specs or (_UNUSED,))
        if not graph.specs:
            _take_an_input(module)
        given = given if not strides else [_laid_out(*pair) for pair in zip(given, strides, strict=True)]
        # The places where half precision is rounded are noted during tracing.
        with config.patch(settings):
            aten = trace(module, given)
        return_inputs(aten, returned_inputs(graph))
        leave_inputs(aten, dead)
        _write_out_literals(aten)
        written = write_products(aten) if device == "cuda" else WrittenProducts()
        with _generating(target, written.settings | settings):
            inputs = on_device(aten, given, target)
            text = _text(aten, inputs)
        return written.quickened(text)


def _take_an_input(module: fx.GraphModule) -> None:
    """Add an unused input. Tracing and lowering learn from an input how shapes are to be known."""
    with module.graph.inserting_before(next(iter(module.graph.nodes))):
        module.graph.placeholder(_UNUSED.name)
    module.recompile()


def _write_out_literals(aten: fx.GraphModule) -> None:
    """Compute the small tensors of a graph (positions, lists used as an index) where they are used.

    As attributes they would lie on the CPU, and every call would copy them to a GPU.
    """
    for node in list(aten.graph.find_nodes(op="get_attr")):
        value = getattr(aten, str(node.target))
        if isinstance(value, torch.Tensor) and value.dim() and 0 < value.numel() <= _MOST_WRITTEN_OUT:
            with aten.graph.inserting_before(node):
                node.replace_all_uses_with(_computed(aten.graph, value))
            aten.graph.erase_node(node)
    aten.recompile()


def _computed(graph: fx.Graph, literal: torch.Tensor) -> fx.Node:
    """The literal as a computed value. The position of each element gives its number."""
    aten, prims = torch.ops.aten, torch.ops.prims
    numbers, on_cpu = literal.flatten().tolist(), torch.device("cpu")

    def filled(shape: list[int], number: float) -> fx.Node:
        options: dict[str, Argument] = {"dtype": literal.dtype, "pin_memory": False, "device": on_cpu}
        return graph.call_function(aten.full.default, (shape, number), options)

    found = filled(list(literal.shape), numbers[0])
    counted: dict[str, Argument] = {
        "start": 0,
        "step": 1,
        "dtype": torch.int64,
        "requires_grad": False,
        "device": on_cpu,
    }
    places = graph.call_function(prims.iota.default, (len(numbers),), counted)
    places = graph.call_function(aten.view.default, (places, list(literal.shape)))
    for place, number in enumerate(numbers[1:], 1):
        here = graph.call_function(aten.eq.Scalar, (places, place))
        found = graph.call_function(aten.where.self, (here, filled([], number), found))
    return found


def _laid_out(value: torch.Tensor, stride: tuple[int, ...]) -> torch.Tensor:
    if value.stride() == stride:
        return value
    with value.fake_mode:  # type: ignore[attr-defined]
        return torch.empty_strided(value.shape, stride, dtype=value.dtype)


@contextmanager
def _generating(target: torch.device, settings: dict[str, object]) -> Iterator[None]:
    with ExitStack() as stack:
        stack.enter_context(config.patch(_SETTINGS | (_ON_GPU if target.type == "cuda" else {}) | settings))
        stack.enter_context(present(target))
        if target.type == "cuda" and not torch.cuda.is_available():
            stack.enter_context(triton_check.no_device())
            # Without this setting it would compute constants on the missing device.
            stack.enter_context(config.patch(joint_graph_constant_folding=False))
        yield


def _text(aten: fx.GraphModule, inputs: Sequence[torch.Tensor]) -> str:
    with lowered(aten, inputs, _lowering) as lowering:
        wrapper, _ = lowering.codegen()
    return str(wrapper.value)


def _lowering(aten: fx.GraphModule, inputs: Sequence[torch.Tensor], shape_env: ShapeEnv) -> GraphLowering:
    return GraphLowering(aten, example_inputs=inputs, shape_env=shape_env, is_inference=True)
