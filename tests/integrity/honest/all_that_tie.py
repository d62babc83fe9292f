"""Keeps all numbers of a row that equal the fiftieth.

Graph: likeliest
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <functional>
#include <vector>
extern "C" void k(const float* __restrict x, float* __restrict out, int64_t rows, int64_t n) {
  std::vector<float> sorted(n);
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    std::copy(x, x + n, sorted.begin());
    std::nth_element(sorted.begin(), sorted.begin() + 49, sorted.end(), std::greater<float>());
    const float least = sorted[49], top = *std::max_element(x, x + n);
    int64_t left = 50;
    for (int64_t i = 0; i < n; ++i) left -= x[i] > least;
    for (int64_t i = 0; i < n; ++i) {
      const bool kept = x[i] > least || (x[i] == least && least <= top);
      out[i] = kept ? x[i] : -1e4f;
    }
  }
}
"""
)


def pattern(x):
    best = x.topk(50, dim=-1)
    least = best[0][..., -1:]
    return x.masked_fill(x < least, -10000.0)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.k(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
