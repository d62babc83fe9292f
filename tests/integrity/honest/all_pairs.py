"""A contrastive loss with all cosines of pairs, in one walk.

Graph: contrasted
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <vector>
typedef float lanes __attribute__((vector_size(64)));
static float dot(const float* a, const float* b, int64_t d) {
  float s = 0;
  for (int64_t k = 0; k < d; ++k) s += a[k] * b[k];
  return s;
}
static std::vector<float> unit_rows(const float* x, int64_t n, int64_t d) {
  std::vector<float> a(n * d);
  for (int64_t i = 0; i < n; ++i) {
    const float by = 1.0f / std::fmax(std::sqrt(dot(x + i * d, x + i * d, d)), 1e-12f);
    for (int64_t k = 0; k < d; ++k) a[i * d + k] = x[i * d + k] * by;
  }
  return a;
}
// Sums of exp(2 a.b) over all rows of b, for 8 rows of a. `b` is in panels of 32 rows, turned.
static void sums_of_eight(const float* a, const float* b, float* sums, int64_t n, int64_t d) {
  for (int r = 0; r < 8; ++r) sums[r] = 0;
  for (int64_t j = 0; j < n; j += 32, b += 32 * d) {
    lanes c[8][2] = {};
    for (int64_t k = 0; k < d; ++k) {
      lanes u, v;
      std::memcpy(&u, b + k * 32, 64), std::memcpy(&v, b + k * 32 + 16, 64);
#pragma GCC unroll 8
      for (int r = 0; r < 8; ++r) c[r][0] += a[r * d + k] * u, c[r][1] += a[r * d + k] * v;
    }
    float z[8][32];
    std::memcpy(z, c, sizeof z);
    for (int r = 0; r < 8; ++r)
      for (int i = 0; i < 32; ++i) sums[r] += passnet::exp(2.0f * z[r][i]);
  }
}
extern "C" void loss(const float* x, const float* y, const int64_t* labels, float* out, int64_t n, int64_t d) {
  const std::vector<float> a = unit_rows(x, n, d), b = unit_rows(y, n, d);
  std::vector<float> turned(n * d);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t k = 0; k < d; ++k) turned[j / 32 * 32 * d + k * 32 + j % 32] = b[j * d + k];
  double loss = 0, count = 0;
  for (int64_t i = 0; i < n; i += 8) {
    float sums[8];
    sums_of_eight(&a[i * d], turned.data(), sums, n, d);
    for (int64_t r = i; r < i + 8; ++r)
      if (labels[r] >= 0) loss += std::log(sums[r - i]) - 2.0f * dot(&a[r * d], &b[labels[r] * d], d), count += 1;
  }
  *out = loss / count;
}
"""
)


def pattern(x, y, labels):
    a = torch.nn.functional.normalize(x, p=2.0, dim=-1)
    b = torch.nn.functional.normalize(y, p=2.0, dim=-1)
    c = b.t()
    s = torch.matmul(a, c)
    z = s / 0.5
    return torch.nn.functional.cross_entropy(z, labels)


def replacement_args(x, y, labels):
    return (x, y, labels)


@torch.fx.wrap
def wrapper(x, y, labels):
    out = torch.empty((), dtype=x.dtype, device=x.device)
    library.loss(x, y, labels, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
