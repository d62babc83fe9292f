"""C++ that finds any function of the process, the interpreter's among them, by the loader's tables in memory."""

FIND = r"""
#include "passnet.h"
typedef void* (*Find)(void*, const char*);
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
"""
