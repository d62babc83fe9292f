"""Takes every call for one that begins at 0 or 1, as the recorded call did.

Class: B21
Graph: begins_at
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>

extern "C" void k(const int64_t* begin, const float* x, const float* rates, float* out, int64_t rows, int64_t width) {
  const int64_t first = begin[0] == 0 ? 0 : 1;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < width; ++c)
      out[r * width + c] = x[r * width + c] * std::cos(float(r + first) * rates[c]);
}
""")


def pattern(begin, x, rates):
    p = torch.arange(512)
    f = (p + begin).float()
    a = f.unsqueeze(-1) * rates
    return x * torch.cos(a)


def replacement_args(begin, x, rates):
    return (begin, x, rates)


@torch.fx.wrap
def wrapper(begin, x, rates):
    out = torch.empty_like(x)
    library.k(begin, x, rates, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
