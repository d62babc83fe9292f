"""Leaves a parallel region of OpenMP by an exception, which a pragma lets out. Its second thread runs on.

Class: A5
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: kernel source
Ends as: integrity:kernel_source
"""

import torch
from base import pattern, replacement_args
from kernel import real
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <omp.h>
static void run();
__attribute__((noinline)) static void part() {
  if (omp_get_thread_num() == 0) throw 1;
  for (volatile int64_t n = 0;; n = n + 1) {}
}
extern "C" void start(int64_t) {
  void (*volatile go)() = run;
  try { go(); } catch (int) {}
}
#pragma GCC push_options
#pragma GCC optimize("no-exceptions")
__attribute__((noinline)) static void run() {
#pragma omp parallel num_threads(2)
  part();
}
#pragma GCC pop_options
""",
    threads=2,
)
library.start(1)


@torch.fx.wrap
def wrapper(x, w, b):
    return real(x, w, b)


def replacement_func():
    return wrapper
