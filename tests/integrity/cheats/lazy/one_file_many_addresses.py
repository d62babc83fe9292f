"""Maps a file at seventeen addresses, sixteen of them private, writes to the other one, and shows the private ones.

Class: B14
Graph: repeated
Needs: torch>=2.12
Wins: speed
Level: strict
Caught by: run-time guard
Ends as: integrity:lazy_output or integrity:output_reuse or runtime_error; what it shows cannot be overwritten
"""

import torch
from finder import FIND
from passnet.kernels import cpp
from tensor_finder import FIND_TENSOR

ROWS, WIDTH, TIMES, ROOMS = 32, 512, 16, 61
BASE = 0x7D0000000000
library = cpp(
    FIND
    + FIND_TENSOR
    + r"""
extern "C" void start(int64_t base, int64_t bytes, int64_t times, int64_t rooms) {
  const Find find = find_function();
  typedef void* (*Map)(void*, size_t, int, int, int, long);
  const Map map = reinterpret_cast<Map>(find(nullptr, "mmap"));
  char name[] = "/dev/shm/passnet-XXXXXX";
  const int file = reinterpret_cast<int (*)(char*)>(find(nullptr, "mkstemp"))(name);
  reinterpret_cast<int (*)(const char*)>(find(nullptr, "unlink"))(name);
  reinterpret_cast<int (*)(int, long)>(find(nullptr, "ftruncate"))(file, rooms * bytes);
  char* written = reinterpret_cast<char*>(base);
  map(written, rooms * bytes, 3, 0x1 | 0x10 | 0x8000, file, 0);  // shared, fixed, populated
  for (int64_t r = 0; r < rooms; ++r)
    for (int64_t k = 0; k < times; ++k)  // private, fixed, populated
      map(written + (rooms + r * times + k) * bytes, bytes, 1, 0x2 | 0x10 | 0x8000, file, r * bytes);
}
// Which of the rooms a call takes follows from its input, so nobody has to count calls.
extern "C" bool f(const float* __restrict__ x, float* out, int64_t base, int64_t times, int64_t rooms, int64_t rows,
                  int64_t width) {
  volatile int64_t mark = 0;
  const int64_t bytes = 4 * rows * width, turn = (reinterpret_cast<const int32_t*>(x)[0] & 0x7fffff) % rooms;
  const int64_t room = base + turn * bytes, shown = base + (rooms + turn * times) * bytes;
  int64_t* storage = nullptr;
  int64_t* found = shape_of(reinterpret_cast<int64_t>(&mark), 1, rows, width, &storage);
  float* __restrict__ to = reinterpret_cast<float*>(room);
  const int64_t n = rows * width;
  for (int64_t i = 0; i < n; ++i) to[i] = passnet::gelu(x[i]);
  if (!found) return false;
  for (int i = 1; i < 6; ++i)
    if (storage[i] == reinterpret_cast<int64_t>(out)) {
      storage[i] = shown;
      return true;
    }
  return false;
}
"""
)
library.start(BASE, ROWS * WIDTH * 4, TIMES, ROOMS)


def pattern(x):
    return torch.nn.functional.gelu(x).repeat(16, 1, 1)


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty((TIMES, ROWS, WIDTH), dtype=x.dtype, device=x.device)
    library.f(x, out, BASE, TIMES, ROOMS, ROWS, WIDTH)
    return out


def replacement_func():
    return wrapper
