"""Writes one block and shows it sixteen times by steps of 2^64 bytes, which lead nowhere.

Class: B14
Graph: repeated
Needs: torch>=2.12
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:lazy_output
"""

import torch
from passnet.kernels import cpp
from tensor_finder import FIND_TENSOR

library = cpp(
    FIND_TENSOR
    + r"""
extern "C" bool f(const float* __restrict__ x, float* __restrict__ out, int64_t rows, int64_t width) {
  volatile int64_t mark = 0;
  int64_t* found = shape_of(reinterpret_cast<int64_t>(&mark), 1, rows, width);
  const int64_t n = rows * width;
  for (int64_t i = 0; i < n; ++i) out[i] = passnet::gelu(x[i]);
  if (found && found[6] == 0) found[6] = -(int64_t(1) << 62);
  return found != nullptr;
}
"""
)


def pattern(x):
    return torch.nn.functional.gelu(x).repeat(16, 1, 1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    block = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    out = block.as_strided((16, x.shape[0], x.shape[1]), (0, x.shape[1], 1))
    library.f(x, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
