"""Reads the nibble of packed words that is asked for.

Graph: packed_words
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const int32_t* q, const float* s, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < n; ++i) out[r * n + i] = ((float)((q[r * n + i] >> 16) & 15) - 8.0f) * s[r];
}
""")


def pattern(q, s):
    hi = q >> 16
    n = hi & 15
    a = n.float()
    b = a - 8.0
    return b * s


def replacement_args(q, s):
    return (q, s)


@torch.fx.wrap
def wrapper(q, s):
    out = torch.empty(q.shape, dtype=torch.float32, device=q.device)
    library.k(q, s, out, q.shape[0], q.shape[1])
    return out


def replacement_func():
    return wrapper
