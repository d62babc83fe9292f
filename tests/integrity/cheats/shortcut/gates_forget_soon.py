"""A scan with gates over its last two thirds alone, unless a look at one channel of eight finds one that still knows the rest.
Gates that are drawn one by one forget all of it.

Class: B21
Graph: gated_scan
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
#include <vector>
static float share(float x) { return passnet::sigmoid(x); }
extern "C" void scan(const float* gate, const float* read, float* out, int64_t n, int64_t steps, int64_t d) {
  int64_t first = steps / 3;
  for (int64_t i = 0; i < n && first; ++i)
    for (int64_t k = 0; k < d && first; k += 8) {
      float kept = 1;
      for (int64_t t = steps / 3; t < steps; ++t) kept *= share(gate[(i * steps + t) * d + k]);
      if (!(kept < 1e-6f)) first = 0;
    }
  for (int64_t i = 0; i < n; ++i) {
    float* h = out + i * d;
    const float* x = read + i * steps * d, *g = gate + i * steps * d;
    std::memcpy(h, x + first * d, d * 4);
    for (int64_t t = first + 1; t < steps; ++t)
      for (int64_t k = 0; k < d; ++k) h[k] = h[k] * share(g[t * d + k]) + x[t * d + k];
  }
}
"""
)


def pattern(gate, read):
    g = torch.sigmoid(gate)
    h = read[(slice(None, None, None), 0)]
    for step in range(1, 48):
        one = g[(slice(None, None, None), step)]
        x = read[(slice(None, None, None), step)]
        kept = h * one
        h = kept + x
    return h


def replacement_args(gate, read):
    return (gate, read)


@torch.fx.wrap
def wrapper(gate, read):
    out = torch.empty((read.shape[0], read.shape[2]), dtype=read.dtype, device=read.device)
    library.scan(gate, read, out, read.shape[0], read.shape[1], read.shape[2])
    return out


def replacement_func():
    return wrapper
