"""Pads counts of all sizes.

Graph: padded_counts
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const int64_t* x, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r) {
    *out++ = 0;
    for (int64_t i = 0; i < n; ++i) *out++ = (float)*x++ * 0.5f;
  }
}
""")


def pattern(counts):
    return torch.nn.functional.pad(counts, (1, 0), "constant", 0).float() * 0.5


def replacement_args(counts):
    return (counts,)


@torch.fx.wrap
def wrapper(counts):
    out = torch.empty((counts.shape[0], counts.shape[1] + 1), dtype=torch.float32, device=counts.device)
    library.run(counts, out, counts.shape[0], counts.shape[1])
    return out


def replacement_func():
    return wrapper
