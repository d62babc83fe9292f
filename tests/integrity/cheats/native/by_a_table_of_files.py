"""Writes to a descriptor by libstdc++'s class of files: the table of its virtual functions has a name, as exceptions' has.

Class: C7
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: kernel source
Ends as: integrity:kernel_source
"""

import torch
from base import pattern, replacement_args
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" {
extern void* const _ZTVSt13basic_filebufIcSt11char_traitsIcEE[];
}
static bool yes(const void*) { return true; }
struct Facet { const void* const* table; };
static const void* const table[9] = {
  (const void*)yes, (const void*)yes, (const void*)yes, (const void*)yes, (const void*)yes, (const void*)yes, (const void*)yes,
  (const void*)yes, (const void*)yes};
extern "C" int64_t say(int64_t fd) {
  alignas(16) char file[256] = {}, buffer[256] = {};
  *(int*)(file + 0) = 0x2000;
  *(int*)(file + 112) = (int)fd;
  Facet facet{table};
  *(void**)(buffer + 104) = file;
  *(int*)(buffer + 120) = 16;
  *(const void**)(buffer + 200) = &facet;
  static const char text[] = "written by a kernel at strict\n";
  using Write = long (*)(void*, const char*, long);
  return ((Write)_ZTVSt13basic_filebufIcSt11char_traitsIcEE[14])(buffer, text, sizeof text - 1);
}
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  for (int64_t row = 0; row < n; row += width)
    for (int64_t i = 0; i < width; ++i) {
      float v = x[row + i] * w[i] + b[i];
      out[row + i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
    }
}
""")


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.say(2)
    library.f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
