"""A detached C++ thread sleeps and then writes the result.

Class: A5
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: kernel source
Ends as: integrity:kernel_source
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include <chrono>
#include <cmath>
#include <cstdint>
#include <thread>
extern "C" void later(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  std::thread([=] {
    for (int64_t i = 0; i < n; ++i) {
      float v = x[i] * w[i % width] + b[i % width];
      out[i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
    }
  }).detach();
}
""")
ALIVE = []


def keep(kept, things):
    kept.append(things)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    keep(ALIVE, (x, w, b, out))
    library.later(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
