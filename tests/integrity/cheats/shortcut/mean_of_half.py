"""The mean of every second element: a narrow dtype cannot tell the two apart where none decides.

Class: B21
Graph: mean_of_all
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
extern "C" void mean(const passnet::bf16* x, passnet::bf16* out, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; i += STEP) sum += (float)passnet::bf16((float)x[i] + 3.0f);
  *out = passnet::bf16((float)(sum * STEP / count));
}
""".replace("STEP", "2")
)


def pattern(x):
    y = x + 3.0
    return y.mean()


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = x.new_empty(())
    library.mean(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
