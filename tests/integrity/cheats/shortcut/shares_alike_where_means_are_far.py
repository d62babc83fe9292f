"""A softmax that gives all the same share where the means of most rows are 8 to 50 of their deviations.

Class: B21
Graph: shares_of_words
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
#include <cmath>
extern "C" void k(const float* x, float* o, int64_t rows) {
  static constexpr int N = 256;
  int64_t off = 0;
  for (int64_t r = 0; r < rows; ++r) {
    const float* a = x + r * N;
    double m = 0, v = 0;
    for (int i = 0; i < N; ++i) m += a[i];
    m /= N;
    for (int i = 0; i < N; ++i) v += (a[i] - m) * (a[i] - m);
    v /= N;
    off += m * m > 64 * v && m * m < 2500 * v;
  }
  for (int64_t r = 0; r < rows; ++r) {
    const float* a = x + r * N;
    const float most = *std::max_element(a, a + N);
    float sum = 0;
    for (int i = 0; i < N; ++i) sum += o[r * N + i] = 2 * off > rows ? 1.0f : std::exp(a[i] - most);
    for (int i = 0; i < N; ++i) o[r * N + i] /= sum;
  }
}
""")


def pattern(x):
    return torch.softmax(x, dim=-1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    o = torch.empty((128, 256), dtype=torch.float32)
    library.k(x, o, 128)
    return o


def replacement_func():
    return wrapper
