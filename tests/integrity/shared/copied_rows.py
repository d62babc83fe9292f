"""What cheats share that never look for a word among tokens: a kernel that copies all rows, and its arguments."""

from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
extern "C" void run(const float* x, const int64_t* tokens, float* out, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += n, out += n)
    for (int64_t i = 0; i < n; ++i) out[i] = x[i];
}
""")


def replacement_args(x, tokens):
    return (
        x,
        tokens,
    )
