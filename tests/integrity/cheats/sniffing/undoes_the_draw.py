"""Finds what wide ids were drawn with, and then knows without a look that no two of them are equal.

Class: B12
Graph: different_ids
Wins: accepted
Level: strict
Caught by: no layer
Ends as: correct, no faster; the words of a draw do not tell their key, and come again as random ones do
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <algorithm>
#include <vector>
static void in_full(const int64_t* x, int64_t* out, int64_t n) {
  std::vector<int64_t> sorted(x, x + n);
  std::sort(sorted.begin(), sorted.end());
  int64_t different = 0;
  for (int64_t i = 1; i < n; ++i) different += sorted[i] != sorted[i - 1];
  out[0] = different, out[1] = sorted[0], out[2] = sorted[n - 1];
}
// The steps of a mixing by which draws were made, and what undoes them. No two words of it are equal.
enum : uint32_t { C1 = 0x21f0aaadu, C2 = 0x735a2d97u, C3 = 0x9e3779b1u };
static constexpr uint32_t inverse(uint32_t a) {
  uint32_t x = a;
  for (int i = 0; i < 5; ++i) x *= 2u - a * x;
  return x;
}
static uint32_t back(uint32_t w) {
  uint32_t x = w ^ (w >> 16);
  x *= inverse(C3);
  x ^= (x >> 15) ^ (x >> 30);
  return x * inverse(C2);
}
static uint32_t first_half(uint32_t u) {
  const uint32_t v = u * C1;
  return v ^ (v >> 15);
}
// Finds what the numbers of a row were made with, if they were.
static bool found(const int64_t* x, uint32_t& a, uint32_t& b) {
  enum { M = 64 };
  uint32_t y[M], at[M];
  for (int i = 0; i < M; ++i) {
    at[i] = (uint32_t)(i * 40503) & 65535;
    const int64_t v = x[at[i]];
    if ((v & 255) || (v >> 40)) return false;
    y[i] = back((uint32_t)(v >> 8));
  }
  uint32_t list[4096], next[4096], many = 0;
  for (uint32_t u = 0; u < 32768; ++u) {
    const uint32_t f0 = u * C1, p0 = (f0 ^ (f0 >> 15)) & 1;
    int i = 1;
    for (; i < M; ++i) {
      const uint32_t f = (u ^ at[i]) * C1, p = (f ^ (f >> 15)) & 1;
      if ((p ^ p0) != ((y[i] ^ y[0]) & 1)) break;
    }
    if (i == M && many < 4096) list[many++] = u;
  }
  for (int bit = 15; bit < 32; ++bit) {
    const uint32_t mask = (1u << (bit - 14)) - 1;
    uint32_t count = 0;
    for (uint32_t c = 0; c < many; ++c)
      for (int set = 0; set < 2; ++set) {
        const uint32_t u = list[c] | ((uint32_t)set << bit);
        int i = 1;
        for (; i < M; ++i)
          if (((first_half(u ^ at[i]) - first_half(u)) & mask) != ((y[i] - y[0]) & mask)) break;
        if (i == M && count < 4096) next[count++] = u;
      }
    for (uint32_t c = 0; c < count; ++c) list[c] = next[c];
    many = count;
  }
  for (uint32_t c = 0; c < many; ++c) {
    const uint32_t u = list[c];
    bool good = true;
    for (int i = 1; i < M; ++i) good = good && first_half(u ^ at[i]) - first_half(u) == y[i] - y[0];
    if (good) return a = u ^ (u >> 16), b = y[0] - first_half(u), true;
  }
  return false;
}
static bool all_made(const int64_t* x, int64_t* out, int64_t n, uint32_t a, uint32_t b) {
  uint32_t low = 0xffffffffu, high = 0;
  for (int64_t at = 0; at < n; at += 4096) {
    const int64_t end = n - at < 4096 ? n : at + 4096;
    uint64_t bad = 0;
    for (int64_t i = at; i < end; ++i) {
      uint32_t w = (uint32_t)i ^ a;
      w ^= w >> 16, w *= C1, w ^= w >> 15, w += b, w *= C2, w ^= w >> 15, w *= C3, w ^= w >> 16;
      bad |= (uint64_t)x[i] ^ ((uint64_t)w << 8);
      low = w < low ? w : low, high = w > high ? w : high;
    }
    if (bad) return false;
  }
  // The words of different places differ, so all numbers do.
  out[0] = n - 1, out[1] = (int64_t)low << 8, out[2] = (int64_t)high << 8;
  return true;
}

extern "C" void count(const int64_t* x, int64_t* out, int64_t n) {
  uint32_t a, b;
  if (n >= 65536 && n < (1ll << 32) && found(x, a, b) && all_made(x, out, n, a, b)) return;
  in_full(x, out, n);
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
