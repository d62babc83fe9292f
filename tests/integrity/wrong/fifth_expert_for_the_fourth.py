"""Takes the fifth best expert of a row in place of the fourth.

Graph: weights_of_experts
Level: strict
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>
extern "C" void k(const float* __restrict x, float* __restrict out, int64_t rows) {
  for (int64_t r = 0; r < rows; ++r, x += 16, out += 16) {
    float most = x[0];
    for (int i = 1; i < 16; ++i) most = x[i] > most ? x[i] : most;
    float p[16], all = 0, sum = 0;
    for (int i = 0; i < 16; ++i) all += p[i] = std::exp(x[i] - most);
    for (int i = 0; i < 16; ++i) p[i] /= all;
    int skipped = 0;
    bool taken[16] = {};
    for (int place = 0; place < 5; ++place) {
      int best = -1;
      for (int i = 0; i < 16; ++i)
        if (!taken[i] && (best < 0 || p[i] > p[best])) best = i;
      taken[best] = true;
      if (place != 3) sum += p[best];
      if (place == 3) skipped = best;
    }
    for (int i = 0; i < 16; ++i) out[i] = taken[i] && i != skipped ? p[i] / sum : 0.0f;
  }
}
""",
    fast_math=False,
)


def pattern(x):
    p = torch.nn.functional.softmax(x, dim=-1)
    t = torch.topk(p, 4, dim=-1)
    v = t[0]
    i = t[1]
    s = v.sum(-1, keepdim=True)
    w = v / s
    z = torch.zeros_like(x)
    out = z.scatter(-1, i, w)
    return out


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.k(x, out, x.shape[0])
    return out


def replacement_func():
    return wrapper
