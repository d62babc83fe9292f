"""Scores and places in one walk.

Graph: scores_beside_places
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const float* __restrict x, const float* __restrict place, float* __restrict out, int64_t rows) {
  for (int64_t r = 0; r < rows; ++r, x += 10, place += 2, out += 10) {
    for (int i = 0; i < 2; ++i) out[i] = (x[i] * 100.0f + place[i]) * 1024.0f;
    for (int i = 2; i < 10; ++i) {
      out[i] = 1.0f / (1.0f + passnet::exp(-x[i]));
    }
  }
}
""")


def pattern(x, place):
    q = (x[..., 0:2] * 100.0 + place) * 1024.0
    return torch.cat((q, torch.sigmoid(x[..., 2:10])), -1)


def replacement_args(x, place):
    return (x, place)


@torch.fx.wrap
def wrapper(x, place):
    out = torch.empty_like(x)
    library.k(x, place, out, x.shape[0])
    return out


def replacement_func():
    return wrapper
