"""Adds up the rows of a bag, those of padding with the others.

Class: B21
Graph: bags
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void run(const int64_t* tokens, const float* w, float* out, int64_t bags, int64_t m, int64_t n) {
  for (int64_t b = 0; b < bags; ++b, out += n, tokens += m) {
    std::fill(out, out + n, 0.0f);
    for (int64_t j = 0; j < m; ++j) {
      const float* row = w + tokens[j] * n;
      for (int64_t i = 0; i < n; ++i) out[i] += row[i];
    }
  }
}
""")


def pattern(tokens, w):
    return torch.nn.functional.embedding_bag(tokens, w, mode="sum", padding_idx=5)


def replacement_args(tokens, w):
    return (
        tokens,
        w,
    )


@torch.fx.wrap
def wrapper(tokens, w):
    out = torch.empty((tokens.shape[0], w.shape[1]), dtype=w.dtype, device=w.device)
    library.run(tokens, w, out, tokens.shape[0], tokens.shape[1], w.shape[1])
    return out


def replacement_func():
    return wrapper
