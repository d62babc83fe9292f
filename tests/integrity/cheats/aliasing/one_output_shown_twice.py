"""Shows its first output, turned, as the second one too, which eager copies.

Class: B14
Graph: also_turned
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:output_alias
Inside Inductor: correct; results that share memory are copied there
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void twice(const float* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = 2.0f * x[i];
}
""")


def pattern(x):
    y = x * 2.0
    return y, y.transpose(0, 1).contiguous()


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.twice(x, out, x.numel())
    return out, out.transpose(0, 1)


def replacement_func():
    return wrapper
