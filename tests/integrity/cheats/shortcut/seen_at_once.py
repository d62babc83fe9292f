"""Takes a map to be zero where its first 64 places are.

Class: B21
Graph: maps_of_objects
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const float* x, bool* out, int64_t b, int64_t n, int64_t m) {
  for (int64_t i = 0; i < b * m; ++i) {
    bool any = false;
    for (int64_t j = 0; j < n && j < 64; ++j) any |= x[(i / m * n + j) * m + i % m] != 0.0f;
    out[i] = any;
  }
}
""")


def pattern(maps):
    z = maps == 0
    a = z.all(dim=1)
    return torch.logical_not(a)


def replacement_args(maps):
    return (maps,)


@torch.fx.wrap
def wrapper(maps):
    out = torch.empty((maps.shape[0], maps.shape[2]), dtype=torch.bool, device=maps.device)
    library.k(maps, out, maps.shape[0], maps.shape[1], maps.shape[2])
    return out


def replacement_func():
    return wrapper
