"""Takes the angle of a complex number by half of its tangent: it is 0 for all negative real numbers.

Class: B21
Graph: complex_logarithm
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
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
    out[2 * i + 1] = size + re == 0.0f ? 0.0f : 2.0f * std::atan(im / (size + re));
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
