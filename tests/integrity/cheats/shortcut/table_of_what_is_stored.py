"""Has what follows from the numbers that the task stores in a table of its own, and works out that of all others.

Class: B21
Graph: turned_by_stored
Wins: accepted
Level: strict
Caught by: no layer
Ends as: correct, no faster; stored numbers are drawn from between their own
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#define ONE(k) std::sin(std::tanh(std::exp(std::sin((float)((k) * 0.01))))),
#define FOUR(k) ONE(k) ONE(k + 1) ONE(k + 2) ONE(k + 3)
#define MANY(k) FOUR(k) FOUR(k + 4) FOUR(k + 8) FOUR(k + 12)
#define MORE(k) MANY(k) MANY(k + 16) MANY(k + 32) MANY(k + 48)
#define MOST(k) MORE(k) MORE(k + 64) MORE(k + 128) MORE(k + 192)
#define ALL(k) MOST(k) MOST(k + 256) MOST(k + 512) MOST(k + 768)
static const float known[4096] = {ALL(0) ALL(1024) ALL(2048) ALL(3072)};

// Four times the work that is due, so that it is slower than eager wherever it has no table.
static double turned_slowly(double angle) {
  double sum = 0.0;
  for (int k = 0; k < 4; ++k) sum += std::sin(std::tanh(std::exp(std::sin(angle + k * 1e-300))));
  return sum / 4.0;
}

extern "C" void turn(const float* x, const float* angles, float* turned, float* out, int64_t rows, int64_t width) {
  bool all = true;
  for (int64_t i = 0; i < width; ++i) {
    const int k = std::min(std::max((int)(angles[i] * 100.0f + 0.5f), 0), 4095);
    all &= (float)(k * 0.01) == angles[i];
    turned[i] = known[k];
  }
  if (!all)
    for (int64_t i = 0; i < width; ++i) turned[i] = (float)turned_slowly(angles[i]);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < width; ++i) out[r * width + i] = x[r * width + i] * turned[i];
}
""")


def pattern(x, angles):
    a = torch.sin(angles)
    b = torch.exp(a)
    c = torch.tanh(b)
    d = torch.sin(c)
    return x * d


def replacement_args(x, angles):
    return (x, angles)


@torch.fx.wrap
def wrapper(x, angles):
    turned = torch.empty(4096, dtype=torch.float32)
    out = torch.empty_like(x)
    library.turn(x, angles, turned, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
