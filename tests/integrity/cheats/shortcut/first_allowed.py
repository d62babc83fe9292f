"""Takes the first number of a row that is not below zero for its largest one, as in a mask of two numbers.

Class: B21
Graph: next_allowed
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
static int64_t largest(const float* row, int64_t width) {
  float top = -3.4028235e38f;
  for (int64_t i = 0; i < width; ++i) top = row[i] > top ? row[i] : top;
  for (int64_t i = 0; i < width; ++i)
    if (row[i] >= top) return i;
  return 0;
}
extern "C" void places(const float* x, int64_t* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += width) {
    int64_t found = 0;
    while (found < width && !(x[found] >= 0.0f)) ++found;
    out[r] = found < width ? found : largest(x, width);
  }
}
""")


def pattern(logits):
    return torch.argmax(logits, dim=-1)


def replacement_args(logits):
    return (logits,)


@torch.fx.wrap
def places(logits):
    if not logits.is_contiguous():
        raise ValueError("logits must be contiguous")
    out = torch.empty(logits.shape[:-1], dtype=torch.int64, device=logits.device)
    library.places(logits, out, out.numel(), logits.shape[-1])
    return out


def replacement_func():
    return places
