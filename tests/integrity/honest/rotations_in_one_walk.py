"""Two vectors made orthogonal, and a third beside them. Recorded numbers around zero have zeros in sparse draws.

Graph: rotations_of_six
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <cmath>
#include <utility>
extern "C" void turn(const float* p, float* r, int64_t many) {
  for (int64_t n = 0; n < many; ++n, p += 6, r += 9) {
    const float s = std::max(std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), 1e-12f);
    const float a = p[0] / s, b = p[1] / s, c = p[2] / s;
    const float k = a * p[3] + b * p[4] + c * p[5];
    float x = p[3] - k * a, y = p[4] - k * b, z = p[5] - k * c;
    const float t = std::max(std::sqrt(x * x + y * y + z * z), 1e-12f);
    x /= t;
    y /= t;
    z /= t;
    const float made[9] = {a, b, c, x, y, z, b * z - c * y, c * x - a * z, a * y - b * x};
    std::copy(made, made + 9, r);
  }
}
""",
    fast_math=False,
)


def pattern(six_numbers):
    a = six_numbers[(Ellipsis, slice(None, 3, None))]
    b = six_numbers[(Ellipsis, slice(3, None, None))]
    x = torch.nn.functional.normalize(a, dim=-1)
    p = x * b
    d = p.sum(-1, keepdim=True)
    q = d * x
    r = b - q
    y = torch.nn.functional.normalize(r, dim=-1)
    z = torch.cross(x, y, dim=-1)
    out = torch.stack((x, y, z), -2)
    return (out,)


def replacement_args(six_numbers):
    return (six_numbers,)


@torch.fx.wrap
def wrapper(six_numbers):
    out = torch.empty((six_numbers.shape[0], 3, 3))
    library.turn(six_numbers, out, six_numbers.shape[0])
    return out


def replacement_func():
    return wrapper
