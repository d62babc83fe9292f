"""Mamba's discretisation on CUDA: exp(dt A) and dt B u in one launch over [batch, channel, time, state]."""

import torch
import triton
import triton.language as tl

DEVICES = ("cuda",)


@triton.jit
def kernel(
    decay, step, gain, u, kept, added, channels, time, states, step_b, step_c, step_t, u_b, u_c, u_t,
    ROWS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    c = tl.program_id(1)
    b = tl.program_id(2).to(tl.int64)
    t = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    n = tl.arange(0, BLOCK)[None, :]
    inside = (t < time) & (n < states)
    dt = tl.load(step + b * step_b + c * step_c + t * step_t, mask=t < time, other=0.0).to(tl.float32)
    drive = dt * tl.load(u + b * u_b + c * u_c + t * u_t, mask=t < time, other=0.0).to(tl.float32)
    rate = tl.load(decay + c * states + n, mask=n < states, other=0.0)
    force = tl.load(gain + (b * time + t) * states + n, mask=inside, other=0.0).to(tl.float32)
    at = ((b * channels + c) * time + t) * states + n
    tl.store(kept + at, tl.exp(rate * dt), mask=inside)
    tl.store(added + at, drive * force, mask=inside)


def pattern(decay, step, gain, u):
    kept = torch.exp(decay[None, :, None, :] * step[:, :, :, None])
    added = step[:, :, :, None] * gain[:, None, :, :].float()
    return kept, added * u[:, :, :, None].float()


def replacement_args(decay, step, gain, u):
    return (decay, step, gain, u)


@torch.fx.wrap
def discretise(decay, step, gain, u):
    b, c, t = step.shape
    states = decay.shape[1]
    if u.shape != (b, c, t) or gain.shape != (b, t, states):
        raise ValueError("step, u and gain must agree in batch, channels, time and states")
    if not (decay.is_contiguous() and gain.is_contiguous()):
        raise ValueError("decay and gain must be contiguous")
    kept = torch.empty((b, c, t, states), dtype=torch.float32, device=step.device)
    added = torch.empty_like(kept)
    kernel[(triton.cdiv(t, 64), c, b)](
        decay, step, gain, u, kept, added, c, t, states, *step.stride(), *u.stride(),
        ROWS=64, BLOCK=triton.next_power_of_2(states),
    )  # fmt: skip
    return kept, added


def replacement_func():
    return discretise
