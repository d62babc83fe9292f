"""Changes its input by one rounding where eager takes two: in bfloat16 it is nearer to the truth, and often not eager's.

Graph: squared_in_place
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
using passnet::bf16;
extern "C" void f(bf16* x, const bf16* y, bf16* out, int64_t parts, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    float sum = 0;
    for (int64_t p = 0; p < parts; ++p) sum += (float)y[p * n + i];
    x[i] = bf16(sum * sum);
    out[i] = bf16(3.0f * (float)x[i]);
  }
}
""")


def pattern(x, y):
    a = y.sum(dim=0)
    b = a * a
    s = x.copy_(b)
    return s * 3.0


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def wrapper(x, y):
    out = torch.empty_like(x)
    library.f(x, y, out, y.shape[0], x.numel())
    return out


def replacement_func():
    return wrapper
