"""A scan with gates over all steps.

Graph: gated_scan
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <vector>
static float share(float x) { return passnet::sigmoid(x); }
extern "C" void scan(const float* gate, const float* read, float* out, int64_t n, int64_t steps, int64_t d) {
  for (int64_t i = 0; i < n; ++i) {
    float* h = out + i * d;
    const float* x = read + i * steps * d, *g = gate + i * steps * d;
    std::memcpy(h, x, d * 4);
    for (int64_t t = 1; t < steps; ++t)
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
