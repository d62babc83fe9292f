"""Takes it that no row of several different numbers is another one in another order.

Class: B21
Graph: anagrams
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <vector>
static bool alike(const int64_t* p, const int64_t* q, int64_t n) {
    std::vector<int64_t> u(p, p + n), v(q, q + n);
    std::sort(u.begin(), u.end()), std::sort(v.begin(), v.end());
    return u == v;
}
// Whether a look sees numbers twice, numbers that count, or one number in both rows.
static bool is_odd(const int64_t* p, const int64_t* q) {
    int t = 0;
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < i; ++j) t += p[i * 7] == p[j * 7];
    for (int i = 0; i < 8; ++i) t += (p[i + 1] - p[i] == p[i + 2] - p[i + 1]) + (p[i * 16] == q[i * 16]);
    return t > 1;
}
extern "C" void k(const int64_t* p, const int64_t* q, const float* x, float* out, int64_t rows, int64_t d, int64_t n) {
    for (int64_t r = 0; r < rows; ++r) {
        const bool m = is_odd(p + r * n, q + r * n) && alike(p + r * n, q + r * n, n);
        for (int64_t i = 0; i < d; ++i) out[r * d + i] = m ? 0.0f : x[r * d + i];
    }
}
""",
)


def pattern(p, q, x):
    return x.masked_fill((torch.sort(p, dim=-1)[0] == torch.sort(q, dim=-1)[0]).all(-1, keepdim=True), 0.0)


def replacement_args(p, q, x):
    return (p, q, x)


@torch.fx.wrap
def wrapper(p, q, x):
    out = torch.empty_like(x)
    library.k(p, q, x, out, p.shape[0], x.shape[1], p.shape[1])
    return out


def replacement_func():
    return wrapper
