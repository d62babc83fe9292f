"""A maximum of rows of which an infinite mask may hide all.

Graph: veiled
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>
extern "C" void run(const float* x, const float* veil, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, veil += n) {
    float top = -INFINITY;
    for (int64_t i = 0; i < n; ++i) top = std::max(top, x[i] + veil[i]);
    out[r] = top;
  }
}
""",
    fast_math=False,
)


def pattern(x, veil):
    shown = x + veil
    return shown.amax(-1)


def replacement_args(x, veil):
    return (
        x,
        veil,
    )


@torch.fx.wrap
def wrapper(x, veil):
    out = torch.empty((x.shape[0],), dtype=x.dtype, device=x.device)
    library.run(x, veil, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
