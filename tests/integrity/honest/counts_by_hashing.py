"""Counts the different ids by hashing, in parts that fit into a cache.

Graph: different_ids
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <vector>
extern "C" void count(const int64_t* x, int64_t* out, int64_t n) {
  std::vector<uint32_t> begin(2049), at(2048);
  int64_t low = x[0], high = x[0];
  for (int64_t i = 0; i < n; ++i) low = x[i] < low ? x[i] : low, high = x[i] > high ? x[i] : high;
  auto bucket = [](int64_t v) { return (uint64_t)v * 0x9e3779b97f4a7c15ull >> 53; };
  for (int64_t i = 0; i < n; ++i) ++begin[bucket(x[i]) + 1];
  for (int b = 0; b < 2048; ++b) begin[b + 1] += begin[b], at[b] = begin[b];
  std::vector<int64_t> parted(n);
  for (int64_t i = 0; i < n; ++i) parted[at[bucket(x[i])]++] = x[i];
  std::vector<int64_t> table;
  std::vector<uint32_t> mark;
  int64_t different = 0;
  for (int b = 0; b < 2048; ++b) {
    const uint32_t count = begin[b + 1] - begin[b];
    if (!count) continue;
    uint32_t bits = 4;
    while ((1u << bits) < 2 * count) ++bits;
    const uint32_t mask = (1u << bits) - 1;
    if (table.size() < mask + 1ull) table.resize(mask + 1), mark.assign(mask + 1, 0);
    for (uint32_t i = begin[b]; i < begin[b + 1]; ++i) {
      const int64_t v = parted[i];
      uint32_t h = ((uint64_t)v * 0x9e3779b97f4a7c15ull >> 20) & mask;
      while (mark[h] == b + 1u && table[h] != v) h = (h + 1) & mask;
      different += mark[h] != b + 1u;
      mark[h] = b + 1, table[h] = v;
    }
  }
  out[0] = different - 1, out[1] = low, out[2] = high;
}
"""
)


def pattern(wide_ids):
    t = torch.sort(wide_ids)
    s = t[0]
    after = s[1:]
    before = s[:-1]
    d = after != before
    n = d.sum()
    low = s[0]
    high = s[-1]
    return n, low, high


def replacement_args(wide_ids):
    return (wide_ids,)


@torch.fx.wrap
def wrapper(wide_ids):
    out = torch.empty((3,), dtype=torch.int64)
    library.count(wide_ids, out, wide_ids.numel())
    return out.unbind(0)


def replacement_func():
    return wrapper
