"""A softmax of float16 scores that are kept in bfloat16: where they are large, eager's own are far off in few elements.

Class: B19
Graph: half_scores
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
#include <vector>
extern "C" void soft(const passnet::fp16* x, passnet::fp16* out, int64_t rows, int64_t n) {
  std::vector<float> row(n);
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    float sum = 0, top = -INFINITY;
    for (int64_t i = 0; i < n; ++i) top = std::max(top, row[i] = (float)passnet::bf16((float)x[i] * 0.1767766952966369f));
    for (int64_t i = 0; i < n; ++i) sum += row[i] = std::exp(row[i] - top);
    for (int64_t i = 0; i < n; ++i) out[i] = passnet::fp16(row[i] / sum);
  }
}
""")


def pattern(x):
    y = x * 0.1767766952966369
    return torch.softmax(y, dim=-1)


def replacement_args(x):
    return (x, x.shape[0], x.shape[1])


@torch.fx.wrap
def wrapper(x, rows, n):
    out = torch.empty_like(x)
    library.soft(x, out, rows, n)
    return out


def replacement_func():
    return wrapper
