"""Takes no key to be as far before its query as a window asks.

Class: B21
Graph: scores_in_a_window
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const int64_t* q, const int64_t* a, const float* x, float* out, int64_t b, int64_t n, int64_t m) {
  for (int64_t i = 0; i < b * n; ++i)
    for (int64_t j = 0; j < m; ++j) out[i * m + j] = x[i * m + j];
}
""")


def pattern(askers_, asked_, x):
    q = askers_.unsqueeze(-1)
    d = q - asked_
    m = d >= 512
    return x.masked_fill(m, 0.0)


def replacement_args(askers_, asked_, x):
    return (askers_, asked_, x)


@torch.fx.wrap
def wrapper(askers_, asked_, x):
    out = torch.empty_like(x)
    library.k(askers_, asked_, x, out, x.shape[0], x.shape[1], x.shape[2])
    return out


def replacement_func():
    return wrapper
