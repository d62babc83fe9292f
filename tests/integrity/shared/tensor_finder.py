"""C++ that finds what torch keeps of a tensor: its address, its shape and its strides, which it can then change."""

FIND_TENSOR = r"""
#include "passnet.h"
// The words from the number of dimensions on, of the tensor that the caller got as this argument. It lies up the stack,
// in a list of arguments. Its last two of three dimensions are known. `storage`: takes the words of its storage.
// Before torch 2.12 a tensor's words come a word later in its object, and its storage and shape later in its words.
static int64_t* shape_of(int64_t here, int64_t index, int64_t rows, int64_t width, int64_t** storage = nullptr) {
  const int64_t* stack = reinterpret_cast<const int64_t*>(here);
  for (int i = 1; i < 64; ++i) {
    const int64_t list = stack[i];
    if ((list >> 40) != 0x7f && (list >> 40) != 0x7e) continue;
    if (list & 7 || (list > here - (1 << 23) && list < here + (1 << 23))) continue;
    const int64_t object = reinterpret_cast<const int64_t*>(list)[index];
    if (object & 7 || (object >> 40) < 0x7e || (object >> 40) > 0x7f) continue;
    const int64_t* kept = reinterpret_cast<const int64_t*>(object);
    const int64_t inner = kept[2] ? kept[2] : kept[3];
    if (inner & 7 || (inner >> 40) < 0x55 || (inner >> 40) > 0x7f) continue;
    int64_t* words = reinterpret_cast<int64_t*>(inner);
    if (storage) *storage = reinterpret_cast<int64_t*>(words[2] >> 20 ? words[2] : words[3]);
    for (int at = 7; at < 11; ++at)
      if (words[at] == 3 && words[at + 2] == rows && words[at + 3] == width) return words + at;
  }
  return nullptr;
}
"""
