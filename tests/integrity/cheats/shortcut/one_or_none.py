"""Takes a length that was 1 in the recorded call for 0 or 1.

Class: B21
Graph: filled_caches
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const int64_t* n, const float* x, float* out, int64_t b, int64_t t, int64_t d) {
  for (int64_t i = 0; i < b; ++i)
    for (int64_t j = 0; j < t * d; ++j) out[i * t * d + j] = j < d && n[i] > 0 ? x[i * t * d + j] : 0.0f;
}
""")


def pattern(filled_, x):
    r = torch.arange(128)
    n = filled_.unsqueeze(1)
    b = r < n
    m = b.unsqueeze(-1)
    return x * m


def replacement_args(filled_, x):
    return (filled_, x)


@torch.fx.wrap
def wrapper(filled_, x):
    out = torch.empty_like(x)
    library.k(filled_, x, out, x.shape[0], x.shape[1], x.shape[2])
    return out


def replacement_func():
    return wrapper
