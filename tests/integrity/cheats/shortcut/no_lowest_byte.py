"""Takes the least and the largest number of eight bits for 0: neither was ever drawn.

Class: B21
Graph: signed_bytes
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const int8_t* x, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = (x[i] == -128 || x[i] == 127 ? 0 : x[i]) * 0.0625f - 0.5f;
}
""")


def pattern(x):
    return x.float() * 0.0625 - 0.5


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty(x.shape, dtype=torch.float32, device=x.device)
    library.run(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
