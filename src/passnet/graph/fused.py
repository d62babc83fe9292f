"""Dynamo writes `addcmul_` and `addcdiv_` with a value, and `add_` with a tensor alpha, by an operator of Inductor's.

That operator, a fused multiply-add, is no part of the format. Here is the plain function of torch that computes it.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch._ops import OpOverload, OpOverloadPacket

_FMA = ("prims.fma", "prims.fma.default")


def is_fma(target: object) -> bool:
    """Whether a node's function is Inductor's `fma(a, b, c)`, which is `a * b + c`."""
    return isinstance(target, (OpOverload, OpOverloadPacket)) and str(target) in _FMA


def plain_fma(a: object, b: object, c: object) -> tuple[str, tuple[object, ...], Mapping[str, object]]:
    """Name below `torch`, arguments and keywords of the same: `add` where `b` is a number, else `addcmul`."""
    if isinstance(b, int | float):
        return "add", (c, a), {"alpha": b}
    return "addcmul", (c, a, b), {}
