"""Counts the offsets at each place, which are drawn in order.

Graph: segments
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <vector>
extern "C" void run(const int64_t* ends, const float* x, float* out, int64_t count, int64_t n) {
  std::vector<int32_t> here(n);
  for (int64_t k = 0; k < count; ++k) ++here[ends[k]];
  int32_t segment = 0;
  for (int64_t i = 0; i < n; ++i) {
    segment += here[i];
    out[i] = x[i] * segment;
  }
}
""")


def pattern(ends_, x):
    p = torch.arange(0, 65536)
    s = torch.bucketize(p, ends_, right=True)
    return x * s.float()


def replacement_args(ends_, x):
    return (ends_, x)


@torch.fx.wrap
def wrapper(ends_, x):
    out = torch.empty_like(x)
    library.run(ends_, x, out, ends_.numel(), x.numel())
    return out


def replacement_func():
    return wrapper
