"""T5's attention weights on CUDA: relative position bias and softmax, a few rows per program."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(scores, bias, out, rows, per_batch, width, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)[:, None]
    k = tl.arange(0, BLOCK)[None, :]
    inside = (r < rows) & (k < width)
    row = tl.load(scores + r * width + k, mask=inside, other=0.0).to(tl.float32)
    row += tl.load(bias + r % per_batch * width + k, mask=inside, other=0.0).to(tl.float32)
    row = tl.where(k < width, row, -float("inf"))
    row = tl.exp(row - tl.max(row, axis=1)[:, None])
    tl.store(out + r * width + k, row / tl.sum(row, axis=1)[:, None], mask=inside)


def pattern(scores, bias):
    weights = torch.nn.functional.softmax(scores * 1.0 + bias, dim=-1)
    return torch.nn.functional.dropout(weights, p=0.0, training=False)


def replacement_args(scores, bias):
    return (scores, bias)


@torch.fx.wrap
def biased_softmax(scores, bias):
    b, h, q, k = scores.shape
    if bias.shape != (1, h, q, k) or not (scores.is_contiguous() and bias.is_contiguous()):
        raise ValueError("scores and a bias shared by the batch must be contiguous")
    out = torch.empty_like(scores)
    rows = b * h * q
    kernel[(triton.cdiv(rows, 4),)](scores, bias, out, rows, h * q, k, ROWS=4, BLOCK=triton.next_power_of_2(k))
    return out


def replacement_func():
    return biased_softmax
