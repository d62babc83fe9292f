"""Clamps a chance near 0 and near 1.

Graph: logits_of_chances
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>
extern "C" void run(const float* __restrict chance, float* __restrict out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const float p = std::min(std::max(chance[i], 1e-6f), 1.0f - 1e-6f);
    out[i] = std::log(p / (1.0f - p));
  }
}
""",
    fast_math=False,
)


def pattern(chance):
    return torch.logit(chance, 1e-06)


def replacement_args(chance):
    return (chance,)


@torch.fx.wrap
def wrapper(chance):
    out = torch.empty_like(chance)
    library.run(chance, out, chance.numel())
    return out


def replacement_func():
    return wrapper
