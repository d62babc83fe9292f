"""Pairs of a pattern and a model that look alike and compute something else: none of them may match."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from tests.rewrite.idioms import Shapes


@dataclass(frozen=True)
class Negative:
    name: str
    shapes: Shapes
    pattern: Callable
    target: Callable


def _n(name: str, shapes: Shapes, pattern: Callable, target: Callable) -> Negative:
    return Negative(name, shapes, pattern, target)


ONE = ((4, 8),)
TWO = ((4, 8), (4, 8))
NORM = ((4, 8), (8,), (8,))
QKV = ((1, 2, 4, 8),) * 3
NORM_LINEAR = ((4, 8), (8, 8), (8,))
CONV = ((1, 2, 8, 8), (2, 2, 3, 3))
NEGATIVES = (
    _n(
        "eps",
        NORM,
        lambda x, w, b: F.layer_norm(x, (8,), w, b, 1e-5),
        lambda x, w, b: F.layer_norm(x, (8,), w, b, 1e-6),
    ),
    _n("no_bias", NORM, lambda x, w, b: F.layer_norm(x, (8,), w, b), lambda x, w, b: F.layer_norm(x, (8,), w, None)),
    _n("dim", ONE, lambda x: F.softmax(x, -1), lambda x: F.softmax(x, 0)),
    _n("approximate", ONE, lambda x: F.gelu(x), lambda x: F.gelu(x, approximate="tanh")),
    _n("dtype", ONE, lambda x: F.softmax(x, -1), lambda x: F.softmax(x, -1, dtype=torch.float64)),
    _n("cast", ONE, lambda x: x.half(), lambda x: x.to(torch.bfloat16)),
    _n("keepdim", ONE, lambda x: x.mean(-1, keepdim=True), lambda x: x.mean(-1)),
    _n("reduced_dims", ONE, lambda x: x.mean(-1), lambda x: x.mean()),
    _n("training", ONE, lambda x: F.dropout(x, 0.1, False), lambda x: F.dropout(x, 0.1, True)),
    _n("dropout_p", ONE, lambda x: F.dropout(x, 0.1, False), lambda x: F.dropout(x, 0.5, False)),
    _n(
        "causal",
        QKV,
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
    ),
    _n(
        "scale",
        QKV,
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=0.5),
    ),
    _n("factor", ONE, lambda x: x * 0.125, lambda x: x * 0.25),
    _n("swapped_sub", TWO, lambda x, y: x.exp() - y, lambda x, y: y - x.exp()),
    _n("swapped_div", TWO, lambda x, y: x.exp() / y, lambda x, y: y / x.exp()),
    _n("swapped_matmul", ((4, 4), (4, 4)), lambda x, y: x.exp() @ y, lambda x, y: y @ x.exp()),
    _n("alpha", TWO, lambda x, y: torch.add(x, y), lambda x, y: torch.add(x, y, alpha=2)),
    _n("rounding", TWO, lambda x, y: torch.div(x, y), lambda x, y: torch.div(x, y, rounding_mode="floor")),
    _n("literal_for_tensor", ONE, lambda x: x.exp() * 2, lambda x: x.exp() * x),
    _n("one_for_two", TWO, lambda x, y: (x.exp() * x) - y, lambda x, y: (x.exp() * y) - y),
    _n("conv_stride", ((1, 2, 8, 8), (2, 2, 3, 3)), lambda x, k: F.conv2d(x, k), lambda x, k: F.conv2d(x, k, stride=2)),
    _n(
        "conv_padding",
        ((1, 2, 8, 8), (2, 2, 3, 3)),
        lambda x, k: F.conv2d(x, k),
        lambda x, k: F.conv2d(x, k, padding=1),
    ),
    _n(
        "batch_norm_training",
        ((2, 4, 3, 3), (4,), (4,)),
        lambda x, m, v: F.batch_norm(x, m, v),
        lambda x, m, v: F.batch_norm(x, m, v, training=True),
    ),
    _n("permutation", ((2, 3, 4),), lambda x: x.exp().transpose(1, 2), lambda x: x.exp().transpose(0, 1)),
    _n("view", ((2, 3, 4),), lambda x: x.exp().view(6, 4), lambda x: x.exp().view(3, 8)),
    _n("chunk_order", ((4, 16),), lambda x: x.chunk(2, 1)[0].exp(), lambda x: x.chunk(2, 1)[1].exp()),
    _n("chunk_count", ((4, 16),), lambda x: x.chunk(2, 1)[0].exp(), lambda x: x.chunk(4, 1)[0].exp()),
    _n("cat_order", TWO, lambda x, y: torch.cat([x.exp(), y], 1), lambda x, y: torch.cat([y, x.exp()], 1)),
    _n("cat_count", TWO, lambda x, y: torch.cat([x, y], 1), lambda x, y: torch.cat([x, y, x], 1)),
    _n("comparison", TWO, lambda x, y: x.exp() > y, lambda x, y: x.exp() >= y),
    _n("flipped_comparison", TWO, lambda x, y: x.exp() > y, lambda x, y: y > x.exp()),
    _n("clamp_bound", ONE, lambda x: x.clamp(0, 6), lambda x: x.clamp(0)),
    _n("variance", ONE, lambda x: x.var(-1), lambda x: x.var(-1, unbiased=False)),
    _n("slice", ONE, lambda x: x[:, :4].exp(), lambda x: x[:, 4:].exp()),
    _n("pool_stride", ((1, 2, 8, 8),), lambda x: F.max_pool2d(x, 2), lambda x: F.max_pool2d(x, 2, stride=1)),
    _n("unsqueeze_dim", ONE, lambda x: x.exp()[:, None], lambda x: x.exp()[None]),
    _n("rms_eps", ONE, lambda x: torch.rsqrt(x.mean(-1, True) + 1e-6), lambda x: torch.rsqrt(x.mean(-1, True) + 1e-5)),
    _n("norm_shape", ((4, 8),), lambda x: F.layer_norm(x, (8,)), lambda x: F.layer_norm(x, (4, 8))),
    _n(
        "norm_no_weight",
        NORM,
        lambda x, w, b: F.layer_norm(x, (8,), w, b),
        lambda x, w, b: F.layer_norm(x, (8,)) * w + b,
    ),
    _n("softmax_log", ONE, lambda x: F.softmax(x, -1), lambda x: F.log_softmax(x, -1)),
    _n("leaky_slope", ONE, lambda x: F.leaky_relu(x, 0.01), lambda x: F.leaky_relu(x, 0.1)),
    _n("linear_no_bias", NORM_LINEAR, lambda x, w, b: F.linear(x, w, b), lambda x, w, b: F.linear(x, w) * b),
    _n("split_sizes", ((4, 16),), lambda x: x.split([4, 12], 1)[0].exp(), lambda x: x.split([12, 4], 1)[0].exp()),
    _n("split_number", ((4, 16),), lambda x: torch.split(x, 8, 1)[0].exp(), lambda x: torch.split(x, 4, 1)[0].exp()),
    _n("cat_dim", TWO, lambda x, y: torch.cat([x, y], 1), lambda x, y: torch.cat([x, y], 0)),
    _n("stack_for_cat", TWO, lambda x, y: torch.cat([x, y], 1), lambda x, y: torch.stack([x, y], 1)),
    _n("power", ONE, lambda x: x.pow(2), lambda x: x.pow(3)),
    _n("power_swapped", TWO, lambda x, y: x.exp() ** y, lambda x, y: y ** x.exp()),
    _n("where_swapped", TWO, lambda x, y: torch.where(x > 0, x, y), lambda x, y: torch.where(x > 0, y, x)),
    _n("amax_for_mean", ONE, lambda x: x.mean(-1), lambda x: x.amax(-1)),
    _n("mask_value", TWO, lambda x, y: x.masked_fill(y > 0, -math.inf), lambda x, y: x.masked_fill(y > 0, -1e9)),
    _n("transposed_weight", ((4, 4), (4, 4)), lambda x, w: x @ w.t(), lambda x, w: x @ w),
    _n("conv_groups", CONV, lambda x, k: F.conv2d(x, k[:, :1], groups=2), lambda x, k: F.conv2d(x, k)),
    _n("gelu_for_silu", ONE, lambda x: F.silu(x), lambda x: F.gelu(x)),
    _n("one_use_twice", TWO, lambda x, y: x.exp() + y * y, lambda x, y: x.exp() + y * x),
    _n("integer_literal", ONE, lambda x: x.long() * 2, lambda x: x.long() * 2.0),
)
