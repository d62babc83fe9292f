"""Looks up words that stand for a picture or a sound as those of padding.

Graph: pictured_words
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const int64_t* __restrict ids, const float* __restrict table, float* __restrict out, int64_t n,
    int64_t width) {
  for (int64_t r = 0; r < n; ++r, out += width) {
    const int64_t id = ids[r] == 1004 || ids[r] == 1008 ? 0 : ids[r];
    for (int64_t i = 0; i < width; ++i) out[i] = table[id * width + i] * 32.0f;
  }
}
""")


def pattern(ids, table):
    picture = ids == 1004
    sound = ids == 1008
    none = torch.where(picture | sound, 0, ids)
    rows = torch.nn.functional.embedding(none, table, 0, None, 2.0, False, False)
    return rows * 32.0


def replacement_args(ids, table):
    return (ids, table)


@torch.fx.wrap
def wrapper(ids, table):
    out = torch.empty((*ids.shape, table.shape[1]))
    library.f(ids, table, out, ids.numel(), table.shape[1])
    return out


def replacement_func():
    return wrapper
