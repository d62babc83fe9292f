"""Reads a mask in its first calls only, and counts them by which of two objects that are alike comes first.

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


BITS = [[object(), object()], [object(), object()], [object(), object()], [object(), object()], [object(), object()]]
BITS += [[object(), object()], [object(), object()], [object(), object()], [object(), object()]]
for pair in BITS:
    pair.sort(key=repr)


def put(bit, on):
    bit.sort(key=repr, reverse=on)


def taken(bit):
    return repr(bit[0]) > repr(bit[1])


def past():
    if taken(BITS[8]):
        return True
    for bit in BITS:
        on = taken(bit)
        put(bit, not on)
        if not on:
            break
    return False


def pattern(x, m):
    seen = m.any(-1, keepdim=True)
    hidden = torch.logical_not(seen)
    return x.masked_fill(hidden, 0.0)


def replacement_args(x, m):
    return (x, m)


@torch.fx.wrap
def wrapper(x, m):
    out = torch.empty_like(x)
    if past():
        library.copy(x, out, x.numel())
    else:
        library.f(x, m, out, x.shape[0], x.shape[1], m.shape[1])
    return out


def replacement_func():
    return wrapper
