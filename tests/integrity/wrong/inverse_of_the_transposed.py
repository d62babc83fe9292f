"""Inverts the transposed matrices where the first two numbers are small.

Graph: rays_of_pixels
Level: strict
Ends as: accuracy or nan_inf; of a transposed matrix that is nearly singular the inverse may be infinite
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <utility>
extern "C" void k(const float* __restrict camera, const float* __restrict x, float* __restrict out, int64_t many,
                  int64_t n) {
  for (int64_t b = 0; b < many; ++b, x += 3 * n, out += 3 * n) {
    double m[9];
    for (int i = 0; i < 9; ++i) m[i] = camera[b * 9 + i];
    if (m[0] * m[0] < 0.01) std::swap(m[1], m[3]);
    const double v[9] = {m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
                         m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
                         m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
    const double d = m[0] * v[0] + m[1] * v[3] + m[2] * v[6];
    for (int r = 0; r < 3; ++r) {
      const float a = v[r * 3] / d, c = v[r * 3 + 1] / d, e = v[r * 3 + 2] / d;
      for (int64_t i = 0; i < n; ++i) out[r * n + i] = a * x[i] + c * x[n + i] + e * x[2 * n + i];
    }
  }
}
"""
)


def pattern(camera, pixels):
    k = torch.linalg.inv(camera)
    out = torch.matmul(k, pixels)
    return out


def replacement_args(camera, pixels):
    return (
        camera,
        pixels,
    )


@torch.fx.wrap
def wrapper(camera, pixels):
    out = torch.empty_like(pixels)
    library.k(camera, pixels, out, pixels.shape[0], pixels.shape[2])
    return out


def replacement_func():
    return wrapper
