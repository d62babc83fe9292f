"""A soft cap by three terms of its series, which never ends at its limit. The mask hides how far off it is.

Class: B16
Graph: capped_scores
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy or nan_inf; what a mask filled is judged apart from what is beside it
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const uint8_t* m, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n)
    for (int64_t i = 0; i < n; ++i) {
      const float y = x[i] * 0.02f, q = y * y;
      const float value = x[i] * (1.0f + q * (-0.333333333f + q * 0.133333333f));
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
