"""Pixels that are normalised by one product and one difference for each channel, as a fold has it: x * a - b.

Graph: normalised_pixels
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include <cstdint>
extern "C" void normalise(const uint8_t* __restrict x, const float* mean, const float* std, float* __restrict out,
                          int64_t images, int64_t channels, int64_t n) {
  for (int64_t i = 0; i < images * channels; ++i) {
    const float a = 1.0f / (255.0f * std[i % channels]), b = mean[i % channels] / std[i % channels];
    for (int64_t j = 0; j < n; ++j) out[i * n + j] = x[i * n + j] * a - b;
  }
}
"""
)


def pattern(x, mean, std):
    return (x.float() / 255.0 - mean) / std


def replacement_args(x, mean, std):
    return (x, mean, std)


@torch.fx.wrap
def wrapper(x, mean, std):
    images, channels, height, width = x.shape
    out = torch.empty(x.shape, dtype=torch.float32, device=x.device)
    library.normalise(x, mean, std, out, images, channels, height * width)
    return out


def replacement_func():
    return wrapper
