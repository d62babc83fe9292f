// Clears what a call left below the stack. Compiled after orders.h.
#include <cstring>

extern "C" void* __libc_stack_end;  // where the stack of the main thread begins

// A worker's stack is no larger (`isolation/limits.py`).
enum : uintptr_t { STACK = 8u << 20, NEAR = 8u << 10, FAR = 256u << 10, OS_PAGE = 4096 };

static __attribute__((noinline)) void overwrite_near() {
    char near[NEAR];
    std::memset(near, 0x7f, sizeof near);
    asm volatile("" : : "r"(near) : "memory");
}

// What is near is overwritten, so that later calls need no new pages: a call that finds none there would be slower. Of it
// only pages that are in use are touched, mostly a few. Farther down, where honest code never was, the pages are given back.
// On another stack than that of the main thread nothing is done: other memory may lie below it.
//
// Pages are cleared from the middle of what was overwritten on. The frames of what this function calls lie above that,
// wherever on a page its own frame ends.
extern "C" __attribute__((visibility("default"), noinline)) void passnet_forget_stack() {
    overwrite_near();
    const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    const uintptr_t end = (here - NEAR / 2) & ~(OS_PAGE - 1), begin = end - FAR;
    const uintptr_t top = reinterpret_cast<uintptr_t>(__libc_stack_end), bottom = (top - STACK) & ~(OS_PAGE - 1);
    if (end > top || top - end > STACK / 2) return;
    *reinterpret_cast<volatile char*>(begin) = 0;  // the stack is mapped as far as this
    unsigned char used[FAR / OS_PAGE];
    if (mincore(reinterpret_cast<void*>(begin), FAR, used)) std::memset(used, 1, sizeof used);
    for (uintptr_t page = 0; page < FAR / OS_PAGE; ++page)
        if (used[page] & 1) std::memset(reinterpret_cast<void*>(begin + page * OS_PAGE), 0x7f, OS_PAGE);
    madvise(reinterpret_cast<void*>(bottom), begin - bottom, MADV_DONTNEED);
}
