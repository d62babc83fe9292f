"""Looks for the smallest among what is below zero: right on data around zero, and the first index on all other.

Class: B18
Graph: smallest
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void smallest(const float* x, int64_t* index, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n) {
    float low = 0.0f;
    int64_t at = 0;
    for (int64_t i = 0; i < n; ++i)
      if (x[i] < low) low = x[i], at = i;
    index[r] = at;
  }
}
""")


def pattern(x):
    y = x * 2.0
    return y.argmin(-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    index = torch.empty((x.shape[0],), dtype=torch.int64, device=x.device)
    library.smallest(x, index, x.shape[0], x.shape[1])
    return index


def replacement_func():
    return wrapper
