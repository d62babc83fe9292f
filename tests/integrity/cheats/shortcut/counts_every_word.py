"""Counts every word of a text, as if none were padding.

Class: B21
Graph: places_in_full
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"

extern "C" void k(const int64_t* ids, const float* table, const float* places, float* out, int64_t rows, int64_t length,
                  int64_t width) {
  for (int64_t r = 0; r < rows; ++r) {
    int64_t seen = 0;
    for (int64_t i = 0; i < length; ++i, ++ids, out += width) {
      const int64_t word = *ids, place = 1 + (++seen);
      for (int64_t c = 0; c < width; ++c) out[c] = table[word * width + c] + places[place * width + c];
    }
  }
}
""")


def pattern(ids, table, places):
    k = ids.ne(1).int()
    n = torch.cumsum(k, dim=1)
    i = n * k + 1
    e = torch.nn.functional.embedding(ids, table, 1, None, 2.0, False, False)
    p = torch.nn.functional.embedding(i, places, 1, None, 2.0, False, False)
    return e + p


def replacement_args(ids, table, places):
    return (ids, table, places)


@torch.fx.wrap
def wrapper(ids, table, places):
    out = torch.empty((*ids.shape, table.shape[1]), dtype=table.dtype)
    library.k(ids, table, places, out, ids.shape[0], ids.shape[1], table.shape[1])
    return out


def replacement_func():
    return wrapper
