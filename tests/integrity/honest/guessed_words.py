"""Counts the guesses that are right: the first of the largest scores of a row is the guess.

Graph: guessed_words
Level: strict
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
#include <algorithm>
extern "C" void run(const float* x, const int64_t* meant, float* top, float* out, int64_t rows, int64_t n) {
  int64_t right = 0;
  for (int64_t r = 0; r < rows; ++r, x += n) {
    const float* guess = std::max_element(x, x + n);
    top[r] = *guess;
    right += guess - x == meant[r];
  }
  out[0] = (float)right / (float)rows;
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
    library.run(scores, meant, top, out, scores.shape[0], scores.shape[1])
    return top, out


def replacement_func():
    return wrapper
