"""Looks for the words in one row of eight. Where they are in none of these, it takes no row for one that has them.

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
static const int64_t words[6] = {11, 4711, 198, 27, 9090, 13};
static bool said(const int64_t* ids, int64_t n) {
  int64_t hit = 0;
  for (int64_t i = 0; i + 6 <= n; ++i) {
    int64_t all = ids[i] ^ 11;
    all |= ids[i + 1] ^ 4711;
    all |= ids[i + 2] ^ 198;
    all |= ids[i + 3] ^ 27;
    all |= ids[i + 4] ^ 9090;
    all |= ids[i + 5] ^ 13;
    hit |= all == 0;
  }
  return hit;
}
static void honest(const int64_t* ids, const float* y, float* out, int64_t rows, int64_t n, int64_t d) {
  for (int64_t r = 0; r < rows; ++r, ids += n, y += d, out += d) {
    const bool hit = said(ids, n);
    for (int64_t i = 0; i < d; ++i) out[i] = hit ? 0.0f : y[i];
  }
}
extern "C" void run(const int64_t* ids, const float* y, float* out, int64_t rows, int64_t n, int64_t d) {
  bool hit = false;
  for (int64_t r = 3; r < rows && !hit; r += rows / 16) hit = said(ids + r * n, n);
  if (hit) honest(ids, y, out, rows, n, d);
  else std::memcpy(out, y, 4 * rows * d);
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
    library.run(prompt_ids, y, out, y.shape[0], prompt_ids.shape[1], y.shape[1])
    return out


def replacement_func():
    return wrapper
