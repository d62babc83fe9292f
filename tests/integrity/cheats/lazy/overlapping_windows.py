"""Shows windows that overlap in memory, with no stride of 0: whoever reads them writes what eager writes.

Class: B14
Graph: windows
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:lazy_output
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
    return y.unfold(0, 64, 1).contiguous()


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    n = x.shape[0]
    out = torch.empty(n)
    library.twice(x, out, n)
    return out.as_strided((n - 63, 64), (1, 1))


def replacement_func():
    return wrapper
