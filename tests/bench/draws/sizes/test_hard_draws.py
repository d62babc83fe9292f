"""Draws that reach where naive forms of an operator break: those are wrong on them, honest forms are not."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
import torch

from passnet.bench.compare.comparison import Comparison, Criteria, worst
from passnet.bench.compare.errors import compare
from passnet.bench.compare.farthest import compare_farthest
from passnet.bench.compare.float64_twin import WideReference
from passnet.graph import Graph, TensorSpec, degenerate
from passnet.graph.values.inputs import HARD_DISTRIBUTIONS, Distribution

_META = {"framework": "torch", "num_devices_required": 1, "num_nodes_required": 1}
_DTYPES = ("float32", "float16", "bfloat16")
_ORDINARY: tuple[Distribution, ...] = ("normal", "small", "large", "sparse")
Function = Callable[..., torch.Tensor]


def softmax_unshifted(x: torch.Tensor) -> torch.Tensor:
    raised = x.float().exp()
    return (raised / raised.sum(-1, keepdim=True)).to(x.dtype)


def softmax_shifted(x: torch.Tensor) -> torch.Tensor:
    raised = (x.float() - x.float().amax(-1, keepdim=True)).exp()
    return (raised / raised.sum(-1, keepdim=True)).to(x.dtype)


def softmax_online(x: torch.Tensor) -> torch.Tensor:
    """Block by block with a running maximum, as fused kernels do."""
    top, total = torch.full((*x.shape[:-1], 1), -torch.inf), torch.zeros(*x.shape[:-1], 1)
    for block in x.float().split(32, -1):
        higher = torch.maximum(top, block.amax(-1, keepdim=True))
        total = total * (top - higher).exp() + (block - higher).exp().sum(-1, keepdim=True)
        top = higher
    return ((x.float() - top).exp() / total).to(x.dtype)


def log_softmax_unshifted(x: torch.Tensor) -> torch.Tensor:
    return (x.float() - x.float().exp().sum(-1, keepdim=True).log()).to(x.dtype)


def log_softmax_shifted(x: torch.Tensor) -> torch.Tensor:
    wide = x.float()
    top = wide.amax(-1, keepdim=True)
    return (wide - top - (wide - top).exp().sum(-1, keepdim=True).log()).to(x.dtype)


def norm_cancelling(x: torch.Tensor) -> torch.Tensor:
    wide = x.float()
    mean = wide.mean(-1, keepdim=True)
    variance = wide.square().mean(-1, keepdim=True) - mean.square()
    return ((wide - mean) * torch.rsqrt(variance + 1e-5)).to(x.dtype)


def norm_twice(x: torch.Tensor) -> torch.Tensor:
    centred = x.float() - x.float().mean(-1, keepdim=True)
    return (centred * torch.rsqrt(centred.square().mean(-1, keepdim=True) + 1e-5)).to(x.dtype)


def norm_welford(x: torch.Tensor) -> torch.Tensor:
    mean, squares = torch.zeros(*x.shape[:-1]), torch.zeros(*x.shape[:-1])
    for count, value in enumerate(x.float().unbind(-1), start=1):
        away = value - mean
        mean = mean + away / count
        squares = squares + away * (value - mean)
    variance = squares[..., None] / x.shape[-1]
    return ((x.float() - mean[..., None]) * torch.rsqrt(variance + 1e-5)).to(x.dtype)


def rms_in_its_dtype(x: torch.Tensor) -> torch.Tensor:
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6)


def rms_in_float32(x: torch.Tensor) -> torch.Tensor:
    wide = x.float()
    return (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-6)).to(x.dtype)


def tanh_by_exponentials(x: torch.Tensor) -> torch.Tensor:
    raised = (2 * x.float()).exp()
    return ((raised - 1) / (raised + 1)).to(x.dtype)


def tanh_by_negative_exponentials(x: torch.Tensor) -> torch.Tensor:
    lowered = (-2 * x.float().abs()).exp()
    size = torch.where(x.float().abs() < 0.5, x.float().abs().tanh(), (1 - lowered) / (1 + lowered))
    return (size * x.float().sign()).to(x.dtype)


def softplus_plain(x: torch.Tensor) -> torch.Tensor:
    return (1 + x.float().exp()).log().to(x.dtype)


def softplus_stable(x: torch.Tensor) -> torch.Tensor:
    return (x.float().clamp_min(0) + (-x.float().abs()).exp().log1p()).to(x.dtype)


def silu_by_narrow_exponentials(x: torch.Tensor) -> torch.Tensor:
    """Its exponential ends at e^88, as vectorised ones do."""
    wide = x.float()
    return (wide / (1 + (-wide).clamp_max(88.0).exp())).to(x.dtype)


def softmax_from_zero(x: torch.Tensor) -> torch.Tensor:
    """Its maximum starts at zero, which is no element's."""
    wide = x.float()
    raised = (wide - wide.amax(-1, keepdim=True).clamp_min(0)).exp()
    return (raised / raised.sum(-1, keepdim=True)).to(x.dtype)


def norm_without_epsilon(x: torch.Tensor) -> torch.Tensor:
    centred = x.float() - x.float().mean(-1, keepdim=True)
    return (centred * torch.rsqrt(centred.square().mean(-1, keepdim=True))).to(x.dtype)


def normalised_without_least(x: torch.Tensor) -> torch.Tensor:
    return (x.float() / x.float().norm(dim=-1, keepdim=True)).to(x.dtype)


def normalised(x: torch.Tensor) -> torch.Tensor:
    return (x.float() / x.float().norm(dim=-1, keepdim=True).clamp_min(1e-2)).to(x.dtype)


def unclamped(x: torch.Tensor) -> torch.Tensor:
    return x * 0.5


def clamped(x: torch.Tensor) -> torch.Tensor:
    return (x.float() * 0.5).clamp(-50.0, 50.0).to(x.dtype)


_SOFTMAX = "a = torch.nn.functional.softmax(x, dim = -1)"
_NORM = "a = torch.nn.functional.layer_norm(x, (128,), None, None, 1e-05)"
_NORMALISED = "a = torch.nn.functional.normalize(x, p = 2.0, dim = -1, eps = 1e-2)"
_NAIVE: dict[Function, tuple[str, tuple[str, ...]]] = {
    softmax_unshifted: (_SOFTMAX, _DTYPES),
    log_softmax_unshifted: ("a = torch.nn.functional.log_softmax(x, dim = -1)", _DTYPES),
    norm_cancelling: (_NORM, ("float32",)),  # float32 sums of narrower numbers are near enough
    rms_in_its_dtype: ("a = torch.nn.functional.rms_norm(x, (128,), None, 1e-06)", ("float16",)),
    tanh_by_exponentials: ("a = torch.tanh(x)", _DTYPES),
    softplus_plain: ("a = torch.nn.functional.softplus(x)", _DTYPES),
    softmax_from_zero: (_SOFTMAX, _DTYPES),
    norm_without_epsilon: (_NORM.replace("1e-05", "1e-12"), ("float32", "bfloat16")),
    normalised_without_least: (_NORMALISED, _DTYPES),
    unclamped: ("b = x * 0.5\n        a = torch.clamp(b, -50.0, 50.0)", _DTYPES),
}
_HONEST: dict[Function, str] = {
    softmax_shifted: _SOFTMAX,
    softmax_online: _SOFTMAX,
    log_softmax_shifted: _NAIVE[log_softmax_unshifted][0],
    norm_twice: _NORM,
    norm_welford: _NORM,
    rms_in_float32: _NAIVE[rms_in_its_dtype][0],
    tanh_by_negative_exponentials: _NAIVE[tanh_by_exponentials][0],
    softplus_stable: _NAIVE[softplus_plain][0],
    normalised: _NORMALISED,
    silu_by_narrow_exponentials: "a = torch.nn.functional.silu(x)",
    clamped: _NAIVE[unclamped][0],
}


def graph_of(body: str, dtype: str) -> Graph:
    source = (
        "import torch\n\nclass GraphModule(torch.nn.Module):\n\n    def forward(self, x):\n"
        f"        {body}\n        return (a,)\n"
    )
    specs = (TensorSpec("x", (64, 128), dtype, mean=0.0, std=1.0),)
    return Graph("hard", source, specs, _META, file_order=("x",))


@functools.cache
def references(body: str, dtype: str) -> tuple[Graph, Any, WideReference]:
    graph = graph_of(body, dtype)
    module, inputs = graph.module(), graph.inputs(0)
    twin = WideReference.build(module, inputs, module(*inputs))
    assert twin is not None
    return graph, module, twin


def comparisons(body: str, function: Function, dtype: str, distribution: Distribution) -> list[Comparison]:
    """On the draws that say something: the function beside eager, at all elements and at the farthest."""
    graph, module, twin = references(body, dtype)
    found = []
    for seed in range(2):
        (x,) = graph.inputs(seed, distribution=distribution)
        eager, wide = module(x), twin([x])
        hard = distribution in HARD_DISTRIBUTIONS
        if degenerate(eager, wide) is None:
            found.append(compare([function(x)], eager, wide, Criteria(4.0, 0.1, hard)))
            tiled = [[torch.cat([t] * 8) for t in group] for group in ([function(x)], eager, wide)]
            found.append(compare_farthest(*tiled, Criteria(4.0, 0.1, hard)))
    return found


@pytest.mark.parametrize(
    ("function", "dtype"),
    [(f, dtype) for f, (_, dtypes) in _NAIVE.items() for dtype in dtypes],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_naive_form_is_wrong_on_a_hard_draw_and_right_on_all_others(function: Function, dtype: str) -> None:
    body = _NAIVE[function][0]
    assert worst(row for name in _ORDINARY for row in comparisons(body, function, dtype, name)).strict
    hard = {name: comparisons(body, function, dtype, name) for name in HARD_DISTRIBUTIONS}
    assert any(not worst(rows).strict for rows in hard.values() if rows)


@pytest.mark.parametrize("dtype", _DTYPES)
@pytest.mark.parametrize("function", _HONEST, ids=lambda f: f.__name__)
def test_an_honest_form_is_right_on_every_draw(function: Function, dtype: str) -> None:
    for distribution in (*_ORDINARY, *HARD_DISTRIBUTIONS):
        rows = comparisons(_HONEST[function], function, dtype, distribution)
        assert all(row.strict for row in rows), distribution
    assert any(comparisons(_HONEST[function], function, dtype, name) for name in HARD_DISTRIBUTIONS)
