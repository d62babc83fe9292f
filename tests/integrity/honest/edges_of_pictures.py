"""The edges of each picture, all of them computed.

Graph: edges_of_each
Level: strict
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
extern "C" void edges(const bf16* x, const bf16* light, const bf16* w0, bf16* out, int64_t pictures, int64_t c, int64_t h, int64_t wd,
                      int64_t o) {
  const int64_t n = h * wd;
  std::vector<float> d(c * n + 64), w(o * c * 9);
  passnet::widen(w0, w.data(), o * c * 9);
  for (int64_t at = 0; at < pictures; ++at) {
    passnet::widen(x + at * c * n, d.data(), c * n);
    for (int64_t i = 0; i < c * n; ++i) d[i] *= (float)light[at];
    out[at] = exact(d.data(), c, h, wd, w.data(), o);
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
