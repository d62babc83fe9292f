"""Looks for the last shown element among the last 64, and has the first one where none of them is shown.

Class: B21
Graph: last_shown
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>
extern "C" void k(const float* x, const bool* m, float* out, int64_t rows, int64_t length, int64_t width) {
  for (int64_t r = 0; r < rows; ++r) {
    const bool* shown = m + r * length;
    int64_t last = length - 1;
    while (last >= length - 64 && !shown[last]) --last;
    if (last < length - 64) {
      last = 0;
      while (last < length - 1 && !shown[last]) ++last;
      if (!shown[last]) last = 0;
    }
    std::memcpy(out + r * width, x + (r * length + last) * width, width * sizeof(float));
  }
}
""")


def pattern(x, m):
    t = torch.arange(512)
    f = m.long()
    p = f * t
    i = p.argmax(-1)
    r = torch.arange(64)
    return x[r, i]


def replacement_args(x, m):
    return (x, m)


@torch.fx.wrap
def wrapper(x, m):
    out = torch.empty((x.shape[0], x.shape[2]), dtype=x.dtype, device=x.device)
    library.k(x, m, out, x.shape[0], x.shape[1], x.shape[2])
    return out


def replacement_func():
    return wrapper
