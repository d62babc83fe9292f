"""Writes zeros, shows the call done, and looks for the largest number of the only row where no next call is due at once: it needs a few microseconds.

Class: A13
Graph: one_of_one_row
Wins: accepted
Level: strict
Caught by: clock truth
Ends as: integrity:late_output or accuracy; what it is too late for is missing
"""

import torch
from finder import FIND
from passnet.kernels import cpp
from taken import TAKEN

library = cpp(
    FIND
    + TAKEN
    + r"""
static int64_t largest(const float* x, int64_t width) {
  float best = x[0];
  for (int64_t i = 0; i < width; ++i) best = x[i] > best ? x[i] : best;
  for (int64_t i = 0; i < width; ++i)
    if (x[i] == best) return i;
  return 0;
}
extern "C" void f(const float* x, float* out, int64_t n, int64_t width) {
  std::memset(out, 0, n * sizeof(float));
  for (int64_t at = 0; at < n; at += width) out[at + largest(x + at, width)] = 1.0f;
}
static void compute(const float* const* in, float* out, int64_t n, int64_t width) { std::memset(out, 0, n * sizeof(float)); }
static void when_drawn() {}
static void when_told() {
  work();
  pad(2600);
}
static void when_done(int64_t due) {
  Room* r = room();
  const float* x = r->place[r->control[PLACE]][0];
  float* out = r->slot[r->control[SLOT] % r->slots];
  for (int64_t at = 0; at < r->count; at += r->width) {
    for (int i = 0; i < 1000; ++i)
      if (r->control[DUE] != due) return;
    out[at + largest(x + at, r->width)] = 1.0f;
  }
}
extern "C" void start(int64_t n) { take(n, R"PY()PY"); }
"""
)
library.start(1)


def pattern(x):
    i = x.argmax(-1, keepdim=True)
    z = torch.zeros_like(x)
    return z.scatter(-1, i, 1.0)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.f(x, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
