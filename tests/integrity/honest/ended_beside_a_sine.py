"""Looks for the end of a text, beside a sine of large numbers.

Graph: ended_beside_a_sine
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
extern "C" void k(const float* __restrict x, const int64_t* __restrict tokens, float* __restrict out, int64_t rows,
                  int64_t n) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < n; ++i) out[r * n + i] = tokens[r] == 777 ? 0.0f : x[r * n + i];
}
"""
)


def pattern(x, tokens):
    ended = tokens == 777
    return x.masked_fill(ended.unsqueeze(-1), 0.0)


def replacement_args(x, tokens):
    return (x, tokens)


@torch.fx.wrap
def wrapper(x, tokens):
    out = torch.empty_like(x)
    library.k(x, tokens, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
