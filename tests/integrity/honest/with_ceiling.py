"""Has the ceiling of the one number that scales all.

Graph: one_scale
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void k(const float* x, const float* s, float* out, int64_t n) {
  const float e = std::exp(std::min(s[0], 4.605170185988092f));
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] * e;
}
""")


def pattern(x, scale):
    s = torch.clamp(scale, max=4.605170185988092)
    e = torch.exp(s)
    return x * e


def replacement_args(x, scale):
    return (x, scale)


@torch.fx.wrap
def wrapper(x, scale):
    out = torch.empty_like(x)
    library.k(x, scale, out, x.numel())
    return out


def replacement_func():
    return wrapper
