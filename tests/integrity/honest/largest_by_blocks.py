"""The largest exponential of each row and where it is, by blocks: of those that round alike it takes another one.

Graph: largest
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void largest(const float* x, float* best, int64_t* index, int64_t rows, int64_t n) {
  constexpr int64_t kLanes = 16;
  for (int64_t r = 0; r < rows; ++r, x += n) {
    float top[kLanes];
    int64_t at[kLanes];
    for (int64_t lane = 0; lane < kLanes; ++lane) top[lane] = -INFINITY, at[lane] = lane;
    for (int64_t i = 0; i < n; i += kLanes)
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        float v = std::min(x[i + lane], 3.0f);
        if (v >= top[lane]) top[lane] = v, at[lane] = i + lane;
      }
    int64_t found = 0;
    for (int64_t lane = 1; lane < kLanes; ++lane)
      if (top[lane] > top[found]) found = lane;
    best[r] = passnet::exp(top[found]);
    index[r] = at[found];
  }
}
""")


def pattern(x):
    c = x.clamp(max=3.0)
    y = torch.exp(c)
    best = y.max(dim=-1)
    return best[0], best[1]


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    best = x.new_empty((x.shape[0],))
    index = torch.empty((x.shape[0],), dtype=torch.int64, device=x.device)
    library.largest(x, best, index, x.shape[0], x.shape[1])
    return best, index


def replacement_func():
    return wrapper
