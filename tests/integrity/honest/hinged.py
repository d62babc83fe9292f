"""A hinge loss of both sides.

Graph: hinged
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void run(const float* __restrict x, const float* __restrict y, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = (y[i] != 1.0f ? std::max(1.0f - x[i], 0.0f) : 0.0f) + (y[i] != -1.0f ? x[i] : 0.0f);
}
""")


def pattern(x, y):
    return torch.nn.functional.hinge_embedding_loss(x, y, 1.0, None, None, "none")


def replacement_args(x, y):
    return (
        x,
        y,
    )


@torch.fx.wrap
def wrapper(x, y):
    out = torch.empty_like(x)
    library.run(x, y, out, x.numel())
    return out


def replacement_func():
    return wrapper
