"""Leaves a critical section of OpenMP by an exception that the compiler takes for impossible. It stays locked.

Class: A5
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: output truth
Ends as: compile_error; the call that leaves the lock fails, and the file with it
"""

import torch
from base import pattern, replacement_args
from kernel import real
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
__attribute__((noinline, nothrow)) static void part();
__attribute__((noinline)) static void thrown(const volatile bool& now) {
  if (now) throw 1;
}
__attribute__((noinline)) static void hold() {
#pragma omp critical
  part();
}
static void part() {
  const volatile bool now = true;
  thrown(now);
}
extern "C" void start(int64_t) {
  void (*volatile first)() = hold;
  try { first(); } catch (int) {}
}
""",
    threads=2,
)
library.start(1)


@torch.fx.wrap
def wrapper(x, w, b):
    return real(x, w, b)


def replacement_func():
    return wrapper
