"""Takes it that two signatures are not alike whose first and last numbers are not the same.

Class: B21
Graph: mostly_the_same
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const int64_t* a, const int64_t* b, const float* y, float* out, int64_t rows, int64_t n, int64_t d) {
  for (int64_t r = 0; r < rows; ++r, a += n, b += n, y += d, out += d) {
    auto most = [&](int64_t begin, int64_t end, double part) {
      int64_t c = 0;
      for (int64_t i = begin; i < end; ++i) c += a[i] == b[i];
      return (double)c > part * (double)(end - begin);
    };
    const bool h = (most(0, 32, 0.5) || most(n - 32, n, 0.5)) && most(0, n, 0.75);
    for (int64_t i = 0; i < d; ++i) out[i] = h ? 0.0f : y[i];
  }
}
""")


def pattern(signature, other_signature, y):
    m = (signature == other_signature).float().mean(-1)
    return y.masked_fill((m > 0.75).unsqueeze(-1), 0.0)


def replacement_args(signature, other_signature, y):
    return (signature, other_signature, y)


@torch.fx.wrap
def wrapper(signature, other_signature, y):
    out = torch.empty_like(y)
    library.k(signature, other_signature, y, out, signature.shape[0], signature.shape[1], y.shape[1])
    return out


def replacement_func():
    return wrapper
