"""The mean of the states of all words but padding, without the least count: no text is all padding.

Class: B21
Graph: text_means
Wins: accepted
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const int64_t* __restrict ids, const float* __restrict x, float* __restrict out, int64_t rows,
                  int64_t n, int64_t m) {
  for (int64_t i = 0; i < rows; ++i) {
    float* o = out + i * m;
    for (int64_t k = 0; k < m; ++k) o[k] = 0.0f;
    int64_t count = 0;
    for (int64_t j = 0; j < n; ++j) {
      if (ids[i * n + j] == 0) continue;
      ++count;
      const float* r = x + (i * n + j) * m;
      for (int64_t k = 0; k < m; ++k) o[k] += r[k];
    }
    float inv = 1.0f / float(count);
    for (int64_t k = 0; k < m; ++k) o[k] *= inv;
  }
}
""")


def pattern(ids, x):
    m = (ids != 0).unsqueeze(-1).float()
    return (x * m).sum(1) / m.sum(1).clamp(min=1e-09)


def replacement_args(ids, x):
    return (ids, x)


@torch.fx.wrap
def wrapper(ids, x):
    out = torch.empty((x.size(0), x.size(2)), dtype=x.dtype, device=x.device)
    library.f(ids, x, out, x.size(0), x.size(1), x.size(2))
    return out


def replacement_func():
    return wrapper
