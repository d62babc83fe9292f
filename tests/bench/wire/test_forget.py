"""The stack below a call is cleared, wherever on a page the call's frame ends, and the next call needs no new pages."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from passnet.bench.wire import generator
from passnet.kernels.compilation.toolchain import find_toolchain

# Every frame is a multiple of 16 bytes, so 256 shifts put it at every place of a page.
PROGRAM = r"""
#include <alloca.h>
#include <cstdint>
#include <sys/mman.h>
#include <sys/resource.h>
#include "forget.h"
#ifndef ROOM
#define ROOM (64u << 10)
#endif
__attribute__((noinline)) static void leave() {
  char room[ROOM];
  std::memset(room, 0x55, ROOM);
  asm volatile("" : : "r"(room) : "memory");
}
__attribute__((noinline)) static unsigned found() {
  char room[ROOM];
  asm volatile("" : : "r"(room) : "memory");
  unsigned count = 0;
  for (unsigned at = 0; at < ROOM; ++at) count += static_cast<volatile char*>(room)[at] == 0x55;
  return count;
}
__attribute__((noinline)) static unsigned from(unsigned shift) {
  char* room = static_cast<char*>(alloca(16 * shift + 16));
  asm volatile("" : : "r"(room) : "memory");
  leave();
  passnet_forget_stack();
  const unsigned count = found();
  asm volatile("" : : "r"(room) : "memory");
  return count;
}
static long new_pages() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_minflt;
}
int main() {
  from(0);
  const long before = new_pages();
  for (int again = 0; again < 64; ++again) from(0);
  if (ROOM < FAR && new_pages() - before > 64) return 2;
  for (unsigned shift = 0; shift < 256; ++shift)
    if (from(shift) > 64) return 1;  // chance bytes of frames beside it
  return 0;
}
"""


@pytest.mark.parametrize("room", ["64u << 10", "1u << 20"])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_what_calls_left_on_the_stack_is_gone_and_no_frame_is(level: str, room: str, tmp_path: Path) -> None:
    source, program = tmp_path / "forgets.cpp", tmp_path / "forgets"
    source.write_text(PROGRAM)
    native = Path(generator.__file__).parent / "native"
    compiler = find_toolchain().compiler
    command = [compiler, level, "-std=c++17", f"-DROOM=({room})", "-I", native, source, "-o", program]
    subprocess.run(command, check=True)
    assert subprocess.run([program], check=False).returncode == 0
