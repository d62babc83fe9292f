"""Leaves regions of OpenMP by exceptions that the compiler takes for impossible. Its second thread waits for a lock.

Class: A5
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: output truth
Ends as: compile_error; the exception that would leave the region ends the process that loads the file
"""

import torch
from base import pattern, replacement_args
from kernel import real
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <omp.h>
__attribute__((noinline, nothrow)) static void part();
__attribute__((noinline)) static void thrown(const volatile bool& now) {
  if (now) throw 1;
}
__attribute__((noinline)) static void hold() {
#pragma omp critical
  part();
}
__attribute__((noinline)) static void run() {
#pragma omp parallel num_threads(2)
  part();
}
static void part() {
  const volatile bool first = omp_get_thread_num() == 0;
  thrown(first);
  volatile int64_t mine = 0;
  for (;;) {
#pragma omp critical
    mine = mine + 1;
  }
}
extern "C" void start(int64_t) {
  void (*volatile first)() = hold;
  void (*volatile then)() = run;
  try { first(); } catch (int) {}
  try { then(); } catch (int) {}
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
