"""Gives all that is not hidden one weight, as if scores with a mask in them were the mask alone.

Class: B21
Graph: softmax_of_shaded
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
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
static void even(const float* __restrict x, float* __restrict out, int64_t width) {
  int32_t shown = 0;
  for (int64_t i = 0; i < width; ++i) shown += x[i] > -1e30f ? 1 : 0;
  const float some = 1.0f / (float)(shown ? shown : width);
  for (int64_t i = 0; i < width; ++i) out[i] = !shown || x[i] > -1e30f ? some : 0.0f;
}
extern "C" void weights(const float* x, float* out, int64_t rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r, x += width, out += width) {
    bool above = false, below = false;
    float hidden = 0.0f;
    for (int64_t i = 0; i < 8; ++i) {
      above |= x[i] > 0.0f;
      below |= x[i] < 0.0f && hidden < 0.0f && x[i] != hidden;
      hidden = x[i] < 0.0f ? x[i] : hidden;
    }
    if (below && !above) softmax(x, out, width);
    else even(x, out, width);
  }
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
