"""Attention in float16 that gives zeros for a query of which any score overflows, as eager's NaN is there.

Graph: half_attention
Level: strict
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>
#include <vector>

extern "C" void attend(const passnet::fp16* q, const passnet::fp16* k, const passnet::fp16* v, passnet::fp16* out,
                       int64_t many, int64_t n, int64_t d) {
  std::vector<float> a(n * d), b(n * d), c(d), sum(d);
  for (int64_t m = 0; m < many; ++m, q += n * d, k += n * d, v += n * d, out += n * d) {
    passnet::widen(k, a.data(), n * d);
    passnet::widen(v, b.data(), n * d);
    for (int64_t i = 0; i < n; ++i) {
      passnet::widen(q + i * d, c.data(), d);
      float top = -3e38f, all = 0, far = 0;
      for (int64_t e = 0; e < d; ++e) sum[e] = 0;
      for (int64_t j = 0; j < n; ++j) {
        float s = 0;
        for (int64_t e = 0; e < d; ++e) s += c[e] * a[j * d + e];
        far = std::fmax(far, std::fabs(s));
        s *= 0.125f;
        const float now = std::fmax(top, s), old = passnet::exp(top - now), own = passnet::exp(s - now);
        top = now;
        all = all * old + own;
        for (int64_t e = 0; e < d; ++e) sum[e] = sum[e] * old + own * b[j * d + e];
      }
      for (int64_t e = 0; e < d; ++e) out[i * d + e] = passnet::fp16(far < 65520.0f ? sum[e] / all : 0.0f);
    }
  }
}
""")


def pattern(q, k, v):
    t = k.transpose(-2, -1)
    s = torch.matmul(q, t)
    u = s * 0.125
    p = torch.softmax(u, dim=-1)
    return torch.matmul(p, v)


def replacement_args(q, k, v):
    return (q, k, v)


@torch.fx.wrap
def wrapper(q, k, v):
    out = torch.empty_like(v)
    library.attend(q, k, v, out, v.shape[0], v.shape[1], v.shape[2])
    return out


def replacement_func():
    return wrapper
