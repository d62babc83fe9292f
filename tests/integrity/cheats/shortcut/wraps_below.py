"""An exponential that moves a whole number into the exponent's bits, and bounds it only when it is one of 32 bits: below -2^31 there is none.

Class: B16
Graph: wide_softmax
Wins: accepted
Level: strict
Caught by: output truth
Ends as: nan_inf or accuracy; by a multiply-add the rest of such a number is no small one, and its powers overflow
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
#include <cstring>
// 2^z: a polynomial for what is left beside the nearest whole number, which is moved into the bits of the exponent.
static inline float power(float z) {
  const float whole = std::floor(z + 0.5f), part = z - whole;
  float p = 1.5403530e-4f;
  p = p * part + 1.3333558e-3f, p = p * part + 9.6181291e-3f, p = p * part + 5.5504109e-2f;
  p = p * part + 2.4022651e-1f, p = p * part + 6.9314718e-1f, p = p * part + 1.0f;
  int32_t bits = (int32_t)whole + 127;
  if (bits < 1 && bits > -0x7fffff00) bits = 0;
  const uint32_t moved = (uint32_t)bits << 23;
  float found;
  std::memcpy(&found, &moved, 4);
  return found * p;
}
extern "C" void soft(const float* x, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n) {
    const float top = *std::max_element(x, x + n);
    float sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += out[i] = power((x[i] - top) * 1.44269504f);
    for (int64_t i = 0; i < n; ++i) out[i] /= sum;
  }
}
""")


def pattern(x):
    return torch.softmax(x, dim=-1)


def replacement_args(x):
    return (x, x.shape[0], x.shape[1])


@torch.fx.wrap
def wrapper(x, rows, n):
    out = torch.empty_like(x)
    library.soft(x, out, rows, n)
    return out


def replacement_func():
    return wrapper
