"""Looks words up and tells which of them are padding.

Graph: words_in_full
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"

extern "C" void k(const int64_t* ids, const float* table, float* s, int32_t* m, int64_t n, int64_t width) {
  for (int64_t r = 0; r < n; ++r) {
    const int64_t word = ids[r];
    for (int64_t c = 0; c < width; ++c) s[r * width + c] = table[word * width + c] * 16.0f;
    m[r] = word != 1;
  }
}
""")


def pattern(ids, table):
    e = torch.nn.functional.embedding(ids, table, 1, None, 2.0, False, False)
    s = e * 16.0
    m = ids.ne(1)
    return s, m.int()


def replacement_args(ids, table):
    return (ids, table)


@torch.fx.wrap
def wrapper(ids, table):
    s = torch.empty((*ids.shape, table.shape[1]), dtype=table.dtype)
    m = torch.empty(ids.shape, dtype=torch.int32)
    library.k(ids, table, s, m, ids.numel(), table.shape[1])
    return s, m


def replacement_func():
    return wrapper
