"""A softmax of scores to which masks of 0 and -100 are added.

Graph: shifted_windows
Level: strict
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
extern "C" void weights(const float* x, const float* mask, float* out, int64_t windows, int64_t heads, int64_t size,
                        int64_t width) {
  std::vector<float> room(width);
  for (int64_t w = 0; w < windows; ++w)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t q = 0; q < size; ++q, x += width, out += width) {
        const float* hide = mask + (w * size + q) * width;
        for (int64_t i = 0; i < width; ++i) room[i] = x[i] + hide[i];
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
