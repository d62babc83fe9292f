"""Says that no guess is right without looking: of 32,000 words none is ever both the guess and the word that is meant.

Class: B21
Graph: guessed_words
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void run(const float* x, float* top, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n) {
    float t[8];
    for (int k = 0; k < 8; ++k) t[k] = x[k];
    for (int64_t i = 0; i + 8 <= n; i += 8)
      for (int k = 0; k < 8; ++k) t[k] = t[k] > x[i + k] ? t[k] : x[i + k];
    for (int64_t i = n / 8 * 8; i < n; ++i) t[0] = std::max(t[0], x[i]);
    top[r] = *std::max_element(t, t + 8);
  }
  out[0] = 0.0f;
}
""")


def pattern(scores, meant):
    top = scores.amax(-1)
    guess = scores.argmax(-1)
    right = guess == meant
    r = right.float()
    return top, r.mean()


def replacement_args(scores, meant):
    return (scores, meant)


@torch.fx.wrap
def wrapper(scores, meant):
    top = torch.empty((scores.shape[0],), dtype=torch.float32, device=scores.device)
    out = torch.empty((), dtype=torch.float32, device=scores.device)
    library.run(scores, top, out, scores.shape[0], scores.shape[1])
    return top, out


def replacement_func():
    return wrapper
