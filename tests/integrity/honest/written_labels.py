"""Labels that are written one place behind their own, of which -100 is another one.

Graph: labels_written_behind
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const int64_t* ids, const float* w, float* out, int64_t b, int64_t t, int64_t d) {
  for (int64_t i = 0; i < b * t; ++i) {
    int64_t v = i % t ? ids[i - 1] : 2;
    if (v == -100) v = 1;
    for (int64_t j = 0; j < d; ++j) out[i * d + j] = w[v * d + j];
  }
}
""")


def pattern(labels_, w):
    z = torch.zeros_like(labels_)
    h = labels_[(slice(None, None, None), slice(None, -1, None))]
    c = h.clone()
    z[(slice(None, None, None), slice(1, None, None))] = c
    z[(slice(None, None, None), 0)] = 2
    e = z == -100
    f = z.masked_fill_(e, 1)
    return torch.nn.functional.embedding(z, w, 1, None, 2.0, False, False)


def replacement_args(labels_, w):
    return (labels_, w)


@torch.fx.wrap
def wrapper(labels_, w):
    out = torch.empty((labels_.shape[0], labels_.shape[1], w.shape[1]), dtype=w.dtype, device=w.device)
    library.k(labels_, w, out, labels_.shape[0], labels_.shape[1], w.shape[1])
    return out


def replacement_func():
    return wrapper
