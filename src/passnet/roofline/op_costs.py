"""The cost of one ATen call: floating-point operations, bytes, and whether it launches a kernel.  Rules as tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import torch
from torch._ops import OpOverload
from torch.utils.flop_counter import flop_registry, sdpa_flop_count

from passnet.graph import dtype_name, tensors_of
from passnet.op_classes import EMPTY, FULL, ONES, ZEROS, word_set

# The kind of products that torch computes in TF32 by default: convolutions in float32 on a GPU.
TF32 = "tf32"
# What an ATen call is given: tensors, numbers, and lists of them, as its schema says.
Operands = tuple[Any, ...]


class FlopSource(StrEnum):
    """Source of a count: torch's own formulas, our estimate, no operations at all, or no known rule."""

    TORCH = "torch"
    ESTIMATE = "estimate"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class CallCost:
    """One ATen call.  `read_bytes` + `written_bytes`: moved by eager.

    `rate`: which rate of the device its operations have. The dtype of its first tensor result, TF32 where torch
    computes in it, the dtype of the operands where that is narrower than half precision.
    """

    op: str
    kernel: bool
    flops: int
    source: FlopSource
    matmul: bool
    rate: str | None
    read_bytes: int
    written_bytes: int


# Queries and marks that fake tensors and autograd add. They cost eager users no time.
_BOOKKEEPING = word_set(
    "detach alias lift_fresh sym_size sym_numel sym_stride "
    "sym_storage_offset is_same_size device _assert_scalar _assert_async _assert_tensor_metadata"
)
# Allocations: no kernel runs.
_NO_KERNEL = EMPTY | {"empty_permuted", "set_", "resize_"}
# Data is moved or made, nothing is computed.
_MOVES = (
    ZEROS
    | ONES
    | FULL
    | word_set("""
_to_copy clone copy copy_ cat stack constant_pad_nd index _unsafe_index gather index_select embedding take
masked_select slice_scatter select_scatter as_strided_scatter scatter scatter_ index_put index_put_ _index_put_impl_
index_copy index_copy_ roll flip repeat fill fill_ zero_ arange scalar_tensor eye tril triu where masked_fill
masked_fill_ _local_scalar_dense nonzero lift_fresh_copy channel_shuffle pixel_shuffle pixel_unshuffle im2col
split_with_sizes_copy replication_pad1d replication_pad2d reflection_pad1d reflection_pad2d upsample_nearest1d
upsample_nearest2d upsample_nearest3d _upsample_nearest_exact2d
""")
)
# Operations for each element of the first operand. A reduction has one, a normalisation as many as its formula.
_PER_OPERAND_TEXT: Mapping[str, int] = {
    """sum mean amax amin max min prod any all argmax argmin cumsum cumprod nansum aminmax logcumsumexp median
    _adaptive_avg_pool2d _adaptive_avg_pool3d adaptive_max_pool2d""": 1,
    "norm linalg_vector_norm index_add index_add_ scatter_add scatter_add_ scatter_reduce dot vdot": 2,
    "var std var_mean std_mean logsumexp _fused_rms_norm rms_norm": 4,
    """native_batch_norm _native_batch_norm_legit _native_batch_norm_legit_no_training _batch_norm_no_update
    _batch_norm_with_update cudnn_batch_norm miopen_batch_norm""": 4,
    "_softmax _log_softmax _safe_softmax": 5,
    "native_layer_norm native_group_norm": 8,
}
_PER_OPERAND = {name: count for names, count in _PER_OPERAND_TEXT.items() for name in names.split()}
# Operations for each element of the result. Torch tags most elementwise operators. The first row holds the others.
_PER_RESULT: Mapping[str, int] = {
    **dict.fromkeys(word_set("hardswish hardswish_ _prelu_kernel gelu_ mish_ relu6_ threshold_ abs_ copysign_"), 1),
    "glu": 2, "log_sigmoid_forward": 2, "native_dropout": 2, "mse_loss": 2, "smooth_l1_loss": 3, "huber_loss": 3,
    "upsample_linear1d": 4, "upsample_bilinear2d": 8, "_upsample_bilinear2d_aa": 8, "upsample_bicubic2d": 40,
    "_upsample_bicubic2d_aa": 40, "grid_sampler_2d": 12, "_cdist_forward": 3,
}  # fmt: skip
# Each element of the result reads every element of its window.
_PER_WINDOW = word_set("avg_pool1d avg_pool2d avg_pool3d max_pool2d_with_indices max_pool3d_with_indices")
# Along the transformed dimensions (second operand): 5 n log2 n operations for n elements.
_TRANSFORMS = word_set("_fft_c2c _fft_r2c _fft_c2r")
# Matrix times vector -> position of the matrix. It takes two operations for each element of the matrix.
_MATRIX_VECTOR: Mapping[str, int] = {"mv": 0, "addmv": 1}
_ATTENTION = frozenset({"_scaled_dot_product_flash_attention_for_cpu", "_scaled_dot_product_attention_math"})

# Operator -> position of an operand that is read only in part: as many bytes as the result has.
_GATHERS: Mapping[str, int] = {
    "embedding": 0, "index": 0, "_unsafe_index": 0, "gather": 0, "index_select": 0, "take": 0, "masked_select": 0,
}  # fmt: skip
# In-place operator -> position of an operand. Its size says how much of the first operand is written.
_SCATTERS: Mapping[str, int] = {
    "index_put_": 2, "_index_put_impl_": 2, "index_copy_": 3, "scatter_": 3, "scatter_add_": 3, "index_add_": 3,
}  # fmt: skip
_OVERWRITES = word_set("copy_ fill_ zero_ normal_ uniform_ bernoulli_ random_")


def packet_name(func: OpOverload) -> str:
    """`add` for `aten.add.Tensor`."""
    name: str = func.overloadpacket.__name__
    return name


def call_cost(func: OpOverload, args: Operands, kwargs: Mapping[str, object], result: object) -> CallCost:
    """The cost of one call, from shapes alone.  `func` is an OpOverload. All sizes must be plain integers."""
    outputs = list(tensors_of(result))
    first = outputs[0] if outputs else None
    kernel = launches(func, args, kwargs, outputs)
    flops, source = _flops(func, args, kwargs, result, outputs) if kernel else (0, FlopSource.NONE)
    return CallCost(
        op=str(func),
        kernel=kernel,
        flops=flops,
        source=source,
        matmul=source is FlopSource.TORCH or packet_name(func) in _MATRIX_VECTOR,
        rate=_rate(func, args, first) if first is not None else None,
        read_bytes=sum(size for _, size in reads(func, args, kwargs, outputs)) if kernel else 0,
        written_bytes=sum(size for _, size in writes(func, args, kwargs, outputs)) if kernel else 0,
    )


def _rate(func: OpOverload, args: Operands, result: torch.Tensor) -> str:
    """The kind of a call's operations, as `Ceilings.gflops_for` takes it."""
    operand = next((value for value in args if isinstance(value, torch.Tensor)), result)
    if operand.element_size() == 1 and operand.is_floating_point():
        return dtype_name(operand.dtype)
    single_on_gpu = result.dtype is torch.float32 and result.device.type == "cuda"
    if single_on_gpu and "conv" in packet_name(func) and torch.backends.cudnn.allow_tf32:
        return TF32
    return dtype_name(result.dtype)


def is_bookkeeping(func: OpOverload) -> bool:
    """Whether this is a query about a tensor, or a mark on it, and not an operation."""
    return packet_name(func) in _BOOKKEEPING


def launches(func: OpOverload, args: Operands, kwargs: Mapping[str, object], outputs: list[torch.Tensor]) -> bool:
    """Whether the call does work on the device.  Views, allocations and unchanged operands are no work."""
    if func.is_view or packet_name(func) in _NO_KERNEL:
        return False
    if written_operands(func, args, kwargs):
        return True
    operands = {storage_of(tensor) for tensor in tensors_of([list(args), dict(kwargs)])}
    return not outputs or any(storage_of(tensor) not in operands for tensor in outputs)


def written_operands(func: OpOverload, args: Operands, kwargs: Mapping[str, object]) -> list[torch.Tensor]:
    """The operands that the call's schema says it writes."""
    found: list[torch.Tensor] = []
    for position, argument in enumerate(func._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            value = args[position] if position < len(args) else kwargs.get(argument.name)
            found += tensors_of(value)
    return found


def reads(
    func: OpOverload, args: Operands, kwargs: Mapping[str, object], outputs: list[torch.Tensor]
) -> Iterator[tuple[torch.Tensor, int]]:
    """Each tensor operand with the bytes of it that the call must read."""
    name = packet_name(func)
    made = sum(map(tensor_bytes, outputs))
    for position, value in [*enumerate(args), *kwargs.items()]:
        for tensor in tensors_of(value):
            if position == 0 and name in _OVERWRITES:
                continue
            size = tensor_bytes(tensor)
            limited = _GATHERS.get(name) == position
            if position == 0 and name in _SCATTERS:
                size, limited = _scattered(name, args, size), False
            yield tensor, min(size, made) if limited else size


def writes(
    func: OpOverload, args: Operands, kwargs: Mapping[str, object], outputs: list[torch.Tensor]
) -> Iterator[tuple[torch.Tensor, int]]:
    """Each tensor that the call writes, new results and operands changed in place, with the bytes written."""
    name = packet_name(func)
    changed = written_operands(func, args, kwargs)
    for tensor in changed:
        size = tensor_bytes(tensor)
        yield tensor, _scattered(name, args, size) if name in _SCATTERS else size
    known = {storage_of(tensor) for tensor in changed}
    for tensor in outputs:
        if storage_of(tensor) not in known:
            yield tensor, tensor_bytes(tensor)


def _scattered(name: str, args: tuple[object, ...], size: int) -> int:
    position = _SCATTERS[name]
    values = args[position] if position < len(args) else None
    return min(size, tensor_bytes(values)) if isinstance(values, torch.Tensor) else size


def tensor_bytes(tensor: torch.Tensor) -> int:
    """Bytes of the distinct elements: dimensions expanded with stride 0 count once."""
    if tensor.layout is not torch.strided:
        return tensor.numel() * tensor.element_size()
    sizes = zip(tensor.shape, tensor.stride(), strict=True)
    return math.prod(size for size, stride in sizes if stride != 0 or size == 0) * tensor.element_size()


def storage_of(tensor: torch.Tensor) -> int:
    """Identity of the memory behind a tensor. It is valid while both live."""
    if tensor.layout is not torch.strided:  # The tensor has several pieces of memory, or none that torch shows.
        return -id(tensor)
    return int(tensor.untyped_storage()._cdata)


def _flops(
    func: OpOverload, args: Operands, kwargs: Mapping[str, object], result: object, outputs: list[torch.Tensor]
) -> tuple[int, FlopSource]:
    """The count and its source.  A multiply-add is two operations. A transcendental function is one."""
    formula: Callable[..., int] | None = flop_registry.get(func.overloadpacket)
    if formula is not None:
        return int(formula(*args, **kwargs, out_val=result)), FlopSource.TORCH
    name = packet_name(func)
    if name in _ATTENTION:
        shapes = (tuple(operand.shape) for operand in args[:3])
        return int(sdpa_flop_count(*shapes)), FlopSource.TORCH  # type: ignore[no-untyped-call]
    made = outputs[0].numel() if outputs else 0
    if name in _MOVES or not any(tensor.is_floating_point() or tensor.is_complex() for tensor in outputs):
        return 0, FlopSource.NONE
    estimate = _estimate(name, args, made)
    if estimate is None and torch.Tag.pointwise in func.tags:
        estimate = made
    return (estimate, FlopSource.ESTIMATE) if estimate is not None else (0, FlopSource.UNKNOWN)


def _estimate(name: str, args: Operands, made: int) -> int | None:
    operands = [value for value in args if isinstance(value, torch.Tensor)]
    if name in _PER_OPERAND and operands:
        return _PER_OPERAND[name] * operands[0].numel()
    if name in _PER_RESULT:
        return _PER_RESULT[name] * made
    if name in _MATRIX_VECTOR and len(operands) > _MATRIX_VECTOR[name]:
        return 2 * operands[_MATRIX_VECTOR[name]].numel()
    if name in _TRANSFORMS:
        length = math.prod(operands[0].shape[dim] for dim in args[1])
        return round(5 * operands[0].numel() * math.log2(max(length, 2)))
    if name in _PER_WINDOW:
        window = args[1]
        dimensions = int(name.split("pool")[1][0])
        elements = math.prod(window) if len(window) == dimensions else window[0] ** dimensions
        return made * int(elements)
    return None
