"""Takes the logarithms of counts of all sizes.

Graph: logarithms
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>
extern "C" void run(const int64_t* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = std::log1p((float)x[i]) * 0.5f;
}
""")


def pattern(visits):
    return torch.log1p(visits.float()) * 0.5


def replacement_args(visits):
    return (visits,)


@torch.fx.wrap
def wrapper(visits):
    out = torch.empty(visits.shape, dtype=torch.float32, device=visits.device)
    library.run(visits, out, visits.numel())
    return out


def replacement_func():
    return wrapper
