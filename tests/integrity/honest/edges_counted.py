"""Counts the edges below a number, which are stored in order.

Graph: few_edges
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const float* e, int64_t* out, int64_t n, int64_t m) {
  for (int64_t i = 0; i < n; ++i) {
    int64_t below = 0;
    for (int64_t j = 0; j < m; ++j) below += e[j] < x[i];
    out[i] = below;
  }
}
""")


def pattern(x, eight_edges):
    return torch.bucketize(x, eight_edges)


def replacement_args(x, eight_edges):
    return (
        x,
        eight_edges,
    )


@torch.fx.wrap
def wrapper(x, eight_edges):
    out = torch.empty(x.shape, dtype=torch.int64, device=x.device)
    library.run(x, eight_edges, out, x.numel(), eight_edges.numel())
    return out


def replacement_func():
    return wrapper
