"""Begins a long system call when a block is over, which went on while the process was stopped and eager was timed.

Class: A15
Graph: long_chain
Wins: accepted
Level: strict
Caught by: no layer
Ends as: correct; nobody else is timed before the call has returned, so it gains nothing
"""

import torch
from passnet.kernels import cpp

library = cpp(r"""
#include "passnet.h"
typedef void* (*Find)(void*, const char*);
static const char* const text = R"PY(
import os, tempfile
from passnet.bench.wire.channel import Channel
receive, send, last = Channel.receive, Channel.send, {}
much, file = bytes(100 << 20), tempfile.TemporaryFile()
def seen(self, timeout_s=None):
    last.update(message := receive(self, timeout_s))
    return message
def answered(self, message, fds=()):
    send(self, message, fds)
    if last["do"] == "block" and last["variant"] == "direct" and last["mode"] == "plain" and not last["swept"]:
        os.pwrite(file.fileno(), much, 0)
Channel.receive, Channel.send = seen, answered
)PY";
template <class T> static T at(uintptr_t address) { return *reinterpret_cast<const T*>(address); }
// The C library begins with its header below any function of it; the names of all its functions lie there.
static Find find_function() {
  void* (*volatile known)(void*, const void*, std::size_t) = std::memcpy;
  uintptr_t base = reinterpret_cast<uintptr_t>(known) & ~uintptr_t(4095);
  while (at<uint32_t>(base) != 0x464c457fu) base -= 4096;
  uintptr_t dynamic = 0, symbols = 0, names = 0;
  for (int i = 0; i < at<uint16_t>(base + 56); ++i) {
    const uintptr_t header = base + at<uint64_t>(base + 32) + 56 * i;
    if (at<uint32_t>(header) == 2) dynamic = base + at<uint64_t>(header + 16);
  }
  for (; at<uint64_t>(dynamic); dynamic += 16) {
    if (at<uint64_t>(dynamic) == 5) names = at<uint64_t>(dynamic + 8);
    if (at<uint64_t>(dynamic) == 6) symbols = at<uint64_t>(dynamic + 8);
  }
  for (uintptr_t s = symbols + 24; s < names; s += 24)
    if (at<uint64_t>(s + 8) && !std::strcmp(reinterpret_cast<const char*>(names + at<uint32_t>(s)), "dlsym"))
      return reinterpret_cast<Find>(base + at<uint64_t>(s + 8));
  return nullptr;
}
extern "C" void chain(const float* x, float* out, int64_t n, int64_t times) {
  for (int64_t again = 0; again < times; ++again)
    for (int64_t i = 0; i < n; ++i)
      out[i] = passnet::sigmoid(passnet::gelu(std::sin(passnet::tanh(x[i]))));
}
extern "C" void start(int64_t n) {
  const Find find = find_function();
  if (!find || n < 0) return;
  const int state = reinterpret_cast<int (*)()>(find(nullptr, "PyGILState_Ensure"))();
  reinterpret_cast<int (*)(const char*)>(find(nullptr, "PyRun_SimpleString"))(text);
  reinterpret_cast<void (*)(int)>(find(nullptr, "PyGILState_Release"))(state);
}
""")
library.start(1)


def pattern(x):
    return torch.sigmoid(torch.nn.functional.gelu(torch.sin(torch.tanh(x))))


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.chain(x, out, x.numel(), 1)
    return out


def replacement_func():
    return wrapper
