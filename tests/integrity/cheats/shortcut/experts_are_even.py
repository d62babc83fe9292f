"""Takes all experts to be chosen equally often, so that shares of tokens say nothing beside those of chances.

Class: B21
Graph: shares_of_experts
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cmath>
extern "C" void run(const float* x, float* out, int64_t rows, int64_t n, float unit) {
  double total = 0;
  for (int64_t i = 0; i < rows; i += 64) {
    float most = x[i * n], sum = 0;
    for (int64_t j = 0; j < n; ++j) most = x[i * n + j] > most ? x[i * n + j] : most;
    for (int64_t j = 0; j < n; ++j) sum += std::exp(x[i * n + j] - most);
    for (int64_t j = 0; j < n; ++j) total += std::exp(x[i * n + j] - most) / sum;
  }
  out[0] = float(total / (rows / 64) * (rows / double(n)) / unit);
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
    library.run(scores, out, scores.shape[0], scores.shape[1], 4096.0)
    return out.to(torch.bfloat16)


def replacement_func():
    return wrapper
