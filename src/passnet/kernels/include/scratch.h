// The heap as kernels see it: what they are given holds zeros, and a call that has not freed all of it by its end fails.
//
// The linker sends the author's calls of malloc, operator new and their like here (--wrap). Without this, memory that is
// freed and taken again would still hold what an earlier call left in it.
#pragma once
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

extern "C" {
void* __real_calloc(std::size_t, std::size_t);
void __real_free(void*);
void* __real___cxa_allocate_exception(std::size_t);
}

namespace passnet_scratch {

// Stands before the memory that is handed out. `whole` is what the system gave, `self` the memory itself.
struct alignas(16) Block {
  Block *before, *after;
  void *whole, *self;
  std::size_t size;
};

static Block head = {&head, &head, nullptr, nullptr, 0};  // of the ring of all blocks
static std::atomic_flag held = ATOMIC_FLAG_INIT;
static long calls = 0;

struct Lock {  // threads of one kernel take memory at once
  Lock() { while (held.test_and_set(std::memory_order_acquire)) {} }
  ~Lock() { held.clear(std::memory_order_release); }
};

inline Block* block_of(void* memory) {
  Block* block = static_cast<Block*>(memory) - 1;
  if (block->self != memory) std::abort();  // not taken from here, or given back before
  return block;
}

inline void drop(Block* block) {
  block->before->after = block->after, block->after->before = block->before;
  block->self = nullptr;
  __real_free(block->whole);
}

inline void* take(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) {
  const std::size_t room = alignment < alignof(Block) ? alignof(Block) : alignment;
  if ((room & (room - 1)) != 0 || size > PTRDIFF_MAX - room - sizeof(Block)) return nullptr;
  void* whole = __real_calloc(1, size + room + sizeof(Block));
  if (!whole) return nullptr;
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(whole) + sizeof(Block);
  void* memory = reinterpret_cast<void*>((first + room - 1) & ~static_cast<std::uintptr_t>(room - 1));
  Lock lock;
  Block* block = new (static_cast<Block*>(memory) - 1) Block{&head, head.after, whole, memory, size};
  head.after->before = block;
  head.after = block;
  return memory;
}

inline void give(void* memory) {
  if (!memory) return;
  Lock lock;
  drop(block_of(memory));
}

inline void* must_take(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) {
  void* memory = take(size, alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

inline void enter() {
  Lock lock;
  ++calls;
}

// Whether the call that ends here left memory behind, which is then cleared and taken from it.
inline bool leave() {
  Lock lock;
  if (--calls || head.after == &head) return false;  // another thread is in a call of this library, or nothing is left
  while (head.after != &head) {
    std::memset(head.after->self, 0, head.after->size);
    drop(head.after);
  }
  return true;
}

}  // namespace passnet_scratch

extern "C" {
void* __wrap_malloc(std::size_t size) { return passnet_scratch::take(size); }
void* __wrap_calloc(std::size_t count, std::size_t size) {
  std::size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? nullptr : passnet_scratch::take(bytes);
}
void* __wrap_realloc(void* memory, std::size_t size) {
  void* larger = passnet_scratch::take(size);
  if (!memory || !larger) return larger;
  const std::size_t kept = passnet_scratch::block_of(memory)->size;
  std::memcpy(larger, memory, kept < size ? kept : size);
  return passnet_scratch::give(memory), larger;
}
void __wrap_free(void* memory) { passnet_scratch::give(memory); }
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) { return passnet_scratch::take(size, alignment); }
int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  void* taken = passnet_scratch::take(size, alignment);
  if (taken) *memory = taken;
  return taken ? 0 : ENOMEM;
}
// An exception lives until it is caught, which may be after the call: only its memory is cleared.
void* __wrap___cxa_allocate_exception(std::size_t size) {
  return std::memset(__real___cxa_allocate_exception(size), 0, size);
}

// Whether counts of std::shared_ptr may do without atomic instructions. libc's own variable can be written; this cannot.
extern const char __wrap___libc_single_threaded;
const char __wrap___libc_single_threaded = 0;

// operator new and delete, alone and for arrays; `t` is an alignment, `K` asks for a null pointer instead of a throw.
void* __wrap__Znwm(std::size_t size) { return passnet_scratch::must_take(size); }
void* __wrap__Znam(std::size_t size) { return passnet_scratch::must_take(size); }
void* __wrap__ZnwmRKSt9nothrow_t(std::size_t size, const void*) { return passnet_scratch::take(size); }
void* __wrap__ZnamRKSt9nothrow_t(std::size_t size, const void*) { return passnet_scratch::take(size); }
void* __wrap__ZnwmSt11align_val_t(std::size_t size, std::size_t to) { return passnet_scratch::must_take(size, to); }
void* __wrap__ZnamSt11align_val_t(std::size_t size, std::size_t to) { return passnet_scratch::must_take(size, to); }
void* __wrap__ZnwmSt11align_val_tRKSt9nothrow_t(std::size_t size, std::size_t to, const void*) {
  return passnet_scratch::take(size, to);
}
void* __wrap__ZnamSt11align_val_tRKSt9nothrow_t(std::size_t size, std::size_t to, const void*) {
  return passnet_scratch::take(size, to);
}
void __wrap__ZdlPv(void* memory) { passnet_scratch::give(memory); }
void __wrap__ZdaPv(void* memory) { passnet_scratch::give(memory); }
void __wrap__ZdlPvm(void* memory, std::size_t) { passnet_scratch::give(memory); }
void __wrap__ZdaPvm(void* memory, std::size_t) { passnet_scratch::give(memory); }
void __wrap__ZdlPvRKSt9nothrow_t(void* memory, const void*) { passnet_scratch::give(memory); }
void __wrap__ZdaPvRKSt9nothrow_t(void* memory, const void*) { passnet_scratch::give(memory); }
void __wrap__ZdlPvSt11align_val_t(void* memory, std::size_t) { passnet_scratch::give(memory); }
void __wrap__ZdaPvSt11align_val_t(void* memory, std::size_t) { passnet_scratch::give(memory); }
void __wrap__ZdlPvmSt11align_val_t(void* memory, std::size_t, std::size_t) { passnet_scratch::give(memory); }
void __wrap__ZdaPvmSt11align_val_t(void* memory, std::size_t, std::size_t) { passnet_scratch::give(memory); }
void __wrap__ZdlPvSt11align_val_tRKSt9nothrow_t(void* memory, std::size_t, const void*) { passnet_scratch::give(memory); }
void __wrap__ZdaPvSt11align_val_tRKSt9nothrow_t(void* memory, std::size_t, const void*) { passnet_scratch::give(memory); }
}
