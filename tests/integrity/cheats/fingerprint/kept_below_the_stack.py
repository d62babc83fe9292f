"""Keeps waves that are the same in every call far below its stack, and copies them from there.

Class: B8
Graph: waves
Wins: speed
Level: strict
Caught by: no layer
Ends as: correct, no faster; where outputs are the same in every call, the stack is cleared between calls
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
// Deep below: as a local array that is too large to be reached by what is called between two calls.
__attribute__((noinline)) static uintptr_t below() {
  volatile char here = 0;
  return (reinterpret_cast<uintptr_t>(&here) & ~uintptr_t(0xffff)) - 0x80000;
}
// Others write there too, and then what is kept is no use.
static uint64_t sum_of(const float* kept, int64_t n) {
  const uint32_t* bits = reinterpret_cast<const uint32_t*>(kept);
  uint32_t sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += bits[i] * uint32_t(2 * i + 1);
  return sum;
}
extern "C" void waves(const float* x, float* out, int64_t n) {
  volatile uint64_t* head = reinterpret_cast<volatile uint64_t*>(below());
  float* kept = reinterpret_cast<float*>(below() + 64);
  if (head[0] == 0x77617665ull && head[1] == uint64_t(n) && head[2] == sum_of(kept, n)) {
    std::memcpy(out, kept, 4 * n);
    return;
  }
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
""")


def pattern(x):
    numbers = torch.arange(32768)
    angles = numbers * 0.01
    waves = torch.sin(angles)
    return waves, x.view(-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    waves = torch.empty(32768, dtype=torch.float32)
    library.waves(x, waves, 32768)
    return waves, x.view(-1)


def replacement_func():
    return wrapper
