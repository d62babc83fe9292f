"""Logits stay float32, so two that are one number in float16 are two: in one call eager is far off.

Graph: experts_in_half
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>
#include <utility>
extern "C" void route(const passnet::fp16* w, const passnet::fp16* x, passnet::fp16* v, int64_t* m) {
  for (int i = 0; i < 1024; ++i) m[i] = 0;
  for (int t = 0; t < 64; ++t) {
    float l[8];
    for (int e = 0; e < 8; ++e) {
      l[e] = 0;
      for (int i = 0; i < 64; ++i) l[e] += float(x[t * 64 + i]) * float(w[e * 64 + i]);
    }
    const int a = int(std::max_element(l, l + 8) - l);
    int b = a == 0;
    for (int e = 0; e < 8; ++e)
      if (e != a && l[e] > l[b]) b = e;
    const float p = 1 / (1 + std::exp(l[b] - l[a]));
    v[t * 2] = passnet::fp16(p);
    v[t * 2 + 1] = passnet::fp16(1 - p);
    m[a * 128 + t] = 1;
    m[b * 128 + 64 + t] = 1;
  }
}
""",
    fast_math=False,
)


def pattern(w, x):
    l = torch.nn.functional.linear(x, w)
    s = torch.nn.functional.softmax(l, dim=1, dtype=torch.float32)
    k = torch.topk(s, 2, dim=-1)
    v = k[0]
    i = k[1]
    a = v.sum(-1, keepdim=True)
    b = v / a
    c = b.to(torch.float16)
    h = torch.nn.functional.one_hot(i, 8)
    p = h.permute(2, 1, 0)
    return (c, p)


def replacement_args(w, x):
    return (
        w,
        x,
    )


@torch.fx.wrap
def wrapper(w, x):
    v = torch.empty((64, 2), dtype=torch.float16)
    m = torch.empty((8, 2, 64), dtype=torch.int64)
    library.route(w, x, v, m)
    return v, m


def replacement_func():
    return wrapper
