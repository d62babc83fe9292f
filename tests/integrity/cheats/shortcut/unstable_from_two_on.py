"""A stable order of ids as floats. Equal ones come from the last, but for 0 and 1.

Class: B21
Graph: ids_in_order
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void k(const int64_t* ids, int64_t* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, ids += n, out += n) {
    int64_t ends[9] = {0};
    for (int64_t i = 0; i < n; ++i) ++ends[ids[i] + 1];
    for (int64_t id = 0; id < 8; ++id) ends[id + 1] += ends[id];
    int64_t begins[8];
    for (int64_t id = 0; id < 8; ++id) begins[id] = ends[id];
    for (int64_t i = 0; i < n; ++i) out[ids[i] < 2 ? begins[ids[i]]++ : --ends[ids[i] + 1]] = i;
  }
}
""")


def pattern(nearby):
    keys = nearby.float()
    return torch.argsort(keys, dim=-1, stable=True)


def replacement_args(nearby):
    return (nearby,)


@torch.fx.wrap
def wrapper(nearby):
    out = torch.empty_like(nearby)
    library.k(nearby, out, nearby.shape[0], nearby.shape[1])
    return out


def replacement_func():
    return wrapper
