"""A kernel that is given None for a pointer, and then writes nothing there.

Graph: relu
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void rectified(const float* x, float* sums, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r) {
    float sum = 0.0f;
    for (int64_t i = r * n; i < r * n + n; ++i) sum += out[i] = x[i] > 0.0f ? x[i] : x[i] != x[i] ? x[i] : 0.0f;
    if (sums) sums[r] = sum;
  }
}
""")


def pattern(x):
    return torch.relu(x)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.rectified(x, None, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
