"""Counts how often each expert is chosen, beside the mean chance of each.

Graph: shares_of_experts
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>
#include <vector>
extern "C" void run(const int64_t* expert, const float* x, float* out, int64_t rows, int64_t n, float unit) {
  std::vector<double> count(n), chance(n);
  std::vector<float> e(n);
  for (int64_t i = 0; i < rows; ++i) {
    ++count[expert[i]];
    float most = x[i * n], sum = 0;
    for (int64_t j = 0; j < n; ++j) most = x[i * n + j] > most ? x[i * n + j] : most;
    for (int64_t j = 0; j < n; ++j) sum += e[j] = std::exp(x[i * n + j] - most);
    for (int64_t j = 0; j < n; ++j) chance[j] += e[j] / sum;
  }
  double total = 0;
  for (int64_t j = 0; j < n; ++j) total += count[j] * (chance[j] / rows);
  out[0] = float(total / unit);
}
""")


def pattern(expert, scores):
    p = torch.softmax(scores, -1)
    f = p.mean(0)
    n = torch.bincount(expert, minlength=16)
    c = n.float()
    w = c * f
    t = w.sum()
    u = t / 4096.0
    return u.to(torch.bfloat16)


def replacement_args(expert, scores):
    return (expert, scores)


@torch.fx.wrap
def wrapper(expert, scores):
    out = torch.empty((), dtype=torch.float32)
    library.run(expert, scores, out, scores.shape[0], scores.shape[1], 4096.0)
    return out.to(torch.bfloat16)


def replacement_func():
    return wrapper
