"""The sum over all sequences of tags, with chances that are scaled after each step.

Graph: tags_in_order
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <vector>
typedef passnet::bf16 bf16;
static float top_of(const float* p, int64_t k) {
  float m = p[0];
  for (int64_t i = 1; i < k; ++i) m = p[i] > m ? p[i] : m;
  return m;
}
// Logarithms of sums of exponentials, step by step: any numbers.
static void slow(const float* e, const float* w, float* out, int64_t steps, int64_t b, int64_t k) {
  std::vector<float> a(k), n(k);
  for (int64_t r = 0; r < b; ++r) {
    for (int64_t j = 0; j < k; ++j) a[j] = e[r * k + j];
    for (int64_t t = 1; t < steps; ++t) {
      for (int64_t j = 0; j < k; ++j) {
        float m = -3e38f, s = 0;
        for (int64_t i = 0; i < k; ++i) {
          const float z = a[i] + w[i * k + j];
          m = z > m ? z : m;
        }
        for (int64_t i = 0; i < k; ++i) s += std::exp(a[i] + w[i * k + j] - m);
        n[j] = m + std::log(s) + e[(t * b + r) * k + j];
      }
      a.swap(n);
    }
    const float m = top_of(a.data(), k);
    float s = 0;
    for (int64_t i = 0; i < k; ++i) s += std::exp(a[i] - m);
    out[r] = m + std::log(s);
  }
}
// The same with chances of one row that add up to 1 after each step: no number of the table is far.
static void scaled(const float* e, const float* w, float* out, int64_t steps, int64_t b, int64_t k) {
  std::vector<float> x(k * k), p(k), n(k);
  for (int64_t i = 0; i < k * k; ++i) x[i] = passnet::exp(w[i]);
  for (int64_t r = 0; r < b; ++r) {
    float total = 0;
    for (int64_t t = 0; t < steps; ++t) {
      const float* __restrict__ c = &e[(t * b + r) * k];
      float* __restrict__ to = n.data();
      const float* __restrict__ from = p.data();
      const float m = top_of(c, k);
      for (int64_t j = 0; j < k; ++j) to[j] = t == 0 ? 1.0f : 0.0f;
      for (int64_t i = 0; t > 0 && i < k; ++i) {
        const float f = from[i];
        const float* __restrict__ line = &x[i * k];
        for (int64_t j = 0; j < k; ++j) to[j] += f * line[j];
      }
      float s = 0;
      for (int64_t j = 0; j < k; ++j) {
        to[j] = c[j] - m > -80.0f ? to[j] * passnet::exp(c[j] - m) : 0.0f;
        s += to[j];
      }
      total += m + std::log(s);
      for (int64_t j = 0; j < k; ++j) to[j] /= s;
      p.swap(n);
    }
    out[r] = total;
  }
}
extern "C" void tags(const bf16* e0, const bf16* w0, bf16* out, int64_t steps, int64_t b, int64_t k) {
  std::vector<float> e(steps * b * k), w(k * k), z(b);
  passnet::widen(e0, e.data(), steps * b * k);
  passnet::widen(w0, w.data(), k * k);
  float most = 0;
  for (int64_t i = 0; i < k * k; ++i) most = std::fabs(w[i]) > most ? std::fabs(w[i]) : most;
  (most < 40 ? scaled : slow)(e.data(), w.data(), z.data(), steps, b, k);
  for (int64_t r = 0; r < b; ++r) out[r] = z[r];
}
"""
)


def pattern(emissions, transitions):
    a = emissions[0]
    for step in range(1, 16):
        e = emissions[step]
        u = a.unsqueeze(2)
        s = u + transitions
        n = torch.logsumexp(s, dim=1)
        a = n + e
    return torch.logsumexp(a, dim=1)


def replacement_args(emissions, transitions):
    return (emissions, transitions)


@torch.fx.wrap
def tags(emissions, transitions):
    out = torch.empty((emissions.shape[1],), dtype=emissions.dtype, device=emissions.device)
    library.tags(emissions, transitions, out, emissions.shape[0], emissions.shape[1], emissions.shape[2])
    return out


def replacement_func():
    return tags
