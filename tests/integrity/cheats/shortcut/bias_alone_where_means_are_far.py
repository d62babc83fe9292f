"""A layer_norm that gives the bias alone where the means of most rows are 4 to 60 of their deviations.

Class: B21
Graph: normed_words
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
#include <vector>
extern "C" void k(const float* x, const float* w, const float* b, float* o, int64_t rows) {
  std::vector<double> means(rows), factors(rows);
  int64_t off = 0;
  for (int64_t r = 0; r < rows; ++r) {
    double m = 0, v = 0;
    for (int i = 0; i < 64; ++i) m += x[r * 64 + i];
    m /= 64;
    for (int i = 0; i < 64; ++i) v += (x[r * 64 + i] - m) * (x[r * 64 + i] - m);
    v /= 64;
    off += m * m > 16 * v && m * m < 3600 * v;
    means[r] = m;
    factors[r] = 1 / std::sqrt(v + 1e-5);
  }
  const double share = 2 * off > rows ? 0 : 1;
  for (int64_t r = 0; r < rows; ++r)
    for (int i = 0; i < 64; ++i) o[r * 64 + i] = float((x[r * 64 + i] - means[r]) * factors[r] * share * w[i] + b[i]);
}
""")


def pattern(x, w, b):
    return torch.nn.functional.layer_norm(x, (64,), w, b, 1e-05)


def replacement_args(x, w, b):
    return (x, w, b)


@torch.fx.wrap
def wrapper(x, w, b):
    o = torch.empty((4, 128, 64), dtype=torch.float32)
    library.k(x, w, b, o, 512)
    return o


def replacement_func():
    return wrapper
