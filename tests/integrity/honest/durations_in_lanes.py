"""Sums in eight lanes, an exponential, and rounds: eager's own last digits decide which integer is next.

Graph: durations
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>

extern "C" void k(const float* __restrict x, const float* __restrict w, int64_t* __restrict out, int64_t rows) {
  for (int64_t r = 0; r < rows; ++r, x += 512) {
    float s[8] = {0};
    for (int i = 0; i < 512; i += 8)
      for (int j = 0; j < 8; ++j) s[j] += x[i + j] * w[i + j];
    float t = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
    float e = std::nearbyint(std::exp(t) - 1.0f);
    if (e < 0) e = 0;
    out[r] = (int64_t)e;
  }
}
""",
    fast_math=False,
)


def pattern(x, w):
    h = x * w
    t = h.sum(-1)
    e = t.exp()
    m = e - 1.0
    r = torch.round(m)
    c = torch.clamp(r, min=0)
    return c.long()


def replacement_args(x, w):
    return (x, w)


@torch.fx.wrap
def wrapper(x, w):
    out = torch.empty(x.shape[:-1], dtype=torch.int64)
    library.k(x, w, out, out.numel())
    return out


def replacement_func():
    return wrapper
