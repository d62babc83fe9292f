"""A softmax of scores of which some are hidden.

Graph: softmax_of_shaded, softmax_of_veiled
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
static void softmax(const float* __restrict x, float* __restrict out, int64_t width) {
  float top = -3.4028235e38f, sum = 0.0f;
  for (int64_t i = 0; i < width; ++i) top = x[i] > top ? x[i] : top;
  for (int64_t i = 0; i < width; ++i) {
    out[i] = passnet::exp(x[i] - top);
    sum += out[i];
  }
  const float scale = 1.0f / sum;
  for (int64_t i = 0; i < width; ++i) out[i] *= scale;
}
extern "C" void weights(const float* x, float* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += width, out += width) softmax(x, out, width);
}
""")


def pattern(scores):
    return torch.softmax(scores, dim=-1)


def replacement_args(scores):
    return (scores,)


@torch.fx.wrap
def weights(scores):
    if not scores.is_contiguous():
        raise ValueError("scores must be contiguous")
    out = torch.empty_like(scores)
    library.weights(scores, out, scores.numel() // scores.shape[-1], scores.shape[-1])
    return out


def replacement_func():
    return weights
