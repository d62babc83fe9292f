"""Never looks for a bad word: of a list of a hundred none was ever said.

Class: B21
Graph: bad_words
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const int64_t* said, const int64_t* banned, float* out, int64_t n, int64_t m) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i];
}
""")


def pattern(x, said, banned):
    return x.masked_fill((said.unsqueeze(-1) == banned).any(-1), 0.0)


def replacement_args(x, said, banned):
    return (x, said, banned)


@torch.fx.wrap
def wrapper(x, said, banned):
    out = torch.empty_like(x)
    library.run(x, said, banned, out, x.numel(), banned.numel())
    return out


def replacement_func():
    return wrapper
