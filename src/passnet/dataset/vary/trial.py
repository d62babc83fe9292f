"""Runs a graph once for real on the CPU and says whether its outputs are worth comparing. Estimates the cost before."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from passnet.dataset.vary.dims import leaf
from passnet.dataset.vary.replay import Replay, ReplayStopped, sizes, tensors_nbytes
from passnet.graph import Graph, degenerate, tensors_of
from passnet.graph.text.program import ParsedModel, Ref
from passnet.graph.values.propagation import restored_state

_WEIGHTED = frozenset({"linear", "conv1d", "conv2d", "conv3d"})
_PRODUCTS = frozenset({"matmul", "bmm", "mm", "baddbmm", "addmm", "einsum", "imatmul", "multi_head_attention_forward"})


@dataclass(frozen=True)
class Cost:
    """Bytes of all values of one call, and roughly the multiplications and element operations."""

    nbytes: int
    operations: int


@dataclass(frozen=True)
class VariantTrial:
    """The result of a real run: why it failed, or why its outputs tell nothing. Both None: it ran and they tell
    something.
    """

    failure: str | None = None
    flag: str | None = None


def cost_of(program: ParsedModel, values: Sequence[Any]) -> Cost:
    """The cost of a program whose fake values (inputs, then results) are known."""
    count = len(program.params)
    work = 0
    for number, op in enumerate(program.ops):
        operands = [values[arg.index] for arg in op.args if isinstance(arg, Ref)]
        work += _work(leaf(op), operands, values[count + number])
    return Cost(sum(tensors_nbytes(value) for value in values), work)


def _work(name: str, operands: Sequence[Any], result: Any) -> int:
    size = _numel(result)
    if name in _WEIGHTED and len(operands) > 1:
        return size * (_numel(operands[1]) // max(_size(operands[1], 0), 1))
    if name.startswith("conv_transpose") and len(operands) > 1:
        return _numel(operands[0]) * (_numel(operands[1]) // max(_size(operands[1], 0), 1))
    if name in _PRODUCTS and operands:
        return size * max(_size(operands[-2] if len(operands) > 2 else operands[0], -1), 1)
    if name == "scaled_dot_product_attention" and len(operands) > 1:
        return 2 * _numel(operands[0]) * max(_size(operands[1], -2), 1)
    return size


def _numel(value: Any) -> int:
    if isinstance(value, (tuple, list)):
        return sum(_numel(item) for item in value)
    known = [size for size in sizes(value) if size is not None]
    return int(torch.Size(known).numel()) if isinstance(value, torch.Tensor) else 0


def _size(value: Any, dim: int) -> int:
    shape = sizes(value)
    return (shape[dim] or 1) if -len(shape) <= dim < len(shape) else 1


def run_for_real(graph: Graph, seed: int) -> VariantTrial:
    """One run on the CPU with the inputs of a seed."""
    try:
        inputs = graph.inputs(seed)
        with restored_state(), torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            replay = Replay(graph.program)
            outputs = replay.outputs(replay.run(inputs))
        return _judged(outputs)
    except ReplayStopped as stopped:
        return VariantTrial(failure=_general(str(stopped)))
    except Exception as error:  # noqa: BLE001  kernels raise whatever they like; the record carries it
        return VariantTrial(failure=_general(f"{type(error).__name__}: {error}"))


def _judged(outputs: Any) -> VariantTrial:
    if not any(True for _ in tensors_of(outputs)):
        return VariantTrial(flag="no tensor among the outputs")
    reason = degenerate(outputs)
    if reason is None:
        return VariantTrial()
    lost = all("finite" in part for part in reason.split("; "))
    return VariantTrial(failure="the outputs are not finite") if lost else VariantTrial(flag=reason)


def _general(message: str) -> str:
    """The start of an error's first line with its numbers left out, so that equal causes count as one."""
    first = (message.splitlines() or [""])[0]
    return re.sub(r"\d+", "#", first)[:100]
