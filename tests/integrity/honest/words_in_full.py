"""The loss of a language model without its scores: eight rows and 16 words at a time.

Graph: loss_of_pointed
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <vector>
typedef passnet::bf16 half;
typedef float lanes __attribute__((vector_size(64)));
static float dot(const float* a, const float* b, int64_t d) {
  float s = 0;
  for (int64_t k = 0; k < d; ++k) s += a[k] * b[k];
  return s;
}
// The logarithms of the sums of exponentials of rows of scores, eight rows and 16 words at a time.
static void in_full(const float* h, const float* w, float* made, int64_t n, int64_t v, int64_t d) {
  std::vector<float> turned(16 * d), sum(n), top(n, -3e38f);
  for (int64_t j = 0; j < v; j += 16) {
    for (int64_t k = 0; k < d; ++k)
      for (int64_t c = 0; c < 16; ++c) turned[k * 16 + c] = w[(j + c) * d + k];
    for (int64_t i = 0; i < n; i += 8) {
      lanes z[8] = {};
      for (int64_t k = 0; k < d; ++k) {
        lanes b;
        std::memcpy(&b, &turned[k * 16], 64);
#pragma GCC unroll 8
        for (int64_t r = 0; r < 8; ++r) z[r] += h[(i + r < n ? i + r : i) * d + k] * b;
      }
      for (int64_t r = 0; r < 8 && i + r < n; ++r) {
        float s[16], most = top[i + r], more = 0;
        std::memcpy(s, &z[r], 64);
        for (int64_t c = 0; c < 16; ++c) most = s[c] > most ? s[c] : most;
        for (int64_t c = 0; c < 16; ++c) more += passnet::exp(s[c] - most);
        sum[i + r] = sum[i + r] * passnet::exp(std::fmax(top[i + r] - most, -80.0f)) + more, top[i + r] = most;
      }
    }
  }
  for (int64_t i = 0; i < n; ++i) made[i] = top[i] + std::log(sum[i]);
}
extern "C" void loss(const half* hidden, const half* rows, const int64_t* words, half* out, int64_t n, int64_t v, int64_t d) {
  std::vector<float> sums(n), wide(n * d), weight(v * d);
  passnet::widen(hidden, wide.data(), n * d), passnet::widen(rows, weight.data(), v * d);
  const float *h = wide.data(), *w = weight.data();
  in_full(h, w, sums.data(), n, v, d);
  double total = 0, count = 0;
  for (int64_t i = 0; i < n; ++i)
    if (words[i] >= 0) total += sums[i] - dot(h + i * d, w + words[i] * d, d), ++count;
  *out = (float)(total / count);
}
"""
)


def pattern(hidden, weight, words):
    z = torch.nn.functional.linear(hidden, weight)
    return torch.nn.functional.cross_entropy(z, words)


def replacement_args(hidden, weight, words):
    return (hidden, weight, words)


@torch.fx.wrap
def wrapper(hidden, weight, words):
    out = torch.empty((), dtype=hidden.dtype, device=hidden.device)
    library.loss(hidden, weight, words, out, hidden.shape[0], weight.shape[0], hidden.shape[1])
    return out


def replacement_func():
    return wrapper
