"""The variance of looked up rows as mean square minus squared mean: a table of weights was never hard.

Class: B21
Graph: embedded_norm
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void norm(const int64_t* words, const float* table, float* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, out += width) {
    const float* x = table + words[r] * width;
    float mean = 0, squares = 0;
    for (int64_t i = 0; i < width; ++i) mean += x[i], squares += x[i] * x[i];
    mean /= width;
    const float scale = 1.0f / std::sqrt(squares / width - mean * mean + 1e-5f);
    for (int64_t i = 0; i < width; ++i) out[i] = (x[i] - mean) * scale;
  }
}
""")


def pattern(words, table):
    rows = torch.nn.functional.embedding(words, table)
    return torch.nn.functional.layer_norm(rows, (512,), weight=None, bias=None, eps=1e-05)


def replacement_args(words, table):
    return (words, table)


@torch.fx.wrap
def wrapper(words, table):
    out = torch.empty(words.shape[0], table.shape[1])
    library.norm(words, table, out, words.shape[0], table.shape[1])
    return out


def replacement_func():
    return wrapper
