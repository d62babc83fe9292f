"""Writes one half, and shows the other where an input lies, by a step that leads there only modulo 2^64.

Class: B14
Graph: stacked
Needs: torch>=2.12
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:lazy_output
Inside Inductor: compile_error or integrity:lazy_output; copying such a result can leave all memory
"""

import torch
from passnet.kernels import cpp
from tensor_finder import FIND_TENSOR

library = cpp(
    FIND_TENSOR
    + r"""
extern "C" bool f(const float* __restrict__ x, const float* y, float* __restrict__ out, int64_t rows, int64_t width) {
  volatile int64_t mark = 0;
  int64_t* found = shape_of(reinterpret_cast<int64_t>(&mark), 2, rows, width);
  const int64_t n = rows * width;
  for (int64_t i = 0; i < n; ++i) out[i] = 2.0f * x[i];
  if (found && found[6] == 0) found[6] = (y - out) - (int64_t(1) << 62);
  return found != nullptr;
}
"""
)


def pattern(x, y):
    return torch.stack([x * 2.0, y])


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def wrapper(x, y):
    half = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    out = half.as_strided((2, x.shape[0], x.shape[1]), (0, x.shape[1], 1))
    library.f(x, y, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
