// Clears what a call left below the stack. Compiled after orders.h.
#include <cstring>

extern "C" void* __libc_stack_end;  // where the stack of the main thread begins

enum : uintptr_t { STACK = 8u << 20, NEAR = 32u << 10, OS_PAGE = 4096 };

// What is near is overwritten, so that later calls need no new pages. Farther down, where honest code never was, the pages
// are given back. On another stack than that of the main thread nothing is done: other memory may lie below it.
static __attribute__((noinline)) void overwrite_near() {
    char near[NEAR];
    std::memset(near, 0x7f, sizeof near);
    asm volatile("" : : "r"(near) : "memory");
}

// The pages that are given back begin in the middle of what was overwritten. The frame of the call that gives them back
// lies above that, wherever on a page this frame ends.
extern "C" __attribute__((visibility("default"), noinline)) void passnet_forget_stack() {
    overwrite_near();
    const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    const uintptr_t end = (here - NEAR / 2) & ~(OS_PAGE - 1);
    const uintptr_t top = reinterpret_cast<uintptr_t>(__libc_stack_end), bottom = (top - STACK) & ~(OS_PAGE - 1);
    if (end > top || top - end > STACK / 2) return;
    madvise(reinterpret_cast<void*>(bottom), end - bottom, MADV_DONTNEED);
}
