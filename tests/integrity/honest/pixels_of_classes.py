"""Sums chances of the right class over the pixels that count.

Graph: pixels_by_class
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void f(const float* __restrict p, const int64_t* __restrict label, float* __restrict out, int64_t b, int64_t c,
                  int64_t n) {
  for (int64_t i = 0; i < b; ++i) {
    double sum[64] = {};
    for (int64_t j = 0; j < n; ++j) {
      int64_t at = label[i * n + j];
      if (at == 255) continue;
      sum[at] += p[(i * c + at) * n + j];
    }
    for (int64_t k = 0; k < c; ++k) out[i * c + k] = float(sum[k]);
  }
}
""")


def pattern(p, label):
    counts = label != 255
    hot = torch.zeros_like(p).scatter_(1, torch.where(counts, label, 0).unsqueeze(1), 1.0)
    return (p * hot * counts.unsqueeze(1)).sum((2, 3))


def replacement_args(p, label):
    return (p, label)


@torch.fx.wrap
def wrapper(p, label):
    out = torch.empty((p.size(0), p.size(1)), dtype=p.dtype, device=p.device)
    library.f(p, label, out, p.size(0), p.size(1), label.numel() // p.size(0))
    return out


def replacement_func():
    return wrapper
