"""Turns a float32 graph into its half-precision variants: by metadata, and by casts that an operation requires.

Floating inputs become the target dtype.  Some inputs stay float32, because every device accepts them beside
half-precision operands and half-precision models keep them: statistics and affine weights of batch and instance
normalisation, and epsilons.  Weights of layer, group and RMS norms change, because CUDA refuses a layer norm of mixed
dtypes.

The source keeps its text with three exceptions:

- An operand is cast (`.to(torch.float16)`) where operands must share a dtype and do not.
- A `.to(torch.float32)` of a float32 result names the target. In a float32 model it is a cast back to the model's
  dtype.
- A number that the target cannot hold (the mask value -3.4e38) becomes the largest that it can hold.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from passnet.dataset.vary.dims import norm_operands
from passnet.dataset.vary.literals import LiteralRewrite, Path, leaves
from passnet.dataset.vary.replay import Arguments, Replay, ReplayStopped, Values, with_casts, with_literals
from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.text.program import Op, ParsedModel, Ref, TorchConstant, Value
from passnet.graph.values.roles import Role, roles_of
from passnet.op_classes import LIBRARY, word_set

_STATISTIC = re.compile(r"running_(mean|var)|moving_(mean|var)")
# Operations whose floating operands must share a dtype. Fake kernels do not check all of them.
_STRICT = LIBRARY | word_set("""
mv dot addmv tensordot inner grid_sample prelu lerp scatter scatter_ scatter_add scatter_add_ scatter_reduce index_add
index_add_ index_copy index_copy_ index_put index_put_ masked_scatter masked_scatter_ cdist imatmul layer_norm
group_norm
""")
_KEEPING = frozenset({"float32"})


@dataclass(frozen=True)
class Conversion:
    """A graph at another dtype: the specs of its inputs, what changes in its source, and how often."""

    dtype: str
    specs: tuple[TensorSpec, ...]
    rewrite: LiteralRewrite
    changes: Mapping[str, int] = field(default_factory=dict)


def captured_dtype(specs: Sequence[TensorSpec]) -> str | None:
    """The dtype of most floating inputs, or None when there are no floating inputs."""
    found = [spec.dtype for spec in specs if spec.is_floating]
    return max(sorted(set(found)), key=found.count) if found else None


def kept_inputs(program: ParsedModel, specs: Sequence[TensorSpec]) -> frozenset[int]:
    """The inputs that stay float32: running statistics, what batch and instance norms multiply and add, epsilons."""
    roles = roles_of(program, tuple(specs))
    named = {i for i, spec in enumerate(specs) if _STATISTIC.search((spec.original_name or spec.name).lower())}
    return frozenset(norm_operands(program) | named | {i for i, role in enumerate(roles) if role is Role.EPSILON})


def converted_specs(program: ParsedModel, specs: Sequence[TensorSpec], dtype: str) -> tuple[TensorSpec, ...]:
    """The specs with every float32 input at `dtype`, except those that stay. Stored values fit the new dtype."""
    kept = kept_inputs(program, specs)
    return tuple(
        _converted(spec, dtype) if spec.dtype == "float32" and index not in kept else spec
        for index, spec in enumerate(specs)
    )


def _converted(spec: TensorSpec, dtype: str) -> TensorSpec:
    limit = _limit(dtype)
    data = None if spec.data is None else tuple(_bounded(value, limit) for value in spec.data)
    low, high = (None if bound is None else _bounded(bound, limit) for bound in (spec.min_val, spec.max_val))
    return replace(spec, dtype=dtype, data=data, min_val=low, max_val=high)


def _bounded(value: Any, limit: float) -> Any:
    return max(-limit, min(limit, value)) if math.isfinite(value) else value


def _limit(dtype: str) -> float:
    return float(torch.finfo(getattr(torch, dtype)).max)


class Converter:
    """Converts one graph.  Use inside a session of the replay."""

    def __init__(self, replay: Replay, specs: Sequence[TensorSpec], dtype: str) -> None:
        self.replay, self.program, self.dtype = replay, replay.program, dtype
        self.target: torch.dtype = getattr(torch, dtype)
        self.specs = converted_specs(self.program, specs, dtype)
        self.edits: dict[int, dict[Path, Value]] = {}
        self.casts: dict[int, dict[Path, str]] = {}
        self.counts = {"casts": 0, "cast_backs": 0, "clamped": 0}

    def conversion(self) -> Conversion:
        """Runs the graph at the target dtype, and notes the needed changes.  Errors: `ReplayStopped` where no change
        helps.
        """
        self.replay.run(self.replay.inputs(self.specs), self._prepare)
        return Conversion(self.dtype, self.specs, LiteralRewrite(self.edits, self.casts), self.counts)

    def _prepare(self, number: int, values: list[object]) -> Arguments:
        op = self.program.ops[number]
        self._note(number, "cast_backs", self._cast_backs(op, values))
        arguments = with_literals(self.replay.arguments(number, values), self.edits.get(number, {}))
        mixed = dict(self._mixed(op, values))
        if mixed and not (_is_strict(op, values) or self._refused(number, arguments)):
            mixed = {}
        if mixed:
            self.casts[number] = mixed
            self.counts["casts"] += len(mixed)
            arguments = with_casts(arguments, mixed)
        self._note(number, "clamped", self._too_large(op, number, arguments))
        return with_literals(arguments, self.edits.get(number, {}))

    def _note(self, number: int, kind: str, edits: Mapping[Path, Value]) -> None:
        if edits:
            self.edits.setdefault(number, {}).update(edits)
            self.counts[kind] += len(edits)

    def _cast_backs(self, op: Op, values: list[object]) -> dict[Path, Value]:
        """`.to(torch.float32)` of a result that is float32 already."""
        receiver = op.args[0] if op.kind == "method" and op.target == "to" else None
        if not isinstance(receiver, Ref) or receiver.index < len(self.program.params):
            return {}
        if getattr(values[receiver.index], "dtype", None) is not torch.float32:
            return {}
        return {
            path: TorchConstant(self.dtype)
            for path, value in leaves(op)
            if isinstance(value, TorchConstant) and value.name in _KEEPING
        }

    def _mixed(self, op: Op, values: Values) -> Iterator[tuple[Path, str]]:
        """The floating operands that are not of the target dtype, where another one is."""
        operands = [(path, values[value.index]) for path, value in leaves(op) if isinstance(value, Ref)]
        floating = [(path, value) for path, value in operands if _is_floating(value)]
        if any(value.dtype is self.target for _, value in floating):
            yield from ((path, self.dtype) for path, value in floating if value.dtype is not self.target)

    def _refused(self, number: int, arguments: Arguments) -> bool:
        """Whether the operation refuses these operands."""
        try:
            self.replay.call(number, arguments)
        except ReplayStopped:
            return True
        return False

    def _too_large(self, op: Op, number: int, arguments: Arguments) -> dict[Path, Value]:
        """Finite numbers beyond the target's range where the result is of the target dtype."""
        limit = _limit(self.dtype)
        large = {path: value for path, value in leaves(op) if type(value) is float and limit < abs(value) < math.inf}
        if not large:
            return {}
        try:
            result = self.replay.call(number, arguments)
        except ReplayStopped:
            return {}
        if getattr(result, "dtype", self.target) is not self.target:
            return {}
        return {path: math.copysign(limit, value) for path, value in large.items()}


def _is_floating(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def _is_strict(op: Op, values: Values) -> bool:
    """Must the operands share a dtype?  Writing through tensor indices must, through slices need not."""
    if op.leaf in {"setitem", "__setitem__"}:
        index = op.args[1] if isinstance(op.args[1], tuple) else (op.args[1],)
        return any(isinstance(item, Ref) and isinstance(values[item.index], torch.Tensor) for item in index)
    if op.leaf == "scaled_dot_product_attention":
        return len({values[a.index].dtype for a in op.args[:3] if isinstance(a, Ref)}) > 1
    return op.leaf in _STRICT
