"""Counts the rows that are alike, with the products of each pair added up in one lane of float32, in order.

Graph: alike_rows_counted
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <vector>
typedef float lanes __attribute__((vector_size(32)));
static inline void tile(const float* u, const float* b, int64_t d, lanes* out) {
  lanes c0 = {}, c1 = {}, c2 = {}, c3 = {}, c4 = {}, c5 = {}, c6 = {}, c7 = {};
  for (int64_t k = 0; k < d; ++k) {
    lanes v, w;
    std::memcpy(&v, b + k * 16, 32), std::memcpy(&w, b + k * 16 + 8, 32);
    c0 += u[k] * v, c1 += u[k] * w, c2 += u[d + k] * v, c3 += u[d + k] * w;
    c4 += u[2 * d + k] * v, c5 += u[2 * d + k] * w, c6 += u[3 * d + k] * v, c7 += u[3 * d + k] * w;
  }
  out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3, out[4] = c4, out[5] = c5, out[6] = c6, out[7] = c7;
}
extern "C" void near(const float* x, int64_t* out, int64_t n, int64_t d) {
  std::vector<float> a(n * d), t(n * d);
  for (int64_t i = 0; i < n; ++i) {
    float s = 0;
    for (int64_t k = 0; k < d; ++k) s += x[i * d + k] * x[i * d + k];
    const float by = 1.0f / std::fmax(std::sqrt(s), 1e-12f);
    for (int64_t k = 0; k < d; ++k) a[i * d + k] = x[i * d + k] * by;
    out[i] = 0;
  }
  for (int64_t j = 0; j < n; j += 16)
    for (int64_t k = 0; k < d; ++k)
      for (int64_t c = 0; c < 16; ++c) t[j * d + k * 16 + c] = a[(j + c) * d + k];
  for (int64_t i = 0; i < n; i += 4)
    for (int64_t j = i / 16 * 16; j < n; j += 16) {
      lanes c[8];
      tile(&a[i * d], &t[j * d], d, c);
      for (int r = 0; r < 4; ++r)
        for (int q = 0; q < 16; ++q) {
          const int64_t at = j + q, me = i + r;
          if (at < me || !(c[2 * r + q / 8][q % 8] > 0.5f)) continue;
          ++out[me];
          if (at != me) ++out[at];
        }
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
