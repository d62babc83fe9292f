// A process that draws by order, on the core of the workers, so that none of them runs meanwhile. It also says how fast that
// core is. Compiled after draw.h and core_speed.h.
#include <atomic>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Words of the page that the controller shares with this process alone; the same numbers as in orders.py.
enum { DUE = 0, JOB = 1, KEY = 2, SWEEP = 4, READY = 8, STANDING = 9, SPEED = 10, OWN = 11 };
// The job that draws nothing: go to the core that stands in place of the key, and say how fast it is. -1: stay.
enum { LOOK = -1 };
enum { ALIKE = 0, PREFERRED = 1, ALONE = 2 };

// What one order draws: `count` inputs.
struct Job { const Input* inputs; int64_t count; };

typedef std::atomic<int64_t> Word;

static Word* word(void* page, int at) { return reinterpret_cast<Word*>(page) + at; }

static long futex(void* at, int what, uint32_t value) { return syscall(SYS_futex, at, what, value, nullptr, nullptr, 0); }

// Wakes all who wait for orders. Who rings from their core leaves it to them at once. From another core this takes an
// interrupt, and what runs on that core next is slower for it: on a virtual machine by several microseconds.
extern "C" __attribute__((visibility("default"))) void passnet_ring(void* bell) { futex(bell, FUTEX_WAKE, INT_MAX); }

// Sleeps until the controller orders something else than it did last. The bell's page holds zeros that nobody can change.
static int64_t next_order(void* page, void* bell, int64_t last) {
    int64_t due;
    while ((due = word(page, DUE)->load(std::memory_order_acquire)) == last) futex(bell, FUTEX_WAIT, 0);
    return due;
}

// Puts this thread before every other one of its core: for good where the system allows it, else by weight and a short slice.
static int64_t take_precedence() {
    sched_param first{};
    first.sched_priority = 1;
    if (sched_setscheduler(0, SCHED_FIFO, &first) == 0) return ALONE;
    struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; }
        slice{48, SCHED_OTHER, 0, -20, 0, 100000, 0, 0};
    return syscall(SYS_sched_setattr, 0, &slice, 0) == 0 ? PREFERRED : ALIKE;
}

// What this thread has had of a processor, in nanoseconds.
static int64_t own_ns() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void go_to(int64_t core) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    sched_setaffinity(0, sizeof only, &only);
}

static void sweep(int64_t bytes) {
    static volatile char* memory = nullptr;
    static int64_t size = 0;
    if (bytes > size) {
        if (size) munmap(const_cast<char*>(memory), size);
        void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        size = mapped == MAP_FAILED ? 0 : bytes;
        memory = static_cast<char*>(mapped);
        if (size) madvise(mapped, size, MADV_HUGEPAGE);  // a first touch of small pages takes longer than ten sweeps
    }
    for (int64_t i = 0; i < bytes && i < size; i += 64) memory[i] = memory[i] + 1;
}

// Does what is ordered, until it is told to stop.
extern "C" __attribute__((visibility("default"))) void passnet_serve_orders(
    void* page, void* bell, const Job* jobs) {
    word(page, STANDING)->store(take_precedence());
    int64_t due = 0;
    word(page, READY)->store(0);
    while ((due = next_order(page, bell, due)) >= 0) {
        const int64_t number = word(page, JOB)->load();
        if (number == LOOK) {
            if (word(page, KEY)->load() >= 0) go_to(word(page, KEY)->load());
            word(page, SPEED)->store(core_ns());
        } else {
            const int64_t began = own_ns();
            passnet_draw(jobs[number].inputs, jobs[number].count, word(page, KEY)->load(), word(page, KEY + 1)->load());
            if (word(page, SWEEP)->load()) sweep(word(page, SWEEP)->load());
            word(page, OWN)->store(own_ns() - began);
        }
        word(page, READY)->store(due, std::memory_order_release);
    }
}

// Holds a further core of the workers while something is drawn.
extern "C" __attribute__((visibility("default"))) void passnet_hold_core(void* page, void* bell, int core) {
    go_to(core);
    take_precedence();
    int64_t due = 0;
    while ((due = next_order(page, bell, due)) >= 0)
        while (word(page, READY)->load(std::memory_order_acquire) != due && word(page, DUE)->load() == due) {}
}

// The controller's side, between blocks: orders, and rings until it is done. Returns nanoseconds, or -1 after
// `limit_ns`. How calls are ordered within a block is in calls.h.
extern "C" __attribute__((visibility("default"))) int64_t passnet_order(
    void* page, void* bell, int64_t due, int64_t job, uint64_t key0, uint64_t key1, int64_t limit_ns) {
    word(page, JOB)->store(job);
    word(page, KEY)->store((int64_t)key0);
    word(page, KEY + 1)->store((int64_t)key1);
    word(page, SWEEP)->store(0);
    const int64_t began = now_ns();
    word(page, DUE)->store(due, std::memory_order_release);
    passnet_ring(bell);
    for (int64_t spins = 1; word(page, READY)->load(std::memory_order_acquire) != due; ++spins) {
        if (spins % 1024) continue;
        if (now_ns() - began > limit_ns) return -1;
        passnet_ring(bell);  // who was about to sleep did not hear the first
    }
    return now_ns() - began;
}

extern "C" __attribute__((visibility("default"))) void passnet_dismiss(void* page, void* bell) {
    word(page, DUE)->store(-1);
    passnet_ring(bell);
}
