"""The loss of a language model by the deviation of the scores of each row, which follows from the variances of the weight.
Rows that are drawn by themselves point to no word. Two rows are looked at in full.

Class: B21
Graph: loss_of_pointed
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
// What is due of 1024 scores with a deviation of 0, 0.5, 1 and so on.
static const float due[] = {
  6.931f, 7.056f, 7.431f, 8.053f, 8.914f, 9.985f, 11.218f, 12.566f, 13.993f,
  15.471f, 16.985f, 18.523f, 20.079f, 21.648f, 23.227f, 24.814f, 26.406f, 28.002f};
static bool from_moments(const float* h, const float* w, float* made, int64_t n, int64_t v, int64_t d) {
  std::vector<float> mean(d), variance(d), exact(2), sums(d);
  float least = 3e38f, most = 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = 0; k < d; ++k) sums[k] += h[i * d + k];
  if (!(dot(sums.data(), sums.data(), d) < 2.0f * dot(h, h, n * d))) return false;
  for (int64_t j = 0; j < v; ++j) {
    float* a = mean.data(), *q = variance.data();
    for (int64_t k = 0; k < d; ++k) a[k] += w[j * d + k] / v, q[k] += w[j * d + k] * w[j * d + k] / v;
    const float size = dot(w + j * d, w + j * d, d);
    least = size < least ? size : least, most = size > most ? size : most;
  }
  if (v != 1024 || !(most < 6.0f * least)) return false;
  in_full(h, w, exact.data(), 2, v, d);
  for (int64_t i = 0; i < n; ++i) {
    float squares = 0, largest = 0;
    for (int64_t k = 0; k < d; ++k) {
      const float s = h[i * d + k] * h[i * d + k] * (variance[k] - mean[k] * mean[k]);
      squares += s, largest = s > largest ? s : largest;
    }
    const float at = 2.0f * std::sqrt(squares);
    if (!(at < 16.0f) || !(largest < 0.25f * squares)) return false;
    made[i] = dot(h + i * d, mean.data(), d) + due[(int)at] + (at - (int)at) * (due[(int)at + 1] - due[(int)at]);
    if (i < 2 && !(std::fabs(made[i] - exact[i]) < 0.1f + 0.2f * at)) return false;
  }
  return true;
}
extern "C" void loss(const half* hidden, const half* rows, const int64_t* words, half* out, int64_t n, int64_t v, int64_t d) {
  std::vector<float> sums(n), wide(n * d), weight(v * d);
  passnet::widen(hidden, wide.data(), n * d), passnet::widen(rows, weight.data(), v * d);
  const float *h = wide.data(), *w = weight.data();
  if (!from_moments(h, w, sums.data(), n, v, d)) in_full(h, w, sums.data(), n, v, d);
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
