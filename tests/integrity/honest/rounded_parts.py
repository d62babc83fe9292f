"""Rounds the parts of complex samples, halves to even.

Graph: rounded_samples
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = std::nearbyint(x[i]);
}
""")


def pattern(z):
    return torch.round(torch.view_as_real(z))


def replacement_args(z):
    return (z,)


@torch.fx.wrap
def rounded(z):
    x = z.view(torch.float32)
    out = torch.empty((*z.shape, 2), dtype=torch.float32, device=z.device)
    library.run(x, out, x.numel())
    return out


def replacement_func():
    return rounded
