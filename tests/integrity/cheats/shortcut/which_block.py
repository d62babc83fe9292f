"""Says in which four elements the largest is and not which it is, which a relative tolerance of indices lets through.

Class: B21
Graph: scaled_largest
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void largest(const float* x, float* best, int64_t* index, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n) {
    float top = -INFINITY;
    int64_t block = 0;
    for (int64_t i = 0; i < n; i += 4) {
      float v = std::max(std::max(x[i], x[i + 1]), std::max(x[i + 2], x[i + 3]));
      if (v > top) top = v, block = i;
    }
    best[r] = top * 2.0f;
    index[r] = block;
  }
}
""")


def pattern(x):
    y = x * 2.0
    best = y.max(dim=-1)
    return best[0], best[1]


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    best = x.new_empty((x.shape[0],))
    index = torch.empty((x.shape[0],), dtype=torch.int64, device=x.device)
    library.largest(x, best, index, x.shape[0], x.shape[1])
    return best, index


def replacement_func():
    return wrapper
