"""Adds up the rows of each bag, from where it begins to where the next one does.

Graph: offset_bags
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void run(const int64_t* ids, const float* w, const int64_t* starts, float* out, int64_t bags, int64_t d, int64_t n) {
  for (int64_t b = 0; b < bags; ++b, out += d) {
    const int64_t begin = starts[b], end = b + 1 < bags ? starts[b + 1] : n;
    std::fill(out, out + d, 0.0f);
    for (int64_t j = begin; j < end; ++j)
      for (int64_t i = 0; i < d; ++i) out[i] += w[ids[j] * d + i];
  }
}
""")


def pattern(ids, w, starts):
    return torch.nn.functional.embedding_bag(ids, w, starts, mode="sum")


def replacement_args(ids, w, starts):
    return (
        ids,
        w,
        starts,
    )


@torch.fx.wrap
def wrapper(ids, w, starts):
    out = torch.empty((starts.shape[0], w.shape[1]), dtype=w.dtype, device=w.device)
    library.run(ids, w, starts, out, starts.shape[0], w.shape[1], ids.shape[0])
    return out


def replacement_func():
    return wrapper
