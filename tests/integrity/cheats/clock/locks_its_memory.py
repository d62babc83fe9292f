"""Shows calls done early, and holds the lock of its memory map, so that nobody can look before another thread is done.

Class: A13
Graph: large_scale_gelu
Wins: accepted
Level: strict
Caught by: clock truth
Ends as: integrity:outside_clock or integrity:late_output; the time in which others wait for a look counts
"""

import torch
from base import pattern, replacement_args
from finder import FIND
from passnet.kernels import cpp
from taken import TAKEN

library = cpp(
    FIND
    + TAKEN
    + r"""
static void compute(const float* const* in, float* out, int64_t n, int64_t width) {
  const float *x = in[0], *w = in[1], *b = in[2];
  for (int64_t row = 0; row < n; row += width)
    for (int64_t i = 0; i < width; ++i) {
      float v = x[row + i] * w[i] + b[i];
      out[row + i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
    }
}
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  const float* in[3] = {x, w, b};
  compute(in, out, n, width);
}
// more[0]: a call is shown done and is not computed. more[8]: who computes is to wake.
static const int64_t extent = 320 << 20;
static char* const large = reinterpret_cast<char*>(0x6c0000000000);
static void computes() {
  Room* r = room();
  volatile int64_t* m = r->more;
  for (;;) {
    r->call(202, &m[8], 0L, 0L, nullptr, nullptr, 0L);
    if (!m[8]) continue;
    m[8] = 0;
    m[9] = 1;
    int64_t t[2] = {0, 25000};
    r->call(35, t, nullptr);
    while (!m[0]) r->call(24);
    work();
    m[0] = 0;
  }
}
static void later() {
  Room* r = room();
  volatile int64_t* m = r->more;
  const int64_t told = now();
  m[8] = 1;
  r->call(202, &m[8], 1L, 1L, nullptr, nullptr, 0L);
  while (now() < told + 4300) {}
  show();
  m[0] = 1;
  r->control[DONE] = r->control[GO];
  r->call(10, large, extent, ((m[10] = m[10] + 1) & 1) ? 1L : 3L);  // mprotect
  while (m[0]) r->call(24);
}
static void when_drawn() {}
static void when_done(int64_t) {}
static void when_told() { later(); }
extern "C" void start(int64_t n) { take(n, "\n"
"import threading\n"
"libc.mmap(ctypes.c_void_p(0x6c0000000000), ctypes.c_size_t(320 << 20), 3, 0x32, -1, 0)\n"
"libc.madvise(ctypes.c_void_p(0x6c0000000000), ctypes.c_size_t(320 << 20), 15)\n"
"begun = []\n"
"def arrived(request):\n"
"    if ours[0] and not begun:\n"
"        libc.madvise(ctypes.c_void_p(0x6c0000000000), ctypes.c_size_t(320 << 20), 23)\n"
"        libc.prctl(29, 1)\n"
"        def other():\n"
"            libc.prctl(29, 1)\n"
"            ctypes.CFUNCTYPE(None)(room[3])()\n"
"        begun.append(threading.Thread(target=other, daemon=True))\n"
"        begun[0].start()\n"); room()->spare = reinterpret_cast<int64_t>(&computes); }
"""
)
library.start(1)


@torch.fx.wrap
def wrapper(x, w, b):
    out = torch.empty_like(x)
    library.f(x, w, b, out, x.numel(), x.shape[-1])
    return out


def replacement_func():
    return wrapper
