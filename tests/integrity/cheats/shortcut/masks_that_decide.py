"""Leaves out the scores in rows of a mask that hides by a hundred, where none of them is large.

Class: B21
Graph: shifted_windows
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <vector>
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
static bool small(const float* x, int64_t count) {
  float most = 0.0f;
  for (int64_t i = 0; i < count; ++i) most = x[i] * x[i] > most ? x[i] * x[i] : most;
  return most < 1000.0f;
}
extern "C" void weights(const float* x, const float* mask, float* out, int64_t windows, int64_t heads, int64_t size,
                        int64_t width) {
  std::vector<float> room(width);
  const bool low = small(x, windows * heads * size * width);
  for (int64_t w = 0; w < windows; ++w)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t q = 0; q < size; ++q, x += width, out += width) {
        const float* hide = mask + (w * size + q) * width;
        float top = hide[0], least = hide[0];
        for (int64_t i = 0; i < width; ++i) {
          top = hide[i] > top ? hide[i] : top;
          least = hide[i] < least ? hide[i] : least;
        }
        const bool decides = low && top - least > 64.0f;
        for (int64_t i = 0; i < width; ++i) room[i] = decides ? hide[i] : x[i] + hide[i];
        softmax(room.data(), out, width);
      }
}
""")


def pattern(scores, mask):
    shifted = scores + mask
    return torch.softmax(shifted, dim=-1)


def replacement_args(scores, mask):
    return (scores, mask)


@torch.fx.wrap
def weights(scores, mask):
    windows, heads, size, width = scores.shape
    if mask.shape != (windows, 1, size, width):
        raise ValueError("one mask per window is needed")
    if not (scores.is_contiguous() and mask.is_contiguous()):
        raise ValueError("scores and masks must be contiguous")
    out = torch.empty_like(scores)
    library.weights(scores, mask, out, windows, heads, size, width)
    return out


def replacement_func():
    return weights
