"""Normals of triangles, of which some have no area: their direction is what rounding makes of it.

Graph: face_normals
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
extern "C" void normals(const float* v, float* out, int64_t many) {
  for (int64_t n = 0; n < many; ++n, v += 9, out += 3) {
    const float a = v[3] - v[0], b = v[4] - v[1], c = v[5] - v[2];
    const float d = v[6] - v[0], e = v[7] - v[1], f = v[8] - v[2];
    const float x = b * f - c * e, y = c * d - a * f, z = a * e - b * d;
    const float length = std::max(std::sqrt(x * x + y * y + z * z), 1e-12f);
    out[0] = x / length;
    out[1] = y / length;
    out[2] = z / length;
  }
}
""",
    fast_math=False,
)


def pattern(corners):
    b = corners[(slice(None, None, None), 1)]
    a = corners[(slice(None, None, None), 0)]
    u = b - a
    c = corners[(slice(None, None, None), 2)]
    v = c - a
    n = torch.cross(u, v, dim=-1)
    out = torch.nn.functional.normalize(n, dim=-1)
    return (out,)


def replacement_args(corners):
    return (corners,)


@torch.fx.wrap
def wrapper(corners):
    out = torch.empty_like(corners[:, 0])
    library.normals(corners, out, corners.shape[0])
    return out


def replacement_func():
    return wrapper
