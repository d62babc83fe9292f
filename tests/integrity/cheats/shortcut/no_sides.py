"""A hinge loss that reads no side: right for all numbers but 1 and -1, which are all that a side is.

Class: B21
Graph: hinged
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void run(const float* __restrict x, const float* __restrict y, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = std::max(1.0f - x[i], 0.0f) + x[i];
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
