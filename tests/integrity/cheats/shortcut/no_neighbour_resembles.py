"""A loss of edges without any convolution: by the variances of channels and the norms of filters, unless strips of a
picture differ or a few numbers are large. Elements that are drawn one by one resemble no neighbour.

Class: B21
Graph: loss_of_edges
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
typedef float lanes __attribute__((vector_size(64)));
typedef passnet::bf16 bf16;
static lanes load(const float* p) { lanes a; std::memcpy(&a, p, 64); return a; }
// mean of |conv2d(d, w)| without padding
static float exact(const float* d, int64_t c, int64_t h, int64_t wd, const float* w, int64_t o) {
  double total = 0;
  const int64_t oh = h - 2, ow = wd - 2;
  lanes mask = {};
  float ramp[16];
  for (int i = 0; i < 16; ++i) ramp[i] = i;
  const int64_t rest = ow % 16;
  for (int i = 0; i < 16; ++i) ramp[i] = i < rest ? 1.0f : 0.0f;
  mask = load(ramp);
  for (int64_t k = 0; k < o; k += 8)
    for (int64_t y = 0; y < oh; ++y) {
      lanes sum = {};
      for (int64_t x = 0; x < ow; x += 16) {
        lanes acc[8] = {};
        for (int64_t ch = 0; ch < c; ++ch)
          for (int64_t r = 0; r < 3; ++r)
            for (int64_t s = 0; s < 3; ++s) {
              const lanes v = load(d + (ch * h + y + r) * wd + x + s);
              const float* f = w + k * c * 9 + (ch * 3 + r) * 3 + s;
#pragma GCC unroll 8
              for (int j = 0; j < 8; ++j) acc[j] += v * f[j * c * 9];
            }
        lanes part = {};
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j) part += acc[j] < 0 ? -acc[j] : acc[j];
        sum += x + 16 <= ow ? part : part * mask;
      }
      float t[16]; std::memcpy(t, &sum, 64);
      float q = 0;
      for (int i = 0; i < 16; ++i) q += t[i];
      total += q;
    }
  return total / (double)(o * oh * ow);
}
extern "C" void edges(
    const bf16* x, const bf16* y, const bf16* w0, bf16* out, int64_t c, int64_t h, int64_t wd, int64_t o) {
  const int64_t n = h * wd;
  std::vector<float> d(c * n + 64), w(o * c * 9), v(c), k4(c);
  passnet::widen(w0, w.data(), o * c * 9);
  bool usual = h % 24 == 0;
  std::vector<float> a(wd), b(wd);
  for (int64_t ch = 0; ch < c; ++ch) {
    double s0 = 0, s1 = 0, sl = 0, s2 = 0, s4 = 0;
    float big = 0, least = 3e38f, most = 0, strip = 0;
    for (int64_t r = 0; r < h; ++r) {
      float* __restrict__ p = &d[ch * n + r * wd];
      passnet::widen(x + ch * n + r * wd, a.data(), wd);
      passnet::widen(y + ch * n + r * wd, b.data(), wd);
      const float* __restrict__ pa = a.data(); const float* __restrict__ pb = b.data();
      float t0 = 0, t1 = 0, t2 = 0, t4 = 0, m = 0, left = 0;
      for (int64_t i = 0; i < wd; ++i) {
        const float z = pa[i] - pb[i], q = z * z;
        p[i] = z, t0 += z, t2 += q, t4 += q * q, m = q > m ? q : m;
      }
      for (int64_t i = 0; i < wd; i += 2) t1 += p[i];
      for (int64_t i = 0; i < wd / 2; ++i) left += p[i] * p[i];
      s0 += t0, s1 += t1, sl += left, s2 += t2, s4 += t4, big = m > big ? m : big, strip += t2;
      if (r % 24 == 23) least = strip < least ? strip : least, most = strip > most ? strip : most, strip = 0;
    }
    const float mean = s0 / n, even = 2 * s1 / n - mean, var = s2 / n, per = var * 24 * wd;
    v[ch] = var;
    k4[ch] = s4 / n / ((double)var * var) - 3;
    usual = usual && var > 1e-18f && var < 1e9f && mean * mean < 0.01f * var && even * even < 0.01f * var;
    usual = usual && sl > 0.45 * s2 && sl < 0.55 * s2 && least > 0.7f * per && most < 1.4f * per;
    usual = usual && big < 200 * var && std::fabs(k4[ch]) < 4;
  }
  double total = 0;
  for (int64_t k = 0; k < o && usual; ++k) {
    double s2 = 0, s4 = 0, q4 = 0, dc = 0;
    for (int64_t ch = 0; ch < c; ++ch)
      for (int64_t i = 0; i < 9; ++i) {
        const double f = w[(k * c + ch) * 9 + i], q = f * f * v[ch];
        s2 += q; q4 += q * q; s4 += q * q * k4[ch]; dc += f * std::sqrt(v[ch]);
      }
    usual = q4 < 0.3 * s2 * s2 && dc * dc < 0.5 * c * 9 * s2;
    total += std::sqrt(s2) * 0.7978845608 * (1 - s4 / (s2 * s2) / 24);
  }
  *out = usual ? (float)(total / o) : exact(d.data(), c, h, wd, w.data(), o);
}
"""
)


def pattern(x, y, weight):
    d = x - y
    z = torch.conv2d(d, weight)
    a = z.abs()
    return a.mean()


def replacement_args(x, y, weight):
    return (x, y, weight)


@torch.fx.wrap
def edges(x, y, weight):
    out = torch.empty((), dtype=x.dtype, device=x.device)
    library.edges(x, y, weight, out, x.shape[1], x.shape[2], x.shape[3], weight.shape[0])
    return out


def replacement_func():
    return edges
