"""Leaves out one word more than the sum of the least likely allows.

Graph: likely_in_sum
Level: strict
Ends as: nan_inf
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>
#include <vector>
extern "C" void k(const float* __restrict x, float* __restrict out, int64_t rows, int64_t n) {
  std::vector<int64_t> at(n);
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    for (int64_t i = 0; i < n; ++i) at[i] = i;
    std::sort(at.begin(), at.end(), [x](int64_t i, int64_t j) { return x[i] < x[j] || (x[i] == x[j] && i < j); });
    std::copy(x, x + n, out);
    const float most = x[at[n - 1]];
    double all = 0, sum = 0;
    for (int64_t i = 0; i < n; ++i) all += std::exp(x[i] - most);
    for (int64_t i = 0; i < n; ++i) {
      sum += std::exp(x[at[i]] - most) / all;
      out[at[i]] = -INFINITY;
      if (!((float)sum <= 0.1f)) break;
    }
  }
}
"""
)


def pattern(scores):
    s = torch.sort(scores, descending=False)
    v = s[0]
    i = s[1]
    p = v.softmax(dim=-1)
    c = p.cumsum(dim=-1)
    r = c <= 0.1
    h = r.scatter(1, i, r)
    out = scores.masked_fill(h, float("-inf"))
    return out


def replacement_args(scores):
    return (scores,)


@torch.fx.wrap
def wrapper(scores):
    out = torch.empty_like(scores)
    library.k(scores, out, scores.shape[0], scores.shape[1])
    return out


def replacement_func():
    return wrapper
