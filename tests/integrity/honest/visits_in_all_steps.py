"""A walk on a graph step by step, as chances of where it is.

Graph: visits
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(
    r"""
#include "passnet.h"
#include <vector>
static void softmax(const float* from, float* to, int64_t k) {
  float m = from[0], s = 0;
  for (int64_t j = 1; j < k; ++j) m = from[j] > m ? from[j] : m;
  for (int64_t j = 0; j < k; ++j) to[j] = std::exp(from[j] - m), s += to[j];
  for (int64_t j = 0; j < k; ++j) to[j] /= s;
}
extern "C" void visits(const float* begin, const float* links, float* out, int64_t steps, int64_t b, int64_t k) {
  std::vector<float> w(k * k), first(k), n(k);
  for (int64_t i = 0; i < k; ++i) softmax(links + i * k, &w[i * k], k);
  for (int64_t r = 0; r < b; ++r) {
    softmax(begin + r * k, first.data(), k);
    float* p = out + r * k;
    for (int64_t j = 0; j < k; ++j) p[j] = first[j];
    for (int64_t t = 0; t < steps; ++t) {
      for (int64_t j = 0; j < k; ++j) n[j] = 0;
      for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j) n[j] += p[i] * w[i * k + j];
      for (int64_t j = 0; j < k; ++j) p[j] = 0.85f * n[j] + 0.15f * first[j];
    }
  }
}
"""
)


def pattern(begin, links):
    p = torch.softmax(begin, -1)
    w = torch.softmax(links, -1)
    again = p * 0.15
    for _ in range(15):
        q = torch.matmul(p, w)
        r = q * 0.85
        p = r + again
    return p


def replacement_args(begin, links):
    return (begin, links)


@torch.fx.wrap
def visits(begin, links):
    out = torch.empty_like(begin)
    library.visits(begin, links, out, 15, begin.shape[0], begin.shape[1])
    return out


def replacement_func():
    return visits
