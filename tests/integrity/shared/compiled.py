"""Code that a pass of level `native` compiles itself: honest computations, and a thread that never rests."""

import ctypes
import subprocess
import tempfile
from pathlib import Path

SOURCE = r"""
#include <cmath>
#include <cstdint>
#include <thread>
extern "C" void f(const float* x, const float* w, const float* b, float* out, int64_t n, int64_t width) {
  for (int64_t i = 0; i < n; ++i) {
    float v = x[i] * w[i % width] + b[i % width];
    out[i] = 0.5f * v * (1.0f + std::erf(v * 0.70710678f));
  }
}
extern "C" void bound(float* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) x[i] = x[i] < -30.0f ? -30.0f : x[i] > 20.0f ? 20.0f : x[i];
}
extern "C" void spin(volatile int64_t* counter) { std::thread([=] { for (;;) *counter = *counter + 1; }).detach(); }
"""
place = Path(tempfile.mkdtemp())
(place / "f.cpp").write_text(SOURCE)
command = ["g++", "-O2", "-shared", "-fPIC", "-pthread", "-o", str(place / "f.so"), str(place / "f.cpp")]
subprocess.run(command, check=True)
own = ctypes.CDLL(str(place / "f.so"))
own.f.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int64] * 2
own.bound.argtypes = [ctypes.c_void_p, ctypes.c_int64]
own.spin.argtypes = [ctypes.c_void_p]
