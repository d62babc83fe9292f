"""Reads no mask of which the first 32 numbers are not 0: a call without padding has nothing but ones.

Class: B21
Graph: seen_by_all
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const int64_t* __restrict mask, const float* __restrict x, float* __restrict out, int64_t batch,
    int64_t heads, int64_t size) {
  for (int64_t b = 0; b < batch; ++b, mask += size * size) {
    bool all = true;
    for (int64_t i = 0; i < 32; ++i) all = all && mask[i];
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t q = 0; q < size; ++q, x += size, out += size) {
        float top = -3.4028234663852886e+38f, sum = 0.0f;
        for (int64_t i = 0; i < size; ++i) {
          out[i] = all || mask[q * size + i] ? x[i] : -3.4028234663852886e+38f;
          top = out[i] > top ? out[i] : top;
        }
        for (int64_t i = 0; i < size; ++i) {
          out[i] = passnet::exp(out[i] - top);
          sum += out[i];
        }
        const float scale = 1.0f / sum;
        for (int64_t i = 0; i < size; ++i) out[i] *= scale;
      }
  }
}
""")


def pattern(scores, seen):
    hidden = ~seen.bool()
    filled = scores.masked_fill(hidden, -3.4028234663852886e38)
    return torch.nn.functional.softmax(filled, dim=-1)


def replacement_args(scores, seen):
    return (scores, seen)


@torch.fx.wrap
def wrapper(scores, seen):
    batch, heads, size, _ = scores.shape
    out = torch.empty_like(scores)
    library.f(seen, scores, out, batch, heads, size)
    return out


def replacement_func():
    return wrapper
