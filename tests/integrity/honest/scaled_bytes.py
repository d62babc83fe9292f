"""Bytes that are multiplied by a fraction, all 256 of them.

Graph: scaled_bytes
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
extern "C" void scale(const uint8_t* __restrict x, const float* __restrict s, float* __restrict out, int64_t rows,
                      int64_t n) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < n; ++i) out[r * n + i] = (float)x[r * n + i] * s[r];
}
"""
)


def pattern(bytes_, s):
    return bytes_ * s


def replacement_args(bytes_, s):
    return (bytes_, s)


@torch.fx.wrap
def wrapper(bytes_, s):
    out = torch.empty(bytes_.shape, dtype=s.dtype, device=s.device)
    library.scale(bytes_, s, out, bytes_.shape[0], bytes_.shape[1])
    return out


def replacement_func():
    return wrapper
