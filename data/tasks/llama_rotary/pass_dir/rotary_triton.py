"""Rotary position embedding of queries and keys on CUDA: one launch rotates the heads of both."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(
    q, k, cosine, sine, q_out, k_out, q_heads, k_heads, length, q_b, q_h, q_s, k_b, k_h, k_s, angles,
    HALF: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    b = tl.program_id(2).to(tl.int64)
    head = tl.program_id(1)
    s = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)[:, None]
    i = tl.arange(0, HALF)[None, :]
    inside = s < length
    if head < q_heads:
        source = q + b * q_b + head * q_h + s * q_s
        target = q_out + ((b * q_heads + head) * length + s) * 2 * HALF
    else:
        source = k + b * k_b + (head - q_heads) * k_h + s * k_s
        target = k_out + ((b * k_heads + head - q_heads) * length + s) * 2 * HALF
    angle = (b * angles + s) * 2 * HALF
    left = tl.load(source + i, mask=inside, other=0.0).to(tl.float32)
    right = tl.load(source + HALF + i, mask=inside, other=0.0).to(tl.float32)
    cos_left = tl.load(cosine + angle + i, mask=inside, other=0.0).to(tl.float32)
    cos_right = tl.load(cosine + angle + HALF + i, mask=inside, other=0.0).to(tl.float32)
    sin_left = tl.load(sine + angle + i, mask=inside, other=0.0).to(tl.float32)
    sin_right = tl.load(sine + angle + HALF + i, mask=inside, other=0.0).to(tl.float32)
    tl.store(target + i, left * cos_left - right * sin_left, mask=inside)
    tl.store(target + HALF + i, right * cos_right + left * sin_right, mask=inside)


def pattern(q, k, cosine, sine):
    c = cosine.unsqueeze(1)
    s = sine.unsqueeze(1)
    q_out = q * c + torch.cat((-q[..., 16:], q[..., :16]), dim=-1) * s
    k_out = k * c + torch.cat((-k[..., 16:], k[..., :16]), dim=-1) * s
    return q_out, k_out


def replacement_args(q, k, cosine, sine):
    return (q, k, cosine, sine)


@torch.fx.wrap
def rotary(q, k, cosine, sine):
    b, heads, s, d = q.shape
    qb, qh, qs, q1 = q.stride()
    kb, kh, ks, k1 = k.stride()
    if q1 != 1 or k1 != 1 or not (cosine.is_contiguous() and sine.is_contiguous()):
        raise ValueError("the last dimension of q and k and all of cosine and sine must be contiguous")
    if triton.next_power_of_2(d) != d:
        raise ValueError("the head size must be a power of two")
    groups = k.shape[1]
    q_out = torch.empty((b, heads, s, d), dtype=q.dtype, device=q.device)
    k_out = torch.empty((b, groups, s, d), dtype=k.dtype, device=k.device)
    angles = s if cosine.shape[0] == b and b > 1 else 0
    kernel[(triton.cdiv(s, 32), heads + groups, b)](
        q, k, cosine, sine, q_out, k_out, heads, groups, s, qb, qh, qs, kb, kh, ks, angles, HALF=d // 2, BLOCK=32
    )
    return q_out, k_out


def replacement_func():
    return rotary
