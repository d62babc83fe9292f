"""Leaves a parallel region of OpenMP by an exception, so that its second thread runs on when the call is over.

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
extern "C" void GOMP_parallel(void (*)(void*), void*, unsigned, unsigned);
extern "C" int omp_get_thread_num();
static void run(void*) {
  if (!omp_get_thread_num()) throw 1;
  for (volatile int64_t n = 0;; n = n + 1) {}
}
extern "C" void start(int64_t) {
  try { GOMP_parallel(run, nullptr, 2, 0); } catch (int) {}
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
