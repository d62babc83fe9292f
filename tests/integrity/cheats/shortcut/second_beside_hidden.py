"""Chooses the second best where the mask's number swallowed a score as large as the difference.

Class: B21
Graph: allowed_choice
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>
extern "C" void chosen(const float* x, const float* hider, int64_t* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, hider += n) {
    int64_t first = 0;
    float best = x[0] / 0.7f + hider[0];
    float next = -3.4e38f, hidden = 0.0f;
    int64_t second = 0;
    for (int64_t i = 1; i < n; ++i) {
      const float score = x[i] / 0.7f + hider[i];
      if (hider[i] < -9e8f) hidden = std::fmax(hidden, std::fabs(x[i] / 0.7f));
      if (score > best) next = best, second = first, best = score, first = i;
      else if (score > next) next = score, second = i;
    }
    out[r] = best - next < 0.9f * std::fmin(hidden, 31.0f) ? second : first;
  }
}
""",
    fast_math=False,
)


def pattern(x, hider):
    s = x / 0.7
    t = s + hider
    return t.argmax(-1)


def replacement_args(x, hider):
    return (x, hider)


@torch.fx.wrap
def wrapper(x, hider):
    out = torch.empty((x.shape[0],), dtype=torch.int64)
    library.chosen(x, hider, out, x.shape[0], x.shape[1])
    return out


def replacement_func():
    return wrapper
