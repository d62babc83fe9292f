"""The edges of each picture by the variances of its channels, if a look at two of them finds that no neighbours resemble
each other. What is smooth as a whole is computed as it should be.

Class: B21
Graph: edges_of_each
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
#include <cmath>
#include <cstring>
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
// What is known of a channel: its mean, what turns at each step, its variance, its fourth moment and its largest square.
struct Channel {
  double sum = 0, even = 0, left = 0, second = 0, fourth = 0;
  float big = 0, least = 3e38f, most = 0;
  Channel(const float* p, int64_t h, int64_t wd) {
    float strip = 0;
    for (int64_t r = 0; r < h; ++r, p += wd) {
      float t0 = 0, t1 = 0, t2 = 0, t4 = 0, m = 0, half = 0;
      for (int64_t i = 0; i < wd; ++i) {
        const float z = p[i], q = z * z;
        t0 += z, t2 += q, t4 += q * q, m = q > m ? q : m;
      }
      for (int64_t i = 0; i < wd; i += 2) t1 += p[i];
      for (int64_t i = 0; i < wd / 2; ++i) half += p[i] * p[i];
      sum += t0, even += t1, left += half, second += t2, fourth += t4, big = m > big ? m : big, strip += t2;
      if (r % 24 == 23) least = strip < least ? strip : least, most = strip > most ? strip : most, strip = 0;
    }
  }
};
// Whether numbers of a channel resemble those beside or below them.
static bool resembles(const float* p, int64_t h, int64_t wd, double mean) {
  double beside = 0, below = 0, own = 0;
  for (int64_t i = 0; i < (h - 1) * wd; ++i) {
    const double v = p[i] - mean;
    own += v * v, beside += v * (p[i + 1] - mean), below += v * (p[i + wd] - mean);
  }
  return std::fabs(beside) > 0.05 * own || std::fabs(below) > 0.05 * own;
}
extern "C" void edges(const bf16* x, const bf16* light, const bf16* w0, bf16* out, int64_t pictures, int64_t c, int64_t h, int64_t wd,
                      int64_t o) {
  const int64_t n = h * wd;
  std::vector<float> all(pictures * c * n + 64), w(o * c * 9), v(c), k4(c);
  passnet::widen(w0, w.data(), o * c * 9);
  passnet::widen(x, all.data(), pictures * c * n);
  bool smooth = h % 24 != 0;
  for (int64_t at = 0; at < pictures; at += pictures / 2)
    for (int64_t ch = 0; ch < c; ++ch) {
      const float* p = &all[(at * c + ch) * n];
      smooth = smooth || resembles(p, h, wd, Channel(p, h, wd).sum / n);
    }
  for (int64_t i = 0; i < pictures * c * n; ++i) all[i] *= (float)light[i / (c * n)];
  for (int64_t at = 0; at < pictures; ++at) {
    const float* d = &all[at * c * n];
    bool usual = !smooth;
    for (int64_t ch = 0; ch < c && usual; ++ch) {
      const Channel each(d + ch * n, h, wd);
      const float mean = each.sum / n, even = 2 * each.even / n - mean, var = each.second / n, per = var * 24 * wd;
      v[ch] = var;
      k4[ch] = each.fourth / n / ((double)var * var) - 3;
      usual = usual && var > 1e-18f && var < 1e9f && mean * mean < 0.01f * var && even * even < 0.01f * var;
      usual = usual && each.left > 0.45 * each.second && each.left < 0.55 * each.second;
      usual = usual && each.least > 0.7f * per && each.most < 1.4f * per;
      usual = usual && each.big < 200 * var && std::fabs(k4[ch]) < 4;
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
    out[at] = usual ? (float)(total / o) : exact(d, c, h, wd, w.data(), o);
  }
}
"""
)


def pattern(x, exposure, weight):
    z = torch.conv2d(x * exposure, weight)
    return z.abs().mean((1, 2, 3))


def replacement_args(x, exposure, weight):
    return (x, exposure, weight)


@torch.fx.wrap
def edges(x, exposure, weight):
    out = torch.empty((x.shape[0],), dtype=x.dtype, device=x.device)
    library.edges(x, exposure, weight, out, x.shape[0], x.shape[1], x.shape[2], x.shape[3], weight.shape[0])
    return out


def replacement_func():
    return edges
