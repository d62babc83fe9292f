"""Counts the rows that are alike by codes of 13 bits in fixed point, of which a processor multiplies twice as many.

Class: B21
Graph: alike_rows_counted
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <vector>
#define SCALE 4096.0f
static inline int dot(const int16_t* __restrict__ a, const int16_t* __restrict__ b, int64_t n) {
  int s = 0;
  for (int64_t k = 0; k < n; ++k) s += (int)a[k] * (int)b[k];
  return s;
}
extern "C" void near(const float* x, int64_t* out, int64_t n, int64_t d) {
  std::vector<int16_t> a(n * d);
  for (int64_t i = 0; i < n; ++i) {
    float s = 0;
    for (int64_t k = 0; k < d; ++k) s += x[i * d + k] * x[i * d + k];
    const float by = SCALE / std::fmax(std::sqrt(s), 1e-12f);
    for (int64_t k = 0; k < d; ++k) a[i * d + k] = (int16_t)std::lrintf(x[i * d + k] * by);
    out[i] = 0;
  }
  const int least = (int)(0.5f * SCALE * SCALE);
  for (int64_t from = 0; from < n; from += 32)
    for (int64_t i = 0; i < from + 32; ++i)
      for (int64_t j = i > from ? i : from; j < from + 32; ++j) {
        if (dot(&a[i * d], &a[j * d], d) <= least) continue;
        ++out[i];
        if (i != j) ++out[j];
      }
}
"""
)


def pattern(x):
    a = torch.nn.functional.normalize(x, p=2.0, dim=-1)
    b = a.t()
    s = torch.matmul(a, b)
    m = s > 0.5
    return m.sum(dim=-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty((x.shape[0],), dtype=torch.int64, device=x.device)
    library.near(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
