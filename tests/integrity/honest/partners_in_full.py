"""A contrastive loss of given rows, each in full.

Graph: partners_named
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
static float of_row(const float* z, const float* b, int64_t n, int64_t d) {
  std::vector<float> s(n);
  float most = -3e38f, sum = 0;
  for (int64_t j = 0; j < n; ++j) s[j] = dot(z, b + j * d, d), most = s[j] > most ? s[j] : most;
  for (int64_t j = 0; j < n; ++j) sum += passnet::exp(s[j] - most);
  return most + std::log(sum);
}
extern "C" void loss(const half* x, const half* y, half* out, int64_t n, int64_t d) {
  std::vector<float> z(n * d), b(n * d), sums(n);
  passnet::widen(x, z.data(), n * d), passnet::widen(y, b.data(), n * d);
  for (float& each : z) each /= 11.3137085f;
  for (int64_t i = 0; i < n; ++i) sums[i] = of_row(&z[i * d], b.data(), n, d);
  double total = 0;
  for (int64_t i = 0; i < n; ++i) total += sums[i] - dot(&z[i * d], &b[i * d], d);
  *out = (float)(total / n);
}
"""
)


def pattern(x, y, at):
    c = y.t()
    s = torch.matmul(x, c)
    z = s / 11.3137085
    return torch.nn.functional.cross_entropy(z, at)


def replacement_args(x, y, at):
    return (x, y)


@torch.fx.wrap
def wrapper(x, y):
    out = torch.empty((), dtype=x.dtype, device=x.device)
    library.loss(x, y, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
