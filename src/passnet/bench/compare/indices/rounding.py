"""Whether the values of a run were rounded, node by node, as the graph's operators say.

What a graph is given is not rounded, nor what it moves, masks or picks of that. A sum or a product may be rounded. The
result of that shows it: float64 has another one. After any other operator nobody knows: two values that were rounded
may both be 0 or 1 in eager and in float64, and another in an honest form.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

import torch
from torch import fx
from torch.utils import _pytree as pytree

from passnet.bench.compare.float64_twin import share, version
from passnet.op_classes import CREATION, VIEWS, word_set

# These give each element of their result as it was. A cast between floats may round, which float64 shows.
MOVING = VIEWS | word_set("""
T mT clone contiguous detach getitem setitem getattr flip roll repeat repeat_interleave tile broadcast_to ravel
reshape_as stack cat concat hstack vstack index_select gather take take_along_dim embedding masked_select where
masked_fill index_fill copy tril triu diagonal pad unfold to type type_as float double half bfloat16 neg negative abs
""")
# These give some of the numbers that they are given, or whole ones. What was rounded before them no longer shows.
PICKING = CREATION | word_set("""
amax amin max min maximum minimum fmax fmin topk sort kthvalue median nanmedian mode cummax cummin relu relu6 clamp clip
clamp_min clamp_max hardtanh threshold floor ceil round trunc sign arange eye tensor scalar_tensor
""")
_ARITHMETIC = word_set("add sub subtract rsub mul multiply iadd isub imul")
_DIVIDING = word_set("div truediv divide true_divide")
# What they give of a tensor is no number of it.
_OF_SHAPES = word_set("size dim numel len")
_OF_FORM = word_set("shape dtype device ndim")
# A sum in float64 is rounded alike in eager and in its twin. Of complex numbers nothing is chosen.
_WIDEST = frozenset({torch.float64, torch.complex64, torch.complex128})


class Rounding(IntEnum):
    """NONE: nothing was rounded. SHOWN: an element that was rounded is another number in float64. UNKNOWN: any."""

    NONE = 0
    SHOWN = 1
    UNKNOWN = 2


class Roundings:
    """The roundings of a run's values. They are told of each node before and after it has run."""

    def __init__(self) -> None:
        self._known: dict[fx.Node, Rounding] = {}
        self._before: list[int | None] = []

    def before(self, n: fx.Node, env: Mapping[fx.Node, Any]) -> None:
        self._before = [version(value) for value in _given(n, env)]

    def after(self, n: fx.Node, result: Any, env: Mapping[fx.Node, Any]) -> None:
        """What a node writes to a tensor is written to all that share its memory."""
        found = self._known[n] = _rounding(n, self.of_given(n), pytree.tree_leaves(result))
        given = _given(n, env)
        written = [v for v, old in zip(given, self._before, strict=True) if old is None or version(v) != old]
        for node, value in env.items() if written and found else ():
            tensors = _tensors([value])
            if any(share(one, other) for one in tensors for other in written):
                self._known[node] = max(self._known[node], found)

    def of_given(self, n: fx.Node) -> Rounding:
        """The most that any of a node's arguments was rounded."""
        return max((self._known[each] for each in n.all_input_nodes), default=Rounding.NONE)


def _given(n: fx.Node, env: Mapping[fx.Node, Any]) -> list[torch.Tensor]:
    return _tensors([env[each] for each in n.all_input_nodes])


def _tensors(values: Any) -> list[torch.Tensor]:
    return [value for value in pytree.tree_leaves(values) if isinstance(value, torch.Tensor)]


def _rounding(n: fx.Node, given: Rounding, results: Sequence[Any]) -> Rounding:
    if n.op not in {"call_function", "call_method"}:
        return Rounding.UNKNOWN if n.op == "call_module" else given
    leaf = (n.target if isinstance(n.target, str) else getattr(n.target, "__name__", "")).rstrip("_")
    if leaf in _OF_SHAPES or (leaf == "getattr" and n.args[1] in _OF_FORM):
        return Rounding.NONE
    whole = not any(_is_fraction(value) for value in results if value is not None)
    if leaf in MOVING and (given is Rounding.NONE or not whole or leaf == "setitem"):
        return given
    if given is Rounding.NONE and (leaf in PICKING or whole):
        return given
    wide = any(isinstance(value, torch.Tensor) and value.dtype in _WIDEST for value in results)
    if (leaf in _ARITHMETIC or _halves(n, leaf)) and not wide and given is not Rounding.UNKNOWN:
        return Rounding.SHOWN
    return Rounding.UNKNOWN


def _is_fraction(value: Any) -> bool:
    if isinstance(value, torch.Tensor):
        return value.is_floating_point() or value.is_complex()
    return isinstance(value, float | complex)


def _halves(n: fx.Node, leaf: str) -> bool:
    """Whether a node divides by a power of two."""
    by = n.args[1] if leaf in _DIVIDING and len(n.args) == 2 and not n.kwargs else None
    return isinstance(by, int | float) and math.frexp(abs(by))[0] == 0.5
