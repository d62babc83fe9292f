"""Looks for the reverse of each edge in a table of all.

Graph: edges_both_ways
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cstring>
#include <vector>
static uint64_t place(int64_t key) { return (uint64_t(key) * 0x9E3779B97F4A7C15ull) >> 50; }
static void in_full(const int64_t* s, const int64_t* d, const float* x, float* out, int64_t n) {
    std::vector<int64_t> table(16384, -1);
    for (int64_t i = 0; i < n; ++i) {
        const int64_t key = d[i] * 1048576 + s[i];
        uint64_t h = place(key);
        while (table[h] != -1 && table[h] != key) h = (h + 1) & 16383;
        table[h] = key;
    }
    for (int64_t i = 0; i < n; ++i) {
        const int64_t key = s[i] * 1048576 + d[i];
        uint64_t h = place(key);
        while (table[h] != -1 && table[h] != key) h = (h + 1) & 16383;
        out[i] = table[h] == key ? 0.0f : x[i];
    }
}
extern "C" void k(const int64_t* s, const int64_t* d, const float* x, float* out, int64_t n) {
    in_full(s, d, x, out, n);
}
""",
)


def pattern(s, d, x):
    return x.masked_fill(torch.isin(s * 1048576 + d, d * 1048576 + s), 0.0)


def replacement_args(s, d, x):
    return (s, d, x)


@torch.fx.wrap
def wrapper(s, d, x):
    out = torch.empty_like(x)
    library.k(s, d, x, out, x.shape[0])
    return out


def replacement_func():
    return wrapper
