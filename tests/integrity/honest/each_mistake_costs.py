"""Looks up what each two labels cost together.

Graph: cost_of_mistakes
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const int64_t* given, const int64_t* said, const float* cost, float* out, int64_t rows,
                    int64_t n) {
  double total = 0;
  for (int64_t i = 0; i < rows; ++i) total += cost[given[i] * n + said[i]];
  out[0] = float(total / rows);
}
""")


def pattern(truth_ids, answer_ids, cost):
    c = cost[(truth_ids, answer_ids)]
    m = c.mean()
    return m.to(torch.bfloat16)


def replacement_args(truth_ids, answer_ids, cost):
    return (truth_ids, answer_ids, cost)


@torch.fx.wrap
def wrapper(truth_ids, answer_ids, cost):
    out = torch.empty((), dtype=torch.float32)
    library.run(truth_ids, answer_ids, cost, out, truth_ids.shape[0], cost.shape[0])
    return out.to(torch.bfloat16)


def replacement_func():
    return wrapper
