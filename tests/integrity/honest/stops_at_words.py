"""Looks for six words in a row.

Graph: stop_words
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <cstring>
extern "C" void k(const int64_t* ids, const float* y, float* out, int64_t rows, int64_t n, int64_t d) {
  const int64_t words[6] = {11, 4711, 198, 27, 9090, 13};
  for (int64_t r = 0; r < rows; ++r, ids += n, y += d, out += d) {
    bool h = false;
    for (int64_t i = 0; i + 6 <= n; ++i)
      if (ids[i] == words[0] && std::memcmp(ids + i, words, sizeof words) == 0) h = true;
    for (int64_t i = 0; i < d; ++i) out[i] = h ? 0.0f : y[i];
  }
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
