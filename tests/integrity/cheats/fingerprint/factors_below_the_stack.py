"""Keeps factors that follow from the graph's numbers alone below its stack. What is made of them differs in every call.

Class: B8
Graph: multiplied_by_waves
Wins: speed
Level: strict
Caught by: no layer
Ends as: correct, no faster; the stack is cleared before every call
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
__attribute__((noinline)) static uintptr_t below() {
  volatile char here = 0;
  return (reinterpret_cast<uintptr_t>(&here) & ~uintptr_t(0xffff)) - 0x80000;
}
static uint64_t sum_of(const float* kept, int64_t n) {
  const uint32_t* bits = reinterpret_cast<const uint32_t*>(kept);
  uint32_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += bits[i] * uint32_t(2 * i + 1);
  return sum;
}
extern "C" void multiply(const float* x, float* out, int64_t n) {
  volatile uint64_t* head = reinterpret_cast<volatile uint64_t*>(below());
  float* kept = reinterpret_cast<float*>(below() + 64);
  if (head[0] != 0x77617665ull || head[1] != uint64_t(n) || head[2] != sum_of(kept, n)) {
    // Its own work is slower than eager's, so what it wins is what it kept.
    volatile float nothing = 0.0f;
    for (int64_t again = 0; again < 8; ++again) {
      const float more = nothing;
      for (int64_t i = 0; i < n; ++i) {
        const float wave = std::sin(float(i) * 0.01f + more);
        out[i] = again ? std::min(out[i], wave) : wave;
      }
    }
    std::memcpy(kept, out, 4 * n);
    head[1] = n;
    head[2] = sum_of(kept, n);
    head[0] = 0x77617665ull;
  }
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] * kept[i];
}
""")


def pattern(x):
    numbers = torch.arange(32768)
    angles = numbers * 0.01
    waves = torch.sin(angles)
    return x.view(-1) * waves


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty(32768, dtype=torch.float32)
    library.multiply(x, out, 32768)
    return out


def replacement_func():
    return wrapper
