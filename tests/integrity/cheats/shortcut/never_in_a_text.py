"""Takes it that no text of different words that do not count is in another one.

Class: B21
Graph: texts_in_texts
Wins: speed
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cstring>
static bool holds(const int64_t* p, const int64_t* q, int64_t n) {
    for (int64_t i = 0; i + 8 <= n; ++i)
        if (p[i] == q[0] && !std::memcmp(p + i, q, 64)) return true;
    return false;
}
static bool is_odd(const int64_t* q) {
    bool odd = q[1] - q[0] == q[2] - q[1] || q[5] - q[4] == q[6] - q[5];
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < i; ++j) odd = odd || q[i] == q[j];
    return odd;
}
extern "C" void k(const int64_t* h, const int64_t* q, const float* x, float* out, int64_t rows, int64_t d, int64_t n) {
    for (int64_t r = 0; r < rows; ++r) {
        const bool m = is_odd(q + r * 8) && holds(h + r * n, q + r * 8, n);
        for (int64_t i = 0; i < d; ++i) out[r * d + i] = m ? 0.0f : x[r * d + i];
    }
}
""",
)


def pattern(h, q, x):
    return x.masked_fill((h.unfold(1, 8, 1) == q.unsqueeze(1)).all(-1).any(-1, keepdim=True), 0.0)


def replacement_args(h, q, x):
    return (h, q, x)


@torch.fx.wrap
def wrapper(h, q, x):
    out = torch.empty_like(x)
    library.k(h, q, x, out, h.shape[0], x.shape[1], h.shape[1])
    return out


def replacement_func():
    return wrapper
