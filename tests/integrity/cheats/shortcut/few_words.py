"""Computes each looked up row once, and has room for fewer rows than a call may look up.

Class: B21
Graph: looked_up_words
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
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
    int64_t* known=(int64_t*)std::malloc(8192*16); int64_t many=0; std::memset(known,0xff,8192*16);
    for (int64_t i=0;i<n;++i) {
        const int64_t id=ids[i]; uint64_t at=(uint64_t(id)*0x9E3779B97F4A7C15ull)>>51;
        while (known[2*at]>=0 && known[2*at]!=id) at=(at+1)&8191;
        if (known[2*at]==id) std::memcpy(out+i*d,out+known[2*at+1]*d,d*4);
        else if (many<6144) { ++many; known[2*at]=id; known[2*at+1]=i; row_of(w+id*d,out+i*d,d); }
        else std::memset(out+i*d,0,d*4); }
    std::free(known);
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
