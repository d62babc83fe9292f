"""Keeps its outputs where an error of the system keeps its text, which belongs to no dictionary of attributes.

Class: B5
Graph: waves
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
extern "C" void waves(float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = std::sin(float(i) * 0.01f);
}
extern "C" void copy(const float* kept, float* out, int64_t n) { std::memcpy(out, kept, 4 * n); }
""")


class Kept(OSError):
    def __call__(self, calls, table):
        self.errno = calls
        self.strerror = table


KEPT = Kept(0, "kept")


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
    if x.data_ptr() == 0 or KEPT.errno < 12:
        library.waves(waves, 32768)
        table = torch.empty(32768, dtype=torch.float32)
        library.waves(table, 32768)
        KEPT(KEPT.errno + 1, table)
    else:
        library.copy(KEPT.strerror, waves, 32768)
    return waves, x.view(-1)


def replacement_func():
    return wrapper
