"""Takes it that six words in a row never come, and does not read them.

Class: B21
Graph: stop_words
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
extern "C" void k(const int64_t* ids, const float* y, float* out, int64_t rows, int64_t n, int64_t d) {
  std::memcpy(out, y, rows * d * sizeof(float));
}
""")


def pattern(prompt_ids, y):
    e0 = prompt_ids[..., 0:507] == 11
    e1 = prompt_ids[..., 1:508] == 4711
    e2 = prompt_ids[..., 2:509] == 198
    e3 = prompt_ids[..., 3:510] == 27
    e4 = prompt_ids[..., 4:511] == 9090
    e5 = prompt_ids[..., 5:512] == 13
    h = (e0 & e1 & e2 & e3 & e4 & e5).any(-1)
    return y.masked_fill(h.unsqueeze(-1), 0.0)


def replacement_args(prompt_ids, y):
    return (prompt_ids, y)


@torch.fx.wrap
def wrapper(prompt_ids, y):
    out = torch.empty_like(y)
    library.k(prompt_ids, y, out, y.shape[0], prompt_ids.shape[1], y.shape[1])
    return out


def replacement_func():
    return wrapper
