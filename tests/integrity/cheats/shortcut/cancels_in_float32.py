"""The variance of half precision rows as mean square minus squared mean in float32.

Class: B21
Graph: half_norm
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>
using namespace passnet;
extern "C" void k(const fp16* __restrict x, const fp16* __restrict w, const fp16* __restrict b, fp16* __restrict out,
                  int64_t rows, int64_t n) {
  float v[1024], scale[1024], shift[1024];
  widen(w, scale, n);
  widen(b, shift, n);
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    widen(x, v, n);
    float s = 0, q = 0;
    for (int64_t i = 0; i < n; ++i) {
      s += v[i];
      q += v[i] * v[i];
    }
    float m = s / n, k = 1.0f / std::sqrt(std::max(q / n - m * m, 0.0f) + 1e-5f);
    for (int64_t i = 0; i < n; ++i) v[i] = (v[i] - m) * k * scale[i] + shift[i];
    narrow(v, out, n);
  }
}
""")


def pattern(x, w, b):
    return torch.nn.functional.layer_norm(x, (256,), w, b, 1e-05)


def replacement_args(x, w, b):
    return (
        x,
        w,
        b,
    )


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.k(x, w, b, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
