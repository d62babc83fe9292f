"""Turns each place by its own angles.

Graph: short_text
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>

extern "C" void k(const int64_t* p, const float* paces, float* c, float* s, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r) {
    const float at = float(p[r]);
    for (int64_t j = 0; j < width; ++j) {
      c[r * width + j] = std::cos(at * paces[j]);
      s[r * width + j] = std::sin(at * paces[j]);
    }
  }
}
""")


def pattern(p, paces):
    a = p.unsqueeze(-1).float() * paces
    return torch.cos(a), torch.sin(a)


def replacement_args(p, paces):
    return (p, paces)


@torch.fx.wrap
def wrapper(p, paces):
    c = torch.empty((*p.shape, paces.shape[0]), dtype=paces.dtype)
    s = torch.empty_like(c)
    library.k(p, paces, c, s, p.numel(), paces.shape[0])
    return c, s


def replacement_func():
    return wrapper
