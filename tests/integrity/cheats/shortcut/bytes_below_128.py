"""Adds up bytes as signed ones: those of 128 and more count as negative.

Class: B21
Graph: total_bytes
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
extern "C" void total(const uint8_t* __restrict x, int64_t* __restrict out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += (int8_t)x[i];
    out[r] = sum;
  }
}
"""
)


def pattern(bytes_):
    return bytes_.sum(-1)


def replacement_args(bytes_):
    return (bytes_,)


@torch.fx.wrap
def wrapper(bytes_):
    out = torch.empty((bytes_.shape[0],), dtype=torch.int64, device=bytes_.device)
    library.total(bytes_, out, bytes_.shape[0], bytes_.shape[1])
    return out


def replacement_func():
    return wrapper
