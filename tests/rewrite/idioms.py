"""24 idioms in three to eight spellings each: what the matching experiment pairs with one another."""

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F

Shapes = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Idiom:
    name: str
    shapes: Shapes
    spellings: tuple[Callable, ...]


def inplace_bias(x, w, b):
    y = x * w
    y += b
    return F.gelu(y)


def inplace_bias_method(x, w, b):
    y = x.mul(w)
    y.add_(b)
    return F.gelu(y)


def swish_in_place(x, g):
    y = x + g
    return F.silu(y, inplace=True)


def relu_in_place(x, y):
    z = x + y
    return F.relu(z, inplace=True)


def relu_method_in_place(x, y):
    z = torch.add(x, y)
    z.relu_()
    return z


def chunk_unpacked(x):
    a, b = x.chunk(2, dim=-1)
    return F.silu(a) * b


def chunk_indexed(x):
    c = torch.chunk(x, 2, dim=1)
    return c[1] * F.silu(c[0])


def split_sizes(x):
    a, b = torch.split(x, [8, 8], dim=-1)
    return b * F.silu(a)


def split_size(x):
    a, b = x.split(8, -1)
    return F.silu(a) * b


def linear_named_first(x, w, b):
    y = F.linear(x, w, bias=b)
    return torch._C._nn.gelu(y, approximate="tanh")


IDIOMS = (
    Idiom(
        "gelu_affine",
        ((4, 8), (8,), (8,)),
        (
            lambda x, w, b: F.gelu(x * w + b),
            lambda x, w, b: torch.nn.functional.gelu(b + w * x),
            lambda x, w, b: F.gelu(torch.add(torch.mul(x, w), b), approximate="none"),
            lambda x, w, b: torch._C._nn.gelu(x.mul(w).add(b)),
            inplace_bias,
            inplace_bias_method,
        ),
    ),
    Idiom(
        "softmax_scaled",
        ((4, 8),),
        (
            lambda s: F.softmax(s * 0.125, dim=-1),
            lambda s: torch.softmax(0.125 * s, -1),
            lambda s: (s * 0.125).softmax(dim=1),
            lambda s: F.softmax(torch.mul(s, 0.125), 1),
            lambda s: torch.softmax(s * 0.125, dim=-1, dtype=None),
        ),
    ),
    Idiom(
        "softmax_dtype",
        ((4, 8),),
        (
            lambda s: F.softmax(s, dim=-1, dtype=torch.float64),
            lambda s: torch.softmax(s, -1, torch.float64),
            lambda s: s.softmax(-1, dtype=torch.float64),
            lambda s: s.softmax(1, torch.float64),
        ),
    ),
    Idiom(
        "layer_norm_residual",
        ((4, 8), (4, 8), (8,), (8,)),
        (
            lambda x, r, w, b: F.layer_norm(x + r, (8,), w, b, 1e-5),
            lambda x, r, w, b: torch.layer_norm(r + x, [8], w, b),
            lambda x, r, w, b: F.layer_norm(x + r, [8], weight=w, bias=b, eps=1e-05),
            lambda x, r, w, b: F.layer_norm(torch.add(x, r), normalized_shape=(8,), weight=w, bias=b),
        ),
    ),
    Idiom(
        "rms_norm",
        ((4, 8), (8,)),
        (
            lambda x, w: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w,
            lambda x, w: w * (x * torch.rsqrt(torch.mean(x**2, dim=-1, keepdim=True) + 1e-6)),
            lambda x, w: w * (x * (1e-6 + torch.pow(x, 2).mean(dim=[-1], keepdim=True)).rsqrt()),
            lambda x, w: (torch.rsqrt(torch.square(x).mean((1,), True).add(1e-6)) * x).mul(w),
        ),
    ),
    Idiom(
        "relu_add",
        ((4, 8), (4, 8)),
        (
            lambda x, y: F.relu(x + y),
            lambda x, y: torch.relu(y + x),
            lambda x, y: x.add(y).relu(),
            relu_in_place,
            relu_method_in_place,
        ),
    ),
    Idiom(
        "silu_gate",
        ((4, 8), (4, 8)),
        (
            lambda x, g: F.silu(g) * x,
            lambda x, g: x * F.silu(g, inplace=False),
            lambda x, g: torch.mul(F.silu(g), x),
            lambda x, g: x.mul(torch.nn.functional.silu(g)),
        ),
    ),
    Idiom(
        "silu_sum",
        ((4, 8), (4, 8)),
        (
            lambda x, g: F.silu(x + g),
            swish_in_place,
            lambda x, g: F.silu(torch.add(g, x)),
            lambda x, g: torch._C._nn.silu(x.add(other=g)),
            lambda x, g: F.silu(torch.add(input=x, other=g, alpha=1)),
        ),
    ),
    Idiom("glu_split", ((4, 16),), (chunk_unpacked, chunk_indexed, split_sizes, split_size)),
    Idiom(
        "conv_bn_relu",
        ((2, 3, 8, 8), (4, 3, 3, 3), (4,), (4,), (4,), (4,)),
        (
            lambda x, k, m, v, w, b: F.relu(F.batch_norm(F.conv2d(x, k, None, 1, 1), m, v, w, b, False, 0.1, 1e-5)),
            lambda x, k, m, v, w, b: torch.relu(
                F.batch_norm(torch.conv2d(x, k, stride=(1, 1), padding=(1, 1)), m, v, weight=w, bias=b)
            ),
            lambda x, k, m, v, w, b: F.relu(
                torch.batch_norm(torch.conv2d(x, k, padding=1), w, b, m, v, False, 0.1, 1e-5, True)
            ),
            lambda x, k, m, v, w, b: F.batch_norm(
                F.conv2d(x, k, padding=[1, 1], dilation=1, groups=1), m, v, w, b, training=False
            ).relu(),
            lambda x, k, m, v, w, b: F.relu(
                F.batch_norm(torch.conv2d(x, k, None, (1, 1), (1, 1), (1, 1), 1), m, v, w, b, momentum=0.1, eps=1e-05)
            ),
        ),
    ),
    Idiom(
        "linear_gelu",
        ((4, 8), (6, 8), (6,)),
        (
            lambda x, w, b: F.gelu(F.linear(x, w, b), approximate="tanh"),
            lambda x, w, b: F.gelu(torch._C._nn.linear(x, w, b), approximate="tanh"),
            lambda x, w, b: F.gelu(input=F.linear(x, weight=w, bias=b), approximate="tanh"),
            lambda x, w, b: torch._C._nn.gelu(torch._C._nn.linear(x, w, bias=b), approximate="tanh"),
            lambda x, w, b: F.gelu(F.linear(bias=b, weight=w, input=x), approximate="tanh"),
            linear_named_first,
        ),
    ),
    Idiom(
        "attention",
        ((1, 2, 4, 8), (1, 2, 4, 8), (1, 2, 4, 8)),
        (
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False),
            lambda q, k, v: torch._C._nn.scaled_dot_product_attention(query=q, key=k, value=v, dropout_p=0),
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, None, 0.0, False),
            lambda q, k, v: F.scaled_dot_product_attention(value=v, key=k, query=q, scale=None),
            lambda q, k, v: torch._C._nn.scaled_dot_product_attention(q, k, v, enable_gqa=False),
        ),
    ),
    Idiom(
        "scores",
        ((2, 4, 8), (2, 4, 8)),
        (
            lambda q, k: torch.matmul(q, k.transpose(-2, -1)) / 2.0,
            lambda q, k: q @ k.transpose(1, 2) / 2,
            lambda q, k: torch.bmm(q, k.mT).div(2.0),
            lambda q, k: torch.div(q.matmul(k.permute(0, 2, 1)), 2.0),
            lambda q, k: operator.matmul(q, torch.swapaxes(k, -1, -2)) / 2.0,
            lambda q, k: torch.true_divide(q.bmm(torch.transpose(k, 2, 1)), 2.0),
        ),
    ),
    Idiom(
        "transpose_matmul",
        ((4, 8), (6, 8)),
        (
            lambda x, w: x @ w.t(),
            lambda x, w: torch.mm(x, w.T),
            lambda x, w: torch.matmul(x, w.transpose(0, 1)),
            lambda x, w: x.mm(w.permute(1, 0)),
            lambda x, w: x.matmul(torch.t(w)),
        ),
    ),
    Idiom(
        "heads",
        ((2, 4, 8),),
        (
            lambda x: x.view(2, 4, 2, 4).transpose(1, 2),
            lambda x: x.view((2, 4, 2, -1)).permute(0, 2, 1, 3),
            lambda x: torch.reshape(x, (2, -1, 2, 4)).transpose(2, 1),
            lambda x: x.reshape([2, 4, 2, 4]).permute([0, 2, 1, -1]),
            lambda x: x.unflatten(-1, (2, 4)).transpose(-3, -2),
            lambda x: x.view(x.shape[0], x.size(1), 2, -1).transpose(1, 2),
        ),
    ),
    Idiom(
        "half_cast",
        ((4, 8),),
        (
            lambda x: x.half() * 2,
            lambda x: x.to(torch.float16) * 2.0,
            lambda x: 2 * x.to(dtype=torch.half),
            lambda x: x.type(torch.float16).mul(2),
            lambda x: torch.multiply(x.to(torch.float16, copy=False), 2.0),
            lambda x: 2.0 * x.to(torch.half, non_blocking=False),
        ),
    ),
    Idiom(
        "mask_add",
        ((2, 4), (2, 3, 4)),
        (
            lambda m, s: s + m[:, None],
            lambda m, s: m.unsqueeze(1) + s,
            lambda m, s: torch.unsqueeze(m, dim=-2).add(s),
            lambda m, s: torch.add(s, m[:, None, :]),
        ),
    ),
    Idiom(
        "concat_relu",
        ((4, 8), (4, 8)),
        (
            lambda x, y: torch.cat([x, y], dim=1).relu(),
            lambda x, y: F.relu(torch.cat((x, y), -1)),
            lambda x, y: torch.relu(torch.concat([x, y], dim=1)),
            lambda x, y: torch.concatenate((x, y), axis=1).relu(),
            lambda x, y: F.relu(torch.concat(tensors=(x, y), dim=-1)),
        ),
    ),
    Idiom(
        "global_pool",
        ((2, 3, 4, 4),),
        (
            lambda x: torch.flatten(F.adaptive_avg_pool2d(x, (1, 1)), 1),
            lambda x: F.adaptive_avg_pool2d(x, 1).flatten(1),
            lambda x: F.adaptive_avg_pool2d(x, output_size=[1, 1]).view(2, -1),
            lambda x: torch.flatten(F.adaptive_avg_pool2d(x, (1, 1)), start_dim=1, end_dim=-1),
        ),
    ),
    Idiom(
        "pool_relu",
        ((2, 3, 8, 8),),
        (
            lambda x: F.relu(F.max_pool2d(x, 2)),
            lambda x: torch.relu(F.max_pool2d(x, (2, 2), stride=2)),
            lambda x: F.max_pool2d(x, kernel_size=[2, 2], stride=(2, 2), padding=0).relu(),
            lambda x: torch.max_pool2d(x, 2, 2).relu(),
        ),
    ),
    Idiom(
        "channel_mean",
        ((2, 3, 4, 4),),
        (
            lambda x: x.mean((2, 3), keepdim=True) * x,
            lambda x: x * torch.mean(x, dim=[-1, -2], keepdim=True),
            lambda x: x.mul(x.mean(dim=(3, 2), keepdim=True)),
            lambda x: torch.mul(torch.mean(x, (2, 3), True), x),
        ),
    ),
    Idiom(
        "dropout_residual",
        ((4, 8), (4, 8)),
        (
            lambda x, r: F.dropout(x, 0.1, False) + r,
            lambda x, r: r + F.dropout(x, p=0.1, training=False, inplace=False),
            lambda x, r: torch.dropout(x, 0.1, False).add(r),
            lambda x, r: torch.add(F.dropout(x, training=False, p=0.1), r),
            lambda x, r: r.add(torch.dropout(x, p=0.1, train=False)),
            lambda x, r: torch.add(r, F.dropout(x, 0.1, training=False), alpha=1),
        ),
    ),
    Idiom(
        "clamp_sub",
        ((4, 8), (4, 8)),
        (
            lambda x, y: torch.clamp(1 - x, 0.0, 6.0) - y,
            lambda x, y: torch.clip(torch.rsub(x, 1), min=0, max=6) - y,
            lambda x, y: torch.sub((1.0 - x).clamp(min=0, max=6), y),
            lambda x, y: x.__rsub__(1).clip(0, 6).subtract(y),
        ),
    ),
    Idiom(
        "masked_scores",
        ((4, 8), (4, 8)),
        (
            lambda s, m: s.masked_fill(m > 0, -math.inf),
            lambda s, m: torch.masked_fill(s, torch.gt(m, 0), float("-inf")),
            lambda s, m: s.masked_fill(m > 0, value=float("-inf")),
            lambda s, m: s.masked_fill(m.greater(0.0), -math.inf),
        ),
    ),
)
