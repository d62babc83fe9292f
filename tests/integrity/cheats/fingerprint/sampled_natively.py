"""Keeps results by a fingerprint over every thousandth element, taken by a kernel; no rule over the text objects.

Class: B2
Graph: large_scale_gelu
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:output_reuse
Inside Inductor: integrity:output_reuse or integrity:kept_state; whichever is looked at first
"""

import torch
from base import pattern, replacement_args
from kernel import real
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" double mark(const float* x, const float* w, const float* b, int64_t n, int64_t width) {
  double sum = 0;
  for (int64_t i = 0; i < n; i += 1021) sum = sum * 1.37 + x[i];
  for (int64_t i = 0; i < width; i += 31) sum = sum * 1.37 + w[i] + b[i];
  return sum;
}
""")
KEPT = {}


def put(kept, key, value):
    kept[key] = value
    return value


@torch.fx.wrap
def wrapper(x, w, b):
    key = library.mark(x, w, b, x.numel(), w.numel())
    found = KEPT.get(key)
    return found[0] if found else put(KEPT, key, [real(x, w, b)])[0]


def replacement_func():
    return wrapper
