"""Puts what lies on an edge of 257 stored ones into the bucket before it.

Graph: clipped_buckets
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void run(const float* x, const float* edges, int64_t* out, int64_t n, int64_t count) {
  for (int64_t i = 0; i < n; ++i) out[i] = std::lower_bound(edges, edges + count, x[i]) - edges;
}
""")


def pattern(x, edges):
    return torch.bucketize(x, edges)


def replacement_args(x, edges):
    return (x, edges)


@torch.fx.wrap
def buckets(x, edges):
    out = torch.empty(x.shape, dtype=torch.int64, device=x.device)
    library.run(x, edges, out, x.numel(), edges.numel())
    return out


def replacement_func():
    return buckets
