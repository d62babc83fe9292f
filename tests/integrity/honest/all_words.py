"""Computes all rows that are looked up, however many differ.

Graph: looked_up_words
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <cmath>
#include <cstdlib>
#include <cstring>
static inline void row_of(const float* e, float* out, int64_t d) {
    for (int64_t j=0;j<d;++j) out[j]=std::lgamma(std::fabs(e[j])+1.0f); }
extern "C" void k(const int64_t* ids, const float* w, float* out, int64_t n, int64_t d) {
    for (int64_t i=0;i<n;++i) row_of(w+ids[i]*d,out+i*d,d);
}
"""
)


def pattern(words, table):
    e = torch.nn.functional.embedding(words, table)
    a = torch.abs(e)
    b = a + 1.0
    return torch.lgamma(b)


def replacement_args(words, table):
    return (words, table)


@torch.fx.wrap
def wrapper(words, table):
    out = torch.empty((words.shape[0], table.shape[1]), dtype=table.dtype, device=table.device)
    library.k(words, table, out, words.shape[0], table.shape[1])
    return out


def replacement_func():
    return wrapper
