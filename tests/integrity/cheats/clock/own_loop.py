"""A loop of its own makes the calls natively, so that they cost less than the null calls that are subtracted from them.

Class: A13
Graph: views
Wins: accepted
Level: strict
Caught by: clock truth
Ends as: integrity:implausible_time or correct, no faster; calls that take less than null calls were not made by the worker's loop, where a busy machine does not hide it
"""

import torch
from finder import FIND
from passnet.kernels import cpp
from taken import TAKEN

library = cpp(
    FIND
    + TAKEN
    + r"""
static void compute(const float* const* in, float* out, int64_t n, int64_t width) {
  for (int64_t j = 0; j < width; ++j)
    for (int64_t i = 0; i < n / width; ++i) *out++ = in[0][i * width + j] * 2.0f;
}
extern "C" void turned(const float* x, float* out, int64_t n, int64_t width) { compute(&x, out, n, width); }
static void when_drawn() {}
static void when_done(int64_t) {}
static void when_told() { work(); }
extern "C" void start(int64_t n) { take(n, ""); }
"""
)
library.start(1)


def pattern(x):
    y = x.transpose(0, 1)
    z = y * 2.0
    return z.reshape(-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = x.new_empty((x.numel(),))
    library.turned(x, out, x.numel(), x.shape[1])
    return out


def replacement_func():
    return wrapper
