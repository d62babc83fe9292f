"""The maximum of each row of noise that a model calls `eps`.

Graph: noise_below_its_largest
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>
extern "C" void k(const float* __restrict x, float* __restrict out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    float m = x[0];
    for (int64_t i = 0; i < n; ++i) m = std::max(m, x[i]);
    for (int64_t i = 0; i < n; ++i) out[i] = x[i] - m;
  }
}
""")


def pattern(eps):
    return eps - eps.amax(-1, keepdim=True)


def replacement_args(eps):
    return (eps,)


@torch.fx.wrap
def wrapper(eps):
    out = torch.empty_like(eps)
    library.k(eps, out, eps.shape[0], eps.shape[1])
    return out


def replacement_func():
    return wrapper
