"""The number by which a mask that is added hides, as the statistics of an input tell it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from passnet.graph.text.program import ParsedModel, Ref
from passnet.graph.values.roles import Role
from passnet.op_classes import VIEWS, word_set

if TYPE_CHECKING:
    from typing import Any

    from passnet.graph.tensors.spec import TensorSpec

# Statistics beyond this are a mask's. Running statistics of large activations are as huge and are none: zeros among
# them would make every output overflow.
_HUGE = 1e4
_NO_MASKS = frozenset({Role.VARIANCE, Role.MEAN, Role.NORM_SCALE, Role.EPSILON})
# Of nothing but 0 and v, mean and deviation give v. It is then a number that somebody wrote, no smaller than this, and
# neither nearly all elements have it nor nearly none.
_LEAST, _LEAST_SHARE = 50.0, 1 / 256
# How near to a number of two digits it must be, and how near to a power of ten or the end of a dtype's range. Scores to
# which the mask was added move it a little.
_NEAR, _NEARLY = 1e-4, 1e-3
_ENDS = tuple(torch.finfo(dtype).max for dtype in (torch.float16, torch.bfloat16, torch.float32))
# Draws in which a mask is nothing but 0 and its number. In all others what is not hidden is ordinary: it may be scores
# to which a mask was added.
MASKS_ALONE = frozenset({"small", "sparse", "tiny", "negative", "dominated"})

_ADDING = word_set("add add_ iadd scaled_dot_product_attention")
_PASSING = VIEWS | word_set("getitem to float half bfloat16 double contiguous type_as mul imul clone expand_as")


def hidden_value(spec: TensorSpec, role: Role) -> float | None:
    """The number of what is hidden. None where an input's statistics are not those of a mask, or of what has one."""
    if role in _NO_MASKS or not spec.is_inexact:
        return None
    mean, std = spec.mean or 0.0, spec.std or 0.0
    if math.isinf(mean) and spec.is_floating:
        return mean
    mean, std = (each if math.isfinite(each) else 0.0 for each in (mean, std))
    known = _of_two(mean, std) if spec.is_floating and _allows(spec, 0.0) else None
    if known is not None and _allows(spec, known):
        most = known
    elif max(abs(mean), std) > _HUGE:
        most = math.copysign(max(abs(mean), std), mean)
    else:
        return None
    limit = float(torch.finfo(getattr(torch, spec.dtype)).max) if spec.is_floating else 1e30
    return max(-limit, min(limit, most))


def folded(values: NDArray[Any], spec: TensorSpec) -> NDArray[Any]:
    """Numbers of which those beyond a bound are as far on its other side: the farther bound may be what is hidden."""
    if spec.max_val is not None and math.isfinite(spec.max_val):
        values = np.where(values > spec.max_val, 2 * spec.max_val - values, values).astype(values.dtype)
    if spec.min_val is not None and math.isfinite(spec.min_val):
        values = np.where(values < spec.min_val, 2 * spec.min_val - values, values).astype(values.dtype)
    return values


def _of_two(mean: float, std: float) -> float | None:
    """The other one of two numbers of which one is zero, if it is one that somebody may have written."""
    if not mean or not std:
        return None
    spread = std / mean
    if not _LEAST_SHARE < 1 / (1 + spread * spread) < 1 - _LEAST_SHARE:  # a power of a large number would raise
        return None
    found = mean + std * spread
    if not _LEAST * (1 - _NEARLY) <= abs(found) < math.inf:
        return None
    power = 10.0 ** round(math.log10(abs(found)))
    digits = float(f"{abs(found):.1e}")
    for known, near in ((power, _NEARLY), *((end, _NEARLY) for end in _ENDS), (digits, _NEAR)):
        if abs(abs(found) - known) <= near * known:
            return math.copysign(known, found)
    return None


def _allows(spec: TensorSpec, value: float) -> bool:
    return (spec.min_val is None or spec.min_val <= value) and (spec.max_val is None or value <= spec.max_val)


def added(program: ParsedModel) -> frozenset[int]:
    """The inputs that are added to something, as masks are. What is not may be scores, to which one was added."""
    found: set[int] = set()
    for number, op in reversed(list(enumerate(program.ops))):
        refs = {value.index for value in (*op.args, *dict(op.kwargs).values()) if isinstance(value, Ref)}
        if op.leaf in _ADDING or (op.leaf in _PASSING and len(program.params) + number in found):
            found |= refs
    return frozenset(index for index in found if index < len(program.params))
