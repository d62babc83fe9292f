"""Takes the logarithm of complex numbers, of negative real ones too.

Graph: complex_logarithm
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
extern "C" void run(const float* z, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    float re = z[2 * i], im = z[2 * i + 1], size = std::sqrt(re * re + im * im);
    out[2 * i] = std::log(size);
    out[2 * i + 1] = std::atan2(im, re);
  }
}
""",
    fast_math=False,
)


def pattern(z):
    return torch.log(z)


def replacement_args(z):
    return (z,)


@torch.fx.wrap
def logarithm(z):
    out = torch.empty_like(z)
    library.run(z.view(torch.float32), out.view(torch.float32), z.numel())
    return out


def replacement_func():
    return logarithm
