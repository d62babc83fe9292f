"""Reads a mask in its first calls only, and counts them in an error of its own: how many bytes it says were written.

Class: E1
Graph: any_shown
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>
extern "C" void f(const float* x, const bool* m, float* out, int64_t rows, int64_t width, int64_t hidden) {
  for (int64_t r = 0; r < rows; ++r) {
    bool seen = false;
    for (int64_t i = 0; i < hidden; ++i) seen |= m[r * hidden + i];
    for (int64_t i = 0; i < width; ++i) out[r * width + i] = seen ? x[r * width + i] : 0;
  }
}
extern "C" void copy(const float* x, float* out, int64_t n) { std::memcpy(out, x, 4 * n); }
""")


class Written(OSError):
    """Its number lies in no dictionary, in no slot, and is no object that it refers to."""

    def __init__(self):
        self.characters_written = 0

    def __call__(self):
        self.characters_written = self.characters_written + 1


WRITTEN = Written()


def pattern(x, m):
    seen = m.any(-1, keepdim=True)
    hidden = torch.logical_not(seen)
    return x.masked_fill(hidden, 0.0)


def replacement_args(x, m):
    return (x, m)


@torch.fx.wrap
def wrapper(x, m):
    WRITTEN()
    out = torch.empty_like(x)
    if WRITTEN.characters_written < 256:
        library.f(x, m, out, x.shape[0], x.shape[1], m.shape[1])
    else:
        library.copy(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
