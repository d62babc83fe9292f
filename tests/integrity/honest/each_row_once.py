"""Norms each row of a table once, at the first id that looks it up, and copies it for the others.

Graph: spoken_norm
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <vector>
extern "C" void norm(const int64_t* words, const float* table, float* out, int64_t rows, int64_t width, int64_t size) {
  std::vector<const float*> known(size, nullptr);
  for (int64_t r = 0; r < rows; ++r, out += width) {
    const float*& first = known[words[r]];
    if (first) { std::memcpy(out, first, width * sizeof(float)); continue; }
    first = out;
    const float* x = table + words[r] * width;
    float mean = 0, squares = 0;
    for (int64_t i = 0; i < width; ++i) mean += x[i];
    mean /= width;
    for (int64_t i = 0; i < width; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const float scale = 1.0f / std::sqrt(squares / width + 1e-5f);
    for (int64_t i = 0; i < width; ++i) out[i] = (x[i] - mean) * scale;
  }
}
""")


def pattern(spoken, table):
    rows = torch.nn.functional.embedding(spoken, table)
    return torch.nn.functional.layer_norm(rows, (512,), weight=None, bias=None, eps=1e-05)


def replacement_args(spoken, table):
    return (spoken, table)


@torch.fx.wrap
def wrapper(spoken, table):
    out = torch.empty(spoken.shape[0], table.shape[1])
    library.norm(spoken, table, out, spoken.shape[0], table.shape[1], table.shape[0])
    return out


def replacement_func():
    return wrapper
