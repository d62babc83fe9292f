"""Speeds that no device can reach: outputs written faster than memory, products faster than the multiply units.

Only work is counted that no algebra saves. It is the outputs' bytes and the operations of some matrix products.
Such a product has two different inputs, and its result reaches an output element by element.

Some work is not counted. A chain of products may be bracketed in another order. A product that is summed up needs
no matrix. A convolution has faster algorithms.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

from passnet.bench.outcome.ownership import found
from passnet.bench.record.records import Timing
from passnet.bench.timing.sizing import GraphShape
from passnet.bench.wire.replies import OutputFacts
from passnet.bench.wire.shared_buffers import pack
from passnet.errors import UsageError
from passnet.graph import Graph, fake_inputs, tensors_of
from passnet.op_classes import GEMMS, word_set
from passnet.roofline import peaks
from passnet.roofline.op_costs import packet_name, storage_of

# Rates that no core or device reaches. Below them the ceilings need not be measured.
_SUSPICIOUS_GB_S = {"cpu": 60.0, "cuda": 2000.0}
_SUSPICIOUS_GFLOPS = {"cpu": 150.0, "cuda": 50_000.0}
# A copy reads as much as it writes, so it may be slower than writing alone. A narrower dtype may multiply faster
# than the measured ones. There are also ways to save a few of the operations.
_SLACK = 4.0
_PRODUCT_NAMES = re.compile(r"matmul|linear|mm\b|einsum|@")

_COPIES = word_set("clone _to_copy contiguous copy _unsafe_view")
# Operators that make one element from one element. Different inputs almost always give different results.
_ONE_TO_ONE = word_set("relu gelu silu sigmoid tanh exp neg add relu_ silu_ sigmoid_ tanh_ add_ leaky_relu hardtanh")


def check(timing: Timing, shape: GraphShape, graph: Graph, facts: OutputFacts) -> None:
    """Verdict `integrity` for an impossible time, by the controller's clock or by the worker's events. `facts`: of
    eager's outputs.
    """
    nbytes = written_bytes(shape, facts)
    work = Work(shape.device.partition(":")[0], nbytes, unavoidable_flops(graph))
    too_fast = work.objection(timing.compiled_us)
    if too_fast:
        raise found("implausible_time", too_fast)
    claimed = timing.compiled_gpu_us
    too_fast = work.objection(claimed) if claimed is not None else None
    if too_fast:
        raise found("clock", f"by the events of the worker, {too_fast}")


def written_bytes(shape: GraphShape, facts: OutputFacts) -> int:
    """The bytes of all outputs. What lies in one memory is written once: a view of another output, or windows of it."""
    largest: dict[int, int] = {}
    for index, tensor in enumerate(pack(shape.outputs)[0]):
        places = facts.least_places(index, tensor.shape)
        memory = facts.memories[index] if index < len(facts.memories) else index
        nbytes = tensor.nbytes * places // max(1, math.prod(tensor.shape))
        largest[memory] = max(nbytes, largest.get(memory, 0))
    return sum(largest.values())


@dataclass(frozen=True)
class Work:
    """The work that must be done on a device (`cpu`, `cuda`): bytes to write, operations of products."""

    device: str
    nbytes: int
    flops: int

    def objection(self, us: float) -> str | None:
        """The reason why the work cannot have been done in so many microseconds."""
        gb_s, gflops = (amount / max(us, 1e-3) / 1e3 for amount in (self.nbytes, self.flops))
        if gb_s >= _SUSPICIOUS_GB_S[self.device]:
            level = peaks.measure(self.device).level_for(self.nbytes)
            if gb_s > _SLACK * level.gb_s:
                written = f"{self.nbytes} bytes of outputs in {us:.3f} us are {gb_s:.0f} GB/s"
                return f"{written}; {level.name} does {level.gb_s:.0f} GB/s"
        if gflops >= _SUSPICIOUS_GFLOPS[self.device]:
            best = max(peaks.measure(self.device).matmul_gflops.values())
            if gflops > _SLACK * best:
                done = f"{self.flops} operations of matrix products in {us:.3f} us are {gflops:.0f} GFLOP/s"
                return f"{done}; the device does {best:.0f}"
        return None


def unavoidable_flops(graph: Graph) -> int:
    """Operations of the products that count (see above). 0 for a graph that cannot be followed by its shapes alone."""
    if not _PRODUCT_NAMES.search(graph.source):
        return 0
    inputs = fake_inputs(graph.specs, "cpu")
    free = {storage_of(tensor) for tensor, spec in zip(inputs, graph.specs, strict=True) if spec.data is None}
    mode = next((tensor.fake_mode for tensor in inputs if isinstance(tensor, FakeTensor)), nullcontext())
    follower = _Follower(free)
    try:
        module = graph.module("cpu", propagated=False)
        with torch.no_grad(), mode, follower:
            outputs = module(*inputs)
    except (UsageError, RuntimeError, NotImplementedError, TypeError, ValueError):
        return 0  # shapes follow from data, or an operator has no rule for fake tensors: nothing is claimed
    return follower.reaching(list(tensors_of(outputs)))


@dataclass(eq=False)
class _Follower(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch annotates it so
    """Knows which tensors hold unchanged inputs, and which hold a product, possibly changed element by element.

    `free`: storages of inputs. `products`: storage -> (what was multiplied, operations, elements).
    """

    free: set[int]
    products: dict[int, tuple[frozenset[int], int, int]] = field(default_factory=dict)
    alive: list[torch.Tensor] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor) and not func.is_view:
            self.alive.append(result)  # so that no later tensor gets its storage's identity
            self._note(func, [arg for arg in args if isinstance(arg, torch.Tensor)], args, result)
        return result

    def _note(self, func: Any, operands: Sequence[torch.Tensor], args: tuple[Any, ...], result: torch.Tensor) -> None:
        name, place = packet_name(func), storage_of(result)
        known = [storage_of(operand) for operand in operands]
        if name in GEMMS:
            left, right = operands[-2:]
            if self._is_free(left) and self._is_free(right) and known[-2] != known[-1]:
                flops = int(flop_registry[func.overloadpacket](*args, out_val=result))
                self.products[place] = (frozenset(known[-2:]), flops, result.numel())
            return
        held = [self.products[storage] for storage in dict.fromkeys(known) if storage in self.products]
        same_size = bool(operands) and result.numel() == operands[0].numel()
        if name in _COPIES and known and known[0] in self.free and same_size:
            self.free.add(place)
        elif (name in _ONE_TO_ONE or name in _COPIES) and len(held) == 1 and same_size:
            self.products[place] = held[0]
        else:
            self.products.pop(place, None)
            self.free.discard(place)

    def _is_free(self, tensor: torch.Tensor) -> bool:
        """An unchanged input with each of its elements once. A repeated row would make products cheaper."""
        return storage_of(tensor) in self.free and _each_once(tensor)

    def reaching(self, outputs: Sequence[torch.Tensor]) -> int:
        """Operations of the different products that outputs hold in full."""
        found = [(self.products[storage_of(t)], t) for t in outputs if storage_of(t) in self.products]
        whole = {operands: flops for (operands, flops, numel), t in found if t.numel() >= numel}
        return sum(whole.values())


def _each_once(tensor: torch.Tensor) -> bool:
    """Whether the elements lie side by side in some order, without repeats."""
    wanted = 1
    for stride, size in sorted(zip(tensor.stride(), tensor.shape, strict=True)):
        if size != 1 and stride != wanted:
            return False
        wanted *= size
    return True
