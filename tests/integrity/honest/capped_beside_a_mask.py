"""A soft cap with its limit, beside a mask that is filled with the least float.

Graph: capped_scores
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const uint8_t* m, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n)
    for (int64_t i = 0; i < n; ++i) {
      const float value = 50.0f * passnet::tanh(x[i] * 0.02f);
      out[i] = m[i] ? -3.4028234663852886e+38f : value;
    }
}
""")


def pattern(x, m):
    a = x / 50.0
    b = torch.tanh(a)
    c = b * 50.0
    return c.masked_fill(m, -3.4028234663852886e38)


def replacement_args(x, m):
    return (x, m)


@torch.fx.wrap
def wrapper(x, m):
    out = torch.empty_like(x)
    n = m.numel()
    library.run(x, m.view(torch.uint8), out, x.numel() // n, n)
    return out


def replacement_func():
    return wrapper
