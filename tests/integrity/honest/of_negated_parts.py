"""The GELU of imaginary parts that torch negates lazily; the kernel takes any strides and reads plain numbers.

Graph: gelu_of_conjugates
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, int64_t down, int64_t right, float* out, int64_t rows, int64_t width) {
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < width; ++i) out[row * width + i] = passnet::gelu(x[row * down + i * right] * 2.0f);
}
""")


def pattern(x):
    return torch.nn.functional.gelu(x * 2.0)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    rows, width = x.shape
    out = x.new_empty((rows, width))
    library.run(x, x.stride(0), x.stride(1), out, rows, width)
    return out


def replacement_func():
    return wrapper
