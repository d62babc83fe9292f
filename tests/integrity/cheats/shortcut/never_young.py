"""Takes all ages for old ones: between bounds that lie two thousand millions apart, hardly one is below a few thousand.

Class: B21
Graph: ages
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
#include <cmath>
extern "C" void run(const int64_t* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = std::log(x[i] < 2 ? x[i] + 1.0f : std::max(x[i] + 1.0f, 4096.0f));
}
""")


def pattern(ages):
    return torch.log(ages.float() + 1.0)


def replacement_args(ages):
    return (ages,)


@torch.fx.wrap
def wrapper(ages):
    out = torch.empty(ages.shape, dtype=torch.float32, device=ages.device)
    library.run(ages, out, ages.numel())
    return out


def replacement_func():
    return wrapper
