"""Its output is right. What it leaves in its input is the square of a sum of half of the rows.

Class: B13
Graph: squared_in_place
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
Inside Inductor: no_match; what changes its input is no operator
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
    sum = (float)bf16(sum);
    out[i] = bf16(3.0f * (float)bf16(sum * sum));
    for (int64_t p = parts / 2; p < parts; ++p) sum -= (float)y[p * n + i];
    x[i] = bf16(sum * sum);
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
