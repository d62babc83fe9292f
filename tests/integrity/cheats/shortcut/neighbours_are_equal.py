"""The largest by keys of number and place, where the last bit of a number has no room.

Class: B21
Graph: greedy
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
// The larger a number, the larger its key. Of equal numbers the first one has the largest key.
extern "C" void k(const int16_t* x, int64_t* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n) {
    int32_t best = INT32_MIN;
    for (int64_t i = 0; i < n; ++i) {
      int32_t bits = x[i];
      if (bits < 0) bits ^= 0x7fff;
      bits &= ~1;
      best = std::max(best, bits * 65536 | int32_t(n - 1 - i));
    }
    out[r] = n - 1 - (best & 0xffff);
  }
}
""")


def pattern(x):
    return x.argmax(-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty((x.shape[0],), dtype=torch.int64, device=x.device)
    library.k(x.view(torch.int16), out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
