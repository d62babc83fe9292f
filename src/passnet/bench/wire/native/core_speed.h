// A fixed piece of work, timed: whether this core is as fast as it can be. Independent additions fill a whole core, so the
// work takes half as long again where somebody uses the other hardware thread of the core. Compiled before orders.h.
#include <algorithm>
#include <cstdint>
#include <ctime>

static int64_t now_ns() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static uint64_t fixed_work() {
    uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
    for (uint64_t i = 0; i < 4000; ++i) {
        a += i; b ^= i; c += a >> 1; d ^= i + 7; e += i; f ^= e; g += i; h ^= 3 * i;
        asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));  // one by one, as written
    }
    return a + b + c + d + e + f + g + h;
}

// The nanoseconds of the middle one of some repetitions. What interrupts a few of them does not count, and neither does a
// neighbour who rests for a few.
static int64_t core_ns() {
    static volatile uint64_t kept;
    int64_t took[11];
    for (int64_t& one : took) {
        const int64_t began = now_ns();
        kept = fixed_work();
        one = now_ns() - began;
    }
    std::nth_element(took, took + 5, took + 11);
    return took[5];
}
