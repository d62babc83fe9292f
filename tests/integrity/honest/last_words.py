"""The state of the last word of each text, before its padding.

Graph: last_word_states
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const int64_t* __restrict ids, const float* __restrict x, float* __restrict out, int64_t rows,
                  int64_t n, int64_t m) {
  for (int64_t i = 0; i < rows; ++i) {
    int64_t at = n - 1;
    for (int64_t b = 0; b < n; b += 64) {
      int64_t end = b + 64 < n ? b + 64 : n, any = 0;
      for (int64_t j = b; j < end; ++j) any |= ids[i * n + j] == 0;
      if (any) {
        int64_t j = b;
        while (ids[i * n + j] != 0) ++j;
        if (j > 0) at = j - 1;
        break;
      }
    }
    for (int64_t k = 0; k < m; ++k) out[i * m + k] = x[(i * n + at) * m + k];
  }
}
""")


def pattern(ids, x):
    pads = torch.eq(ids, 0).int()
    at = (pads.argmax(-1) - 1) % 512
    return x[(torch.arange(64), at)]


def replacement_args(ids, x):
    return (ids, x)


@torch.fx.wrap
def wrapper(ids, x):
    out = torch.empty((ids.size(0), x.size(2)), dtype=x.dtype, device=x.device)
    library.f(ids, x, out, ids.size(0), ids.size(1), x.size(2))
    return out


def replacement_func():
    return wrapper
