"""What an honest form may make of a graph in its own dtypes: float64's twin, with each value as far off as that may be.

Eager's own errors say little of where a form that adds in another order is, and steps of the inputs cancel in a long
sum. So the bound is an a priori one, of each operation: the sum of the sizes of all that it adds, times half a step of
float32 for each root of their number, and a step for the operation itself. In a narrow dtype the result is rounded to
it once more. One run has all values off in one way. Several runs show between what each integer behind a step may be.

What a dtype holds exactly was not rounded, as far as anybody can tell: sums of small integers, or of a mask. What was
rounded may be on both sides of a step, also where it lies just there: nobody knows its side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from random import Random
from typing import Any

import torch
from torch import fx
from torch.utils import _pytree as pytree

from passnet.bench.compare.float64_twin import Widened, run_widened, share, tuple_of
from passnet.bench.compare.indices.rounding import MOVING, PICKING
from passnet.op_classes import CONVOLUTIONS, PRODUCTS, TRANSPOSED_CONVOLUTIONS, word_set

_STEP = torch.finfo(torch.float32).eps
_NARROW, _ROUNDING = frozenset({torch.float16, torch.bfloat16}), frozenset({torch.float32, torch.complex64})
# These add products of their arguments, or numbers of their argument, and do nothing else.
_OF_ONE = word_set("sum mean nansum nanmean cumsum")
_ADDING = (
    _OF_ONE
    | PRODUCTS
    | CONVOLUTIONS
    | TRANSPOSED_CONVOLUTIONS
    | word_set("mv dot vdot inner outer tensordot addmv addr")
)
# These add up too, on a way that their name alone does not tell.
_MIXING = word_set("""
normalize softmax log_softmax softmin logsumexp logcumsumexp layer_norm group_norm batch_norm instance_norm rms_norm
cosine_similarity pairwise_distance norm vector_norm matrix_norm var std var_mean std_mean cdist pdist dist cov corrcoef
scaled_dot_product_attention avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d prod cumprod
local_response_norm mse_loss l1_loss cross_entropy kl_div
""")
_MOVED = MOVING | PICKING
_CASTS = word_set("to type type_as half bfloat16")
_FORMS = "dtypes of values"


class Look(Enum):
    """In which direction all values are off. The last two are each other's opposite."""

    UP = "up"
    DOWN = "down"
    AWAY = "away from zero"
    TOWARD = "toward zero"
    BY_CHANCE = "by chance"
    AGAINST_CHANCE = "against chance"


_CHANCE = frozenset({Look.BY_CHANCE, Look.AGAINST_CHANCE})


def run_rough(module: fx.GraphModule, inputs: Sequence[torch.Tensor], look: Look, seed: int) -> tuple[Any, ...]:
    """The outputs in one look. Neither the inputs nor parameters are changed."""
    if _FORMS not in module.meta:
        forms = _Forms(module)
        forms.run(*(value.clone() for value in inputs), enable_io_processing=False)
        module.meta[_FORMS] = forms.found
    with torch.no_grad():
        return tuple_of(run_widened(module, inputs, _Rough(module, look, seed, module.meta[_FORMS])))


class _Forms(fx.Interpreter):
    """Runs a graph as it is, and sees of what dtype each value is."""

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self.extra_traceback = False
        self.found: dict[str, torch.dtype] = {}

    def run_node(self, n: fx.Node) -> Any:
        result = super().run_node(n)
        found = next((value.dtype for value in pytree.tree_leaves(result) if isinstance(value, torch.Tensor)), None)
        if found is not None:
            self.found[n.name] = found
        return result


class _Rough(Widened):
    """Runs a graph twice side by side: as float64 has it, and off. Returns what is off."""

    def __init__(self, module: fx.GraphModule, look: Look, seed: int, forms: Mapping[str, torch.dtype]) -> None:
        super().__init__(module)
        self._look, self._rng, self._forms = look, Random(seed), forms
        self._rough: dict[fx.Node, Any] = {}

    def run_node(self, n: fx.Node) -> Any:
        if n.op == "output":
            return fx.map_arg(n.args[0], self._rough.__getitem__)
        result = super().run_node(n)
        self._rough[n] = self._off(n, result) if n.op.startswith("call") else pytree.tree_map(_copy, result)
        for unused in self.user_to_last_uses.get(n, ()):
            del self._rough[unused]
        return result

    def _run(self, n: fx.Node, values: dict[fx.Node, Any]) -> Any:
        """What a node makes of these values."""
        own, self.env = self.env, values
        try:
            return super().run_node(n)
        finally:
            self.env = own

    def _given(self, n: fx.Node) -> list[torch.Tensor]:
        return _tensors(self.env[each] for each in n.all_input_nodes)

    def _off(self, n: fx.Node, result: Any) -> Any:
        """What a node makes of values that are off, and off by what it rounds itself. `result`: float64's."""
        leaf, form = _leaf(n), self._forms.get(n.name)
        narrow = form in _NARROW
        if form is None or not (narrow or form in _ROUNDING) or (leaf in _MOVED and not (narrow and leaf in _CASTS)):
            return self._run(n, self._rough)
        count, sizes, given = 1.0, None, self._rough
        if leaf in _ADDING:
            count, sizes = self._added(n, leaf)
        elif leaf in _MIXING:
            count = float(max(size for value in self._given(n) for size in (1, *value.shape)))
            given = self._shaken(n, _STEP * math.sqrt(count) / 2.0)
        share_of, last = _STEP * (1.0 + math.sqrt(count) / 2.0), torch.finfo(form).eps if narrow else 0.0
        held = _tensors(self._rough[each] for each in n.all_input_nodes)

        def moved(rough: Any, own: Any) -> Any:
            if not isinstance(rough, torch.Tensor) or not _is_inexact(rough):
                return rough
            size = own.abs()
            bound = share_of * (size if sizes is None else sizes) + last * size
            by = self._directed(bound.masked_fill_(own == own.to(form).to(own.dtype), 0.0), own)
            return rough.add_(by) if any(share(value, rough) for value in held) else rough + by

        return pytree.tree_map(moved, self._run(n, given), result)

    def _added(self, n: fx.Node, leaf: str) -> tuple[float, torch.Tensor]:
        """How many numbers a node adds up at most for an element, and the sums of their sizes."""
        sizes = self._run(n, {each: pytree.tree_map(_size, self.env[each]) for each in n.all_input_nodes}).abs()
        if leaf not in _OF_ONE:
            ones = {each: pytree.tree_map(_one, self.env[each]) for each in n.all_input_nodes}
            return max(1.0, float(self._run(n, ones).max())) if sizes.numel() else 1.0, sizes
        (given, *_) = self._given(n)
        return float(max(given.shape) if leaf == "cumsum" else given.numel() / max(1, sizes.numel())), sizes

    def _shaken(self, n: fx.Node, by: float) -> dict[fx.Node, Any]:
        """What a node is given, each number larger or smaller by this share."""

        def shaken(value: Any) -> Any:
            if not isinstance(value, torch.Tensor) or not _is_inexact(value):
                return value
            return value + value * (by * self._by_chance(value))

        return {each: pytree.tree_map(shaken, self._rough[each]) for each in n.all_input_nodes}

    def _directed(self, bound: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
        """By how much values are off in this look."""
        if self._look in (Look.AWAY, Look.TOWARD):
            return bound * own.sgn() * (1.0 if self._look is Look.AWAY else -1.0)
        signs = self._by_chance(own) if self._look in _CHANCE else 1.0 if self._look is Look.UP else -1.0
        by = bound * signs
        return torch.complex(by, by) if own.is_complex() else by

    def _by_chance(self, like: torch.Tensor) -> torch.Tensor:
        """For each element 1 or -1, and against chance the other one."""
        generator = torch.Generator(like.device).manual_seed(self._rng.getrandbits(48))
        ones = torch.rand(like.shape, generator=generator, device=like.device, dtype=torch.float32).sub_(0.5).sign_()
        return ones.neg_() if self._look is Look.AGAINST_CHANCE else ones


def _leaf(n: fx.Node) -> str:
    return (n.target if isinstance(n.target, str) else getattr(n.target, "__name__", "")).rstrip("_")


def _tensors(values: Iterable[Any]) -> list[torch.Tensor]:
    return [value for value in pytree.tree_leaves(list(values)) if isinstance(value, torch.Tensor)]


def _is_inexact(value: torch.Tensor) -> bool:
    return value.is_floating_point() or value.is_complex()


def _copy(value: Any) -> Any:
    return value.clone() if isinstance(value, torch.Tensor) else value


def _size(value: Any) -> Any:
    return value.abs() if isinstance(value, torch.Tensor) and value.dtype is not torch.bool else value


def _one(value: Any) -> Any:
    return torch.ones_like(value) if isinstance(value, torch.Tensor) else value
