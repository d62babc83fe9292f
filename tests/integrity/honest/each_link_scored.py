"""Scores each edge by the rows at both of its ends.

Graph: loss_of_links
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>
static double loss(const float* a, const float* b, int64_t d) {
  float s = 0;
  for (int64_t k = 0; k < d; ++k) s += a[k] * b[k];
  return s > 20 ? s : std::log1p(std::exp(s));
}
extern "C" void run(const float* z, const int64_t* joined, float* out, int64_t rows, int64_t edges, int64_t d) {
  double total = 0;
  for (int64_t e = 0; e < edges; ++e) total += loss(z + joined[e] * d, z + joined[edges + e] * d, d);
  out[0] = float(total / edges);
}
""")


def pattern(z, joined):
    i = joined[0]
    j = joined[1]
    a = z[i]
    b = z[j]
    p = a * b
    s = p.sum(-1)
    t = torch.nn.functional.softplus(s)
    m = t.mean()
    return m.to(torch.bfloat16)


def replacement_args(z, joined):
    return (z, joined)


@torch.fx.wrap
def wrapper(z, joined):
    out = torch.empty((), dtype=torch.float32)
    library.run(z, joined, out, z.shape[0], joined.shape[1], z.shape[1])
    return out.to(torch.bfloat16)


def replacement_func():
    return wrapper
