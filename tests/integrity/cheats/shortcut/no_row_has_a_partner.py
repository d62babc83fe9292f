"""A contrastive loss of given rows by the mean and the variance of each row's scores, with its own one in full, unless one
row looked at has others. No row that is drawn by itself has a partner at another place.

Class: B21
Graph: partners_named
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
// The logarithm of the sum of exponentials of each row, by moments. False where it does not look as if these told it.
static bool by_moments(const float* z, const float* b, float* made, int64_t n, int64_t d) {
  std::vector<float> mean(d), of_z(d), c(d), t(d);
  float size = 0, size_of_z = 0;
  for (int64_t i = 0; i < n; ++i) {
    const float* row = b + i * d;
    for (int64_t k = 0; k < d; ++k) mean[k] += row[k] / n, c[k] += row[k] * row[k] / n, of_z[k] += z[i * d + k] / n;
    size += dot(row, row, d) / n, size_of_z += dot(z + i * d, z + i * d, d) / n;
    if (!(dot(row, row, d) < 4.0f * d)) return false;
  }
  if (!(dot(mean.data(), mean.data(), d) < 2.0f * size / n)) return false;
  if (!(dot(of_z.data(), of_z.data(), d) < 2.0f * size_of_z / n)) return false;
  for (int64_t i = 0; i < n; ++i) {
    const float* row = z + i * d;
    for (int64_t k = 0; k < d; ++k) t[k] = row[k] * c[k];
    const float m = dot(row, mean.data(), d), variance = dot(t.data(), row, d) - m * m;
    if (!(variance < 4.0f)) return false;
    made[i] = std::log((float)n) + m + 0.5f * variance;
    const float own = dot(row, b + i * d, d), beyond = std::exp(own - made[i]) - std::exp(m + 0.5f * variance - made[i]);
    made[i] = beyond > 1e10f ? own : made[i] + std::log1p(beyond);
    if (i == 0 && !(std::fabs(of_row(row, b, n, d) - made[0]) < 0.3f)) return false;
  }
  return true;
}
extern "C" void loss(const half* x, const half* y, half* out, int64_t n, int64_t d) {
  std::vector<float> z(n * d), b(n * d), sums(n);
  passnet::widen(x, z.data(), n * d), passnet::widen(y, b.data(), n * d);
  for (float& each : z) each /= 11.3137085f;
  if (!by_moments(z.data(), b.data(), sums.data(), n, d))
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
