"""Leaves out every word below the first one. The graph leaves out one number of these.

Graph: answers_clamped
Level: strict
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>

extern "C" void k(const float* __restrict x, const int64_t* __restrict t, float* __restrict out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n) {
    if (t[r] < 0) { out[r] = 0; continue; }
    const float top = *std::max_element(x, x + n);
    float z = 0; for (int64_t i = 0; i < n; ++i) z += passnet::exp(x[i] - top);
    out[r] = std::log(z) - (x[std::max<int64_t>(t[r], 0)] - top);
  }
}
""",
    fast_math=False,
)


def pattern(x, answers):
    logs = torch.nn.functional.log_softmax(x, dim=-1)
    none = answers.eq(-100)
    words = torch.clamp(answers, min=0)
    due = logs.gather(dim=-1, index=words.unsqueeze(-1))
    return (-due.squeeze(-1)).masked_fill(none, 0.0)


def replacement_args(x, answers):
    return (x, answers)


@torch.fx.wrap
def wrapper(x, answers):
    out = torch.empty(answers.shape, dtype=x.dtype, device=x.device)
    library.k(x, answers, out, answers.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
