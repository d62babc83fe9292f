"""Looks for both words of a list that the graph makes.

Graph: listed_words
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const int64_t* tokens, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n)
    for (int64_t i = 0; i < n; ++i) out[i] = tokens[r] == 777 || tokens[r] == 778 ? 0.0f : x[i];
}
""")


def pattern(x, tokens):
    listed = torch.tensor([777, 778])
    marked = torch.isin(tokens, listed)
    return x.masked_fill(marked.unsqueeze(-1), 0.0)


def replacement_args(x, tokens):
    return (
        x,
        tokens,
    )


@torch.fx.wrap
def wrapper(x, tokens):
    out = torch.empty_like(x)
    library.run(x, tokens, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
