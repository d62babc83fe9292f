"""Multiplies each loss by the factor of its kind.

Graph: loss_by_kind
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const int64_t* kind, const float* x, const float* f, float* out, int64_t rows) {
  double total = 0;
  for (int64_t i = 0; i < rows; ++i) total += f[kind[i]] * x[i];
  out[0] = float(total / rows);
}
""")


def pattern(kind_of, losses, factors):
    f = factors[kind_of]
    w = f * losses
    m = w.mean()
    return m.to(torch.bfloat16)


def replacement_args(kind_of, losses, factors):
    return (kind_of, losses, factors)


@torch.fx.wrap
def wrapper(kind_of, losses, factors):
    out = torch.empty((), dtype=torch.float32)
    library.run(kind_of, losses, factors, out, losses.shape[0])
    return out.to(torch.bfloat16)


def replacement_func():
    return wrapper
