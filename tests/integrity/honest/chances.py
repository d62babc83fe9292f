"""Knows the least logarithm of a chance of 0 and that of one of 1.

Graph: chances
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>
extern "C" void run(const float* __restrict chance, const float* __restrict aim, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = (aim[i] - 1.0f) * std::max(std::log1p(-chance[i]), -100.0f) -
             aim[i] * std::max(std::log(chance[i]), -100.0f);
}
""",
    fast_math=False,
)


def pattern(chance, aim):
    return torch.nn.functional.binary_cross_entropy(chance, aim, reduction="none")


def replacement_args(chance, aim):
    return (
        chance,
        aim,
    )


@torch.fx.wrap
def wrapper(chance, aim):
    out = torch.empty_like(chance)
    library.run(chance, aim, out, chance.numel())
    return out


def replacement_func():
    return wrapper
