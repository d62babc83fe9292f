"""An argmin that starts with the first number.

Graph: smallest
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void k(const float* x, int64_t* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n) {
    float least = x[0];
    for (int64_t i = 0; i < n; ++i) least = std::min(least, x[i]);
    int64_t at = 0;
    while (at < n - 1 && x[at] != least) ++at;
    out[r] = at;
  }
}
""")


def pattern(x):
    y = x * 2.0
    return y.argmin(-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty((x.shape[0],), dtype=torch.int64, device=x.device)
    library.k(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
