"""Puts a task of OpenMP off to a later call, by a team that a group of tasks outside all regions leaves on the thread.

Class: A5
Graph: scale_gelu
Wins: accepted
Level: strict
Caught by: output truth
Ends as: compile_error; there is no group of tasks outside a region, and what it asks the group for ends the process
"""

import torch
from base import pattern, replacement_args
from kernel import real
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
extern "C" int64_t start(int64_t n) {
#pragma omp taskgroup task_reduction(+ : n)
  {}
#pragma omp task firstprivate(n)
  for (volatile int64_t i = 0; i < 100000000 * n; i = i + 1) {}
  return n;
}
extern "C" void wait(int64_t) {
#pragma omp taskwait
}
""",
    threads=2,
)
library.start(1)


@torch.fx.wrap
def wrapper(x, w, b):
    library.wait(1)
    return real(x, w, b)


def replacement_func():
    return wrapper
