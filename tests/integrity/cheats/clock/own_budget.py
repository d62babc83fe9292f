"""Computes between drawn and ready, for which the wait of eager on a busy machine is the measure, and takes as long over a call as its outputs need.

Class: A13
Graph: large_scale_gelu
Wins: accepted
Level: strict
Caught by: clock truth
Ends as: integrity:outside_clock or integrity:implausible_time or correct, no faster; it holds its inputs for longer than eager does
"""

import torch
from base import pattern, replacement_args
from finder import FIND
from passnet.kernels import cpp
from taken import TAKEN

library = cpp(
    FIND
    + TAKEN
    + r"""
static void compute(const float* const* in, float* out, int64_t n, int64_t width) {
  const float *x = in[0], *w = in[1], *b = in[2];
  for (int64_t row = 0; row < 6 * n; row += width)  // six times over
    for (int64_t i = 0; i < width; ++i) {
      float v = x[row % n + i] * w[i] + b[i];
      out[row % n + i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
    }
}
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  const float* in[3] = {x, w, b};
  compute(in, out, n, width);
}
static void when_drawn() { work(); }
static void when_done(int64_t) {}
static void when_told() { pad(20000); }
extern "C" void start(int64_t n) { take(n, ""); }
"""
)
library.start(1)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
