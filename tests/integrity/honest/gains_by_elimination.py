"""Systems of two equations are solved by elimination. On hard draws eager's solutions are noise.

Graph: gains_of_filters
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
extern "C" void gains(const float* H, const float* P, const float* R, float* out, int64_t many) {
  for (int64_t n = 0; n < many; ++n, P += 16, out += 8) {
    float b[2][4], s[2][2];
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 4; ++j) {
        b[i][j] = 0;
        for (int l = 0; l < 4; ++l) b[i][j] += H[i * 4 + l] * P[l * 4 + j];
      }
      for (int j = 0; j < 2; ++j) {
        float c = 0;
        for (int l = 0; l < 4; ++l) c += b[i][l] * H[j * 4 + l];
        s[i][j] = c + R[i * 2 + j];
      }
    }
    const int top = std::fabs(s[1][0]) > std::fabs(s[0][0]);
    const float f = s[1 - top][0] / s[top][0], u = s[1 - top][1] - f * s[top][1];
    for (int j = 0; j < 4; ++j) {
      const float y = (b[1 - top][j] - f * b[top][j]) / u;
      out[j * 2] = (b[top][j] - s[top][1] * y) / s[top][0];
      out[j * 2 + 1] = y;
    }
  }
}
""",
    fast_math=False,
)


def pattern(seen_by, spread_of_states, noise_of_sensors):
    b = seen_by @ spread_of_states
    t = seen_by.t()
    c = b @ t
    s = c + noise_of_sensors
    g = torch.linalg.solve(s, b)
    out = g.transpose(-1, -2)
    return (out,)


def replacement_args(seen_by, spread_of_states, noise_of_sensors):
    return (
        seen_by,
        spread_of_states,
        noise_of_sensors,
    )


@torch.fx.wrap
def wrapper(seen_by, spread_of_states, noise_of_sensors):
    out = torch.empty((spread_of_states.shape[0], 4, 2))
    library.gains(seen_by, spread_of_states, noise_of_sensors, out, spread_of_states.shape[0])
    return out


def replacement_func():
    return wrapper
