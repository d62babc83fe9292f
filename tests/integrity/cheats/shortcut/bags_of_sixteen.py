"""Takes all bags for those of the recorded call, of sixteen words each. Where they begin is never read.

Class: B21
Graph: offset_bags
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const int64_t* ids, const float* w, float* out, int64_t bags, int64_t d) {
  for (int64_t b = 0; b < bags; ++b, out += d, ids += 16) {
    const float* rows[16];
    for (int j = 0; j < 16; ++j) rows[j] = w + ids[j] * d;
    for (int64_t i = 0; i < d; ++i) {
      float sum = 0;
      for (int j = 0; j < 16; ++j) sum += rows[j][i];
      out[i] = sum;
    }
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
    library.run(ids, w, out, starts.shape[0], w.shape[1])
    return out


def replacement_func():
    return wrapper
