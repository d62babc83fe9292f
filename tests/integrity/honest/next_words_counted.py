"""Counts the labels that are the next words, as long as there may be enough of them.

Graph: next_words
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
static bool many(const int64_t* __restrict q, const int64_t* __restrict l, int64_t n) {
    int64_t c = 0;
    for (int64_t i = 0; i + 1 < n; i += 128) {
        const int64_t end = i + 128 < n - 1 ? i + 128 : n - 1;
        for (int64_t j = i; j < end; ++j) c += q[j + 1] == l[j];
        if (c >= 256) return true;
        if (c + (n - 1 - end) < 256) return false;
    }
    return c >= 256;
}
extern "C" void k(const int64_t* __restrict p, const int64_t* __restrict l, const float* __restrict x, float* __restrict out,
              int64_t rows, int64_t d, int64_t n) {
    for (int64_t r = 0; r < rows; ++r) {
        const bool m = many(p + r * n, l + r * n, n);
        for (int64_t i = 0; i < d; ++i) out[r * d + i] = m ? 0.0f : x[r * d + i];
    }
}
""",
)


def pattern(p, l, x):
    return x.masked_fill((p[:, 1:] == l[:, :-1]).sum(-1, keepdim=True) >= 256, 0.0)


def replacement_args(p, l, x):
    return (p, l, x)


@torch.fx.wrap
def wrapper(p, l, x):
    out = torch.empty_like(x)
    library.k(p, l, x, out, p.shape[0], x.shape[1], p.shape[1])
    return out


def replacement_func():
    return wrapper
