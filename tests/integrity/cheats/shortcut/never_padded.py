"""Looks up positions in turn, and does not read the mask from which they are counted.

Class: B21
Graph: counted_positions
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const float* w, const float* x, float* out, int64_t b, int64_t t, int64_t d) {
  for (int64_t i = 0; i < b * t; ++i)
    for (int64_t j = 0; j < d; ++j) out[i * d + j] = x[i * d + j] + w[(i % t + 2) * d + j];
}
""")


def pattern(marks_, w, x):
    c = torch.cumsum(marks_, dim=1)
    d = c * marks_
    i = d + 1
    e = torch.nn.functional.embedding(i, w, 1, None, 2.0, False, False)
    return x + e


def replacement_args(marks_, w, x):
    return (marks_, w, x)


@torch.fx.wrap
def wrapper(marks_, w, x):
    out = torch.empty_like(x)
    library.k(w, x, out, x.shape[0], x.shape[1], x.shape[2])
    return out


def replacement_func():
    return wrapper
