"""Residual add and RMS norm of a bfloat16 model."""

import torch

from rms_cuda import residual_rms

DEVICES = ("cuda",)


def pattern(x, residual, weight):
    total = x + residual
    wide = total.to(torch.float32)
    scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-06)
    return total, weight * (wide * scale).to(torch.bfloat16)


def replacement_args(x, residual, weight):
    return (x, residual, weight)


def replacement_func():
    return residual_rms
