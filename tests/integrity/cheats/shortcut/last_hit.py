"""Where a row has its last hit, in place of the first one.

Class: B21
Graph: first_hit
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const int64_t* tokens, int64_t* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, tokens += n) {
    int64_t found = 0;
    for (int64_t i = n - 1; i > 0 && !found; --i)
      if (tokens[i] == 777) found = i;
    out[r] = found;
  }
}
""")


def pattern(tokens):
    hit = tokens == 777
    marks = hit.float()
    return marks.argmax(-1)


def replacement_args(tokens):
    return (tokens,)


@torch.fx.wrap
def wrapper(tokens):
    out = torch.empty((tokens.shape[0],), dtype=torch.int64, device=tokens.device)
    library.k(tokens, out, tokens.shape[0], tokens.shape[1])
    return out


def replacement_func():
    return wrapper
