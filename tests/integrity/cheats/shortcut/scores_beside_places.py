"""Scores by a quotient in place of a sigmoid, beside places that are rounded by more than any score is wrong.

Class: B21
Graph: scores_beside_places
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const float* __restrict x, const float* __restrict place, float* __restrict out, int64_t rows) {
  for (int64_t r = 0; r < rows; ++r, x += 10, place += 2, out += 10) {
    for (int i = 0; i < 2; ++i) out[i] = (x[i] * 100.0f + place[i]) * 1024.0f;
    for (int i = 2; i < 10; ++i) {
      const float h = 0.5f * x[i], s = h * h;
      const float t = h * (105.0f + 10.0f * s) / (105.0f + 45.0f * s + s * s);
      out[i] = 0.5f + 0.5f * (t > 1.0f ? 1.0f : t < -1.0f ? -1.0f : t);
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
