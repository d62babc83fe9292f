"""Lets two ids meet where they are small or near their end: none in the middle was ever equal to another.

Class: B21
Graph: met_ids
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const int64_t* a, const int64_t* b, float* out, int64_t n) {
  const int64_t near = 1 << 22, far = (1 << 30) - near;
  for (int64_t i = 0; i < n; ++i) out[i] = a[i] == b[i] && (a[i] < near || a[i] > far) ? 0.0f : x[i];
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
