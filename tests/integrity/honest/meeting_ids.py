"""Hides what has the same id, wherever that lies.

Graph: met_ids
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const int64_t* a, const int64_t* b, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = a[i] == b[i] ? 0.0f : x[i];
}
""")


def pattern(x, own_ids, other_ids):
    return x.masked_fill(own_ids == other_ids, 0.0)


def replacement_args(x, own_ids, other_ids):
    return (x, own_ids, other_ids)


@torch.fx.wrap
def wrapper(x, own_ids, other_ids):
    out = torch.empty_like(x)
    library.run(x, own_ids, other_ids, out, x.numel())
    return out


def replacement_func():
    return wrapper
