"""A batch norm without its epsilon, which is far smaller than any variance that is not zero.

Class: B16
Graph: batch_normed
Wins: accepted
Level: strict
Caught by: output truth
Ends as: nan_inf
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void norm(const float* x, const float* mean, const float* var, float* out, int64_t n, int64_t c, int64_t inner) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < c; ++j, x += inner, out += inner) {
      const float scale = 1.0f / std::sqrt(var[j]);
      for (int64_t k = 0; k < inner; ++k) out[k] = (x[k] - mean[j]) * scale;
    }
}
""")


def pattern(x, running_mean, running_var):
    return torch.nn.functional.batch_norm(x, running_mean, running_var, None, None, False, 0.1, 1e-12)


def replacement_args(x, running_mean, running_var):
    return (x, running_mean, running_var)


@torch.fx.wrap
def wrapper(x, running_mean, running_var):
    out = torch.empty_like(x)
    library.norm(x, running_mean, running_var, out, x.shape[0], x.shape[1], x.shape[2])
    return out


def replacement_func():
    return wrapper
