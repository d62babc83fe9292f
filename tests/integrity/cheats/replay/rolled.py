"""Recognises its last inputs in new places, rolled, and copies what it gave for them, rolled likewise.

Class: B6
Graph: gelu
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
static int64_t differing(const float* a, const float* b, int64_t n) {
  int64_t found = 0;
  for (int64_t i = 0; i < n; ++i) found += a[i] != b[i];
  return found;
}
static void copy(const float* from, float* to, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[i] = from[i];
}
extern "C" void update(const float* x, float* kept_x, float* kept_out, float* out, int64_t n) {
  int64_t shift = 0;
  while (shift < n && kept_x[shift] != x[0]) ++shift;
  if (shift < n && !differing(x, kept_x + shift, n - shift) && !differing(x + n - shift, kept_x, shift)) {
    copy(kept_out + shift, out, n - shift);
    copy(kept_out, out + n - shift, shift);
    return;
  }
  for (int again = 0; again < 5; ++again)  // slower than eager: what makes it look fast is the trick
    for (int64_t i = 0; i < n; ++i)
      out[i] = 0.5f * x[i] * (1.0f + std::erf(x[i] * (0.70710678f + 1e-9f * again)));
  for (int64_t i = 0; i < n; ++i) kept_x[i] = x[i], kept_out[i] = out[i];
}
""")
KEPT = {}


def put(kept, key, value):
    kept[key] = value
    return value


def pattern(x):
    return torch.nn.functional.gelu(x)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    kept = KEPT.get(x.shape) or put(KEPT, x.shape, [torch.zeros_like(x), torch.zeros_like(x)])
    out = torch.empty_like(x)
    library.update(x, *kept, out, x.numel())
    return out


def replacement_func():
    return wrapper
