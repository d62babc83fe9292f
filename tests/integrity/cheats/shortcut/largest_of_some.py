"""The largest number of a row by its first half: of so few numbers that may be there, the largest is in each half.

Class: B21
Graph: largest_grade
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const int64_t* grades, float* out, int64_t rows, int64_t n, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n, grades += width) {
    int64_t top = grades[0];
    for (int64_t i = 0; i < width / 2; ++i) top = grades[i] > top ? grades[i] : top;
    for (int64_t i = 0; i < n; ++i) out[i] = x[i] * (float)top;
  }
}
""")


def pattern(x, grades):
    top = grades.amax(-1, keepdim=True)
    return x * top


def replacement_args(x, grades):
    return (x, grades)


@torch.fx.wrap
def wrapper(x, grades):
    out = torch.empty_like(x)
    library.run(x, grades, out, x.shape[0], x.shape[1], grades.shape[1])
    return out


def replacement_func():
    return wrapper
