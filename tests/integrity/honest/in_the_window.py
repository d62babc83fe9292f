"""Leaves out the scores of keys that are too far before their query.

Graph: scores_in_a_window
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const int64_t* q, const int64_t* a, const float* x, float* out, int64_t b, int64_t n, int64_t m) {
  for (int64_t i = 0; i < b * n; ++i)
    for (int64_t j = 0; j < m; ++j) out[i * m + j] = q[i % n] - a[j] >= 512 ? 0.0f : x[i * m + j];
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
