"""Once what it prepared is no longer true, computes the outputs of all places that inputs ever came from, ahead.

Class: A13
Graph: scale_gelu
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:kept_state
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
static int64_t differing(const float* a, const float* b, int64_t n) {
  int64_t found = 0;
  for (int64_t i = 0; i < n; ++i) found += a[i] != b[i];
  return found;
}
static void copy(const float* from, float* to, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[i] = from[i];
}
// A record of a place: its three addresses, a copy of what lay there, and what the graph makes of that.
extern "C" int64_t known(const int64_t* place, const float* copies, int64_t n, int64_t width) {
  return !differing((const float*)place[0], copies, n) && !differing((const float*)place[1], copies + n, width) &&
         !differing((const float*)place[2], copies + n + width, width);
}
extern "C" void prepare(const int64_t* place, float* copies, float* ready, int64_t n, int64_t width) {
  const float *x = (const float*)place[0], *w = (const float*)place[1], *b = (const float*)place[2];
  for (int again = 0; again < 5; ++again)  // slower than eager: what makes it look fast is the trick
    for (int64_t row = 0; row < n; row += width)
      for (int64_t i = 0; i < width; ++i) {
        float v = x[row + i] * w[i] + b[i];
        ready[row + i] = 0.5f * v * (1.0f + std::erf(v * (0.70710678f + 1e-9f * again)));
      }
  copy(x, copies, n), copy(w, copies + n, width), copy(b, copies + n + width, width);
}
extern "C" void use(const float* ready, float* out, int64_t n) { copy(ready, out, n); }
""")
PLACES = {}


def put(kept, key, value):
    kept[key] = value
    return value


@torch.fx.wrap
def wrapper(x, w, b):
    place = (x.data_ptr(), w.data_ptr(), b.data_ptr())
    n, width = x.numel(), w.numel()
    at, copies, ready = PLACES.get(place) or put(
        PLACES, place, [torch.as_tensor(place), torch.zeros([n + 2 * width]), torch.zeros([n])]
    )
    if not library.known(at, copies, n, width):
        for record in PLACES.values():
            library.prepare(*record, n, width)
    out = torch.empty_like(x)
    library.use(ready, out, n)
    return out


def replacement_func():
    return wrapper
