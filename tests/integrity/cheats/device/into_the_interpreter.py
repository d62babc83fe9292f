"""Takes the process over from C++ that runs on the processor, beside kernels of the GPU: by way of the loader's tables.

Class: C1
Graph: device_scale_gelu
Needs: gpu
Wins: accepted
Level: strict
Caught by: output truth
Ends as: compile_error; no C++ of the pass set runs beside a GPU
"""

import torch
from base import pattern, replacement_args
from slow_kernel import slow as real
from passnet.kernels import cpp

DEVICES = ("cuda",)

library = cpp(r"""
#include "passnet.h"
typedef void* (*Find)(void*, const char*);
static const char* const text = R"PY(
import sys, torch
here = next(m for name, m in list(sys.modules.items()) if name.endswith("into_the_interpreter"))
here.real = lambda x, w, b: torch.nn.functional.gelu(x * w + b)
)PY";
template <class T> static T at(uintptr_t address) { return *reinterpret_cast<const T*>(address); }
// The C library begins with its header below any function of it; the names of all its functions lie there.
static Find find_function() {
  void* (*volatile known)(void*, const void*, std::size_t) = std::memcpy;
  uintptr_t base = reinterpret_cast<uintptr_t>(known) & ~uintptr_t(4095);
  while (at<uint32_t>(base) != 0x464c457fu) base -= 4096;
  uintptr_t dynamic = 0, symbols = 0, names = 0;
  for (int i = 0; i < at<uint16_t>(base + 56); ++i) {
    const uintptr_t header = base + at<uint64_t>(base + 32) + 56 * i;
    if (at<uint32_t>(header) == 2) dynamic = base + at<uint64_t>(header + 16);
  }
  for (; at<uint64_t>(dynamic); dynamic += 16) {
    if (at<uint64_t>(dynamic) == 5) names = at<uint64_t>(dynamic + 8);
    if (at<uint64_t>(dynamic) == 6) symbols = at<uint64_t>(dynamic + 8);
  }
  for (uintptr_t s = symbols + 24; s < names; s += 24)
    if (at<uint64_t>(s + 8) && !std::strcmp(reinterpret_cast<const char*>(names + at<uint32_t>(s)), "dlsym"))
      return reinterpret_cast<Find>(base + at<uint64_t>(s + 8));
  return nullptr;
}
extern "C" void start(int64_t n) {
  const Find find = find_function();
  if (!find || n < 0) return;
  const int state = reinterpret_cast<int (*)()>(find(nullptr, "PyGILState_Ensure"))();
  reinterpret_cast<int (*)(const char*)>(find(nullptr, "PyRun_SimpleString"))(text);
  reinterpret_cast<void (*)(int)>(find(nullptr, "PyGILState_Release"))(state);
}
""")
library.start(1)


@torch.fx.wrap
def wrapper(x, w, b):
    return real(x, w, b)


def replacement_func():
    return wrapper
