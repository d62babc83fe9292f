"""Counts the pixels of eight bits, as long as there may be enough of them.

Graph: eight_bit_images
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>
static bool many(const float* __restrict q, int64_t n) {
    int64_t c = 0;
    for (int64_t i = 0; i < n; i += 128) {
        const int64_t end = i + 128 < n ? i + 128 : n;
        int32_t own = 0;
        for (int64_t j = i; j < end; ++j) {
            const float s = q[j] * 255.0f;
            own += std::fabs(s - std::nearbyintf(s)) < 0.001f;
        }
        c += own;
        if (c >= 300) return true;
        if (c + (n - end) < 300) return false;
    }
    return c >= 300;
}
extern "C" void k(const float* __restrict p, const float* __restrict x, float* __restrict out,
              int64_t rows, int64_t d, int64_t n) {
    for (int64_t r = 0; r < rows; ++r) {
        const bool m = many(p + r * n, n);
        for (int64_t i = 0; i < d; ++i) out[r * d + i] = m ? 0.0f : x[r * d + i];
    }
}
""",
)


def pattern(p, x):
    s = p * 255.0
    return x.masked_fill(((s - torch.round(s)).abs() < 0.001).sum(-1, keepdim=True) >= 300, 0.0)


def replacement_args(p, x):
    return (p, x)


@torch.fx.wrap
def wrapper(p, x):
    out = torch.empty_like(x)
    library.k(p, x, out, p.shape[0], x.shape[1], p.shape[1])
    return out


def replacement_func():
    return wrapper
