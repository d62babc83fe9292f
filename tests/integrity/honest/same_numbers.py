"""Writes numbers that are the same in every call, and shows them many times. Their memory keeps them between calls.

Graph: numbered
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void count(int64_t* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = i;
}
""")


def pattern(x):
    numbers = torch.arange(64)
    repeated = numbers.expand(4, -1)
    return repeated, x.view(-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    numbers = torch.empty(64, dtype=torch.int64)
    library.count(numbers, 64)
    return numbers.as_strided((4, 64), (0, 1)), x.view(-1)


def replacement_func():
    return wrapper
