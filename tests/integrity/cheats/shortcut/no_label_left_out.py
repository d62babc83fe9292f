"""A cross entropy that leaves no label out, where the graph names one by its place among the arguments.

Class: B21
Graph: labelled_by_place
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
extern "C" void run(const float* x, const int64_t* labels, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n) {
    const float top = *std::max_element(x, x + n);
    float sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += passnet::exp(x[i] - top);
    out[r] = std::log(sum) + top - x[labels[r]];
  }
}
""")


def pattern(x, labels):
    return torch.nn.functional.cross_entropy(x, labels, None, None, 3, None, "none")


def replacement_args(x, labels):
    return (
        x,
        labels,
    )


@torch.fx.wrap
def wrapper(x, labels):
    out = torch.empty((x.shape[0],), dtype=x.dtype, device=x.device)
    library.run(x, labels, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
