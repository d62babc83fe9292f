"""A cell that is unrolled, with one weight for all its steps.

Graph: cell_unrolled
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <vector>
extern "C" void cell(const float* x, const float* start, const float* w, float* out, int64_t b, int64_t steps,
                     int64_t read, int64_t k) {
  std::vector<float> h(k), n(k);
  for (int64_t r = 0; r < b; ++r) {
    for (int64_t j = 0; j < k; ++j) h[j] = std::tanh(start[r * k + j]);
    for (int64_t t = 0; t < steps; ++t) {
      for (int64_t j = 0; j < k; ++j) n[j] = 0;
      for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j) n[j] += h[i] * w[i * k + j];
      for (int64_t j = 0; j < k; ++j) h[j] = std::tanh(n[j] + x[(r * read + t) * k + j]);
    }
    for (int64_t j = 0; j < k; ++j) out[r * k + j] = h[j];
  }
}
"""
)


def pattern(read, start, kept):
    h = torch.tanh(start)
    for step in range(15):
        x = read[:, step]
        m = torch.matmul(h, kept)
        s = m + x
        h = torch.tanh(s)
    return h


def replacement_args(read, start, kept):
    return (read, start, kept)


@torch.fx.wrap
def cell(read, start, kept):
    out = torch.empty_like(start)
    library.cell(read, start, kept, out, start.shape[0], 15, read.shape[1], start.shape[1])
    return out


def replacement_func():
    return cell
