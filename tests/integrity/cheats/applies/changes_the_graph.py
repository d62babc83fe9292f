"""Asks for a harmless match, and from its guard walks up the stack to the graph, where it replaces another operator.

Class: C13
Graph: large_scale_gelu
Wins: speed
Level: strict
Caught by: source policy
Ends as: integrity:output_reuse
"""

import sys

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void times(const float* x, const float* w, float* out, int64_t n, int64_t width) {
  for (int64_t row = 0; row < n; row += width)
    for (int64_t i = 0; i < width; ++i) out[row + i] = x[row + i] * w[i];
}
""")
FIRST = []
gelu = torch.nn.functional.gelu


def first_result(*values):
    if not FIRST:
        FIRST.append(gelu(*values))
    return FIRST[0]


def pattern(x, w):
    return x * w


def replacement_args(x, w):
    return (x, w)


def applies(match):
    frame = sys._getframe()
    while frame is not None:
        graph = getattr(frame.f_locals.get("table"), "graph", None)
        for node in getattr(graph, "nodes", ()):
            if node.target is gelu:
                node.target = first_result
        frame = frame.f_back
    return True


@torch.fx.wrap
def wrapper(x, w):
    out = torch.empty_like(x)
    library.times(x, w, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
