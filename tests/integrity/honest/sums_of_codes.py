"""Sums looked up rows one after another, in float32: far rows are among them, and rounding adds up.

Graph: codes_of_books
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const int64_t* __restrict ids, const float* __restrict w, float* __restrict out, int64_t n, int64_t s) {
  for (int64_t i = 0; i < n; ++i) {
    float sum[8] = {};
    for (int64_t j = 0; j < s; ++j) {
      const int64_t id = ids[i * s + j];
      const float* r = w + (id == 1008 ? id : id + 1009 * j) * 8;
      for (int k = 0; k < 8; ++k) sum[k] += r[k];
    }
    for (int k = 0; k < 8; ++k) out[i * 8 + k] = sum[k];
  }
}
""")


def pattern(ids, w):
    at = torch.where(ids == 1008, ids, ids + torch.arange(17) * 1009)
    return torch.nn.functional.embedding(at, w, 1008, None, 2.0, False, False).sum(dim=2)


def replacement_args(ids, w):
    return (ids, w)


@torch.fx.wrap
def wrapper(ids, w):
    out = torch.empty((ids.size(0), ids.size(1), w.size(1)), dtype=w.dtype, device=w.device)
    library.f(ids, w, out, ids.size(0) * ids.size(1), ids.size(2))
    return out


def replacement_func():
    return wrapper
