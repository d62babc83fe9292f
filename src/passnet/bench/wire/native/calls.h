// The controller's side of a block: makes calls due one after another, has their inputs drawn, lets them be made, and takes
// the times. Compiled after orders.h.
//
// Everything about the calls is decided before. So nothing is computed between a call's end and the order for the next one.
// A worker that goes on after it has shown a call done comes late to the next, and that is seen.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/uio.h>

// Words of the control page; the same numbers as in shared_buffers.py.
enum { CALL_DUE = 0, PLACE = 1, SLOT = 2, DRAW = 3, CALL_KEY = 4, CALL_SWEEP = 6, GO = 8, CALL_READY = 16, DONE = 24 };

// One call. `job`: what the drawer draws for it. -1: the worker draws, by `draw`.
struct Call { int64_t due, go, place, slot, draw, key0, key1, swept, job; };
// When it was told to go and when it was done, by the clock. Nanoseconds: from the end of the call before to
// ready, what of these the drawer worked, and what of these came after it.
struct Times { int64_t drawing, drawer, holding, told, done; };

// Of a call; DRAWING is in course.py too.
enum { PUBLISH = 0, DRAWING = 1, DRAWN = 2, CALLING = 3 };
// How the controller comes back; the same numbers as in course.py.
enum { MADE = 0, STILL = 1, UNASKED = 2 };

// An output that stays in the worker's memory. `shown`: the word of the control page with its address; behind that are the
// strides of its dimensions. `item`: bytes of an element.
struct Output { int64_t shown, dims, item; const int64_t* sizes; };
// A byte that is read when a call is done: of an element of an output, or where `output` is below 0, of our own memory at `at`.
struct Look { int64_t output, at, byte; };
// Bytes that are copied to `to` when a call that is kept is done: of an output from its byte `at` on, or of our own memory.
struct Piece { int64_t output, at, bytes, to; };

// Where a block stands. `outputs`: those that stay in the memory of the process `pid`; `shown`: for each call, what the page
// said of them when it was done. `looked_at`: bytes that are read at once then, those of call i from `looks[i]` on; `unread`:
// how many of these could not be. `pages`: the system's table of that process's pages, or -1; `foreign`: which of the bytes
// lay in pages of files or shared ones, of the last call that was asked for. `pieces`: what is copied of call i, from
// `copied[i]` on, and goes to `copies`; `taken`: which of these could be.
// `drawn`: what the drawer's word held before the call. `ready`, `done`: what the worker's words held last. `began`: when the
// call was made due. `had`: when it was drawn. `rings`: when the controller rings for the drawer, where no worker has.
// `stops`: the group of processes that is stopped as soon as the last call is done that was asked for, or 0. `busy`: 1 while
// a thread of ours occupies its core, and `thread` is that thread.
struct Course {
    void* control;
    void* page;
    void* bell;
    const Call* calls;
    Times* times;
    const Output* outputs;
    int64_t* shown;
    const Look* looked_at;
    uint8_t* seen;
    const int64_t* looks;
    uint8_t* foreign;
    const Piece* pieces;
    const int64_t* copied;
    uint8_t* copies;
    uint8_t* taken;
    int64_t count, words, pid, unread, pages;
    int64_t call, phase, drawn, ready, done, began, had, rings, patience_ns, yields, stops, busy, thread;
};

// Spins until the word changes. The clock is read at once then. STILL after `until`.
static int64_t await(Course* course, Word* at, int64_t before, int64_t value, bool rings, int64_t until, int64_t* when) {
    for (int64_t spins = 1;; ++spins) {
        const int64_t seen = at->load(std::memory_order_acquire);
        if (seen != before) {
            *when = now_ns();
            return seen == value ? MADE : UNASKED;
        }
        if (course->yields) sched_yield();
        if (spins % 1024 && !course->yields) continue;
        const int64_t now = now_ns();
        if (rings && now >= course->rings) {
            passnet_ring(course->bell);
            course->rings = now + course->patience_ns;
        }
        if (now > until) return STILL;
    }
}

// `since`: when the call before was done, where nothing but looking has happened since. What holds that up counts as waiting.
static void publish(Course* course, const Call& call, int64_t since) {
    void* control = course->control;
    word(control, PLACE)->store(call.place);
    word(control, SLOT)->store(call.slot);
    if (call.job < 0) {
        word(control, DRAW)->store(call.draw);
        word(control, CALL_KEY)->store(call.key0);
        word(control, CALL_KEY + 1)->store(call.key1);
        word(control, CALL_SWEEP)->store(call.swept);
    } else {
        word(course->page, JOB)->store(call.job);
        word(course->page, KEY)->store(call.key0);
        word(course->page, KEY + 1)->store(call.key1);
        word(course->page, SWEEP)->store(call.swept);
        course->drawn = word(course->page, READY)->load();
    }
    const int64_t now = now_ns();
    course->began = since ? since : now;
    course->rings = now + course->patience_ns;
    if (call.job >= 0) word(course->page, DUE)->store(call.due, std::memory_order_release);
    word(control, CALL_DUE)->store(call.due, std::memory_order_release);
}

// Where a byte of an element lies, as the page said. Whatever it said: what is not there cannot be read.
static uint64_t address_of(const Output& output, const int64_t* shown, int64_t element, int64_t byte) {
    uint64_t at = shown[0];
    for (int64_t d = output.dims - 1; d >= 0; --d) {
        at += (uint64_t)(element % output.sizes[d]) * (uint64_t)shown[1 + d] * (uint64_t)output.item;
        element /= output.sizes[d];
    }
    return at + byte;
}

// Whether a page is a file's or shared, so that it may lie at several addresses.
static bool is_foreign(int64_t pages, uint64_t at) {
    static const uint64_t size = sysconf(_SC_PAGESIZE);
    uint64_t entry = 0;
    return pread(pages, &entry, sizeof entry, at / size * sizeof entry) == sizeof entry && entry >> 61 & 1;
}

// Says in what pages the bytes lie that were just read. Nobody knows yet that this call is kept, so nobody could have moved
// its outputs. Bytes of zero are left out: they may be the system's own page, which stands for all memory without content.
static void look_at_pages(Course* course, int64_t call) {
    const int64_t* shown = course->shown + call * course->words;
    for (int64_t i = course->looks[call]; i < course->looks[call + 1]; ++i) {
        const Look& each = course->looked_at[i];
        if (each.output < 0 || !course->seen[i]) continue;
        const Output& output = course->outputs[each.output];
        const uint64_t at = address_of(output, shown + (output.shown - course->outputs[0].shown), each.at, each.byte);
        course->foreign[i] = is_foreign(course->pages, at);
    }
}

// Takes what the page says of the outputs of one call. It holds from then on.
static void take_shown(Course* course, int64_t call) {
    if (course->looks[call] == course->looks[call + 1]) return;
    int64_t* shown = course->shown + call * course->words;
    for (int64_t i = 0, at = 0; i < course->count; ++i)
        for (int64_t d = 0; d <= course->outputs[i].dims; ++d) shown[at++] = word(course->control, course->outputs[i].shown + d)->load();
}

// Whether the elements of an output lie one after another.
static bool in_order(const Output& output, const int64_t* shown) {
    int64_t step = 1;
    for (int64_t d = output.dims - 1; d >= 0; --d) {
        if (output.sizes[d] != 1 && shown[1 + d] != step) return false;
        step *= output.sizes[d];
    }
    return true;
}

// Copies the pieces of one call. Who writes into them later is found.
static void copy_pieces(Course* course, int64_t call) {
    const int64_t* shown = course->shown + call * course->words;
    for (int64_t i = course->copied[call]; i < course->copied[call + 1]; ++i) {
        const Piece& piece = course->pieces[i];
        uint8_t* to = course->copies + piece.to;
        if (piece.output < 0) {
            memcpy(to, (const void*)piece.at, piece.bytes);
            course->taken[i] = 1;
            continue;
        }
        const Output& output = course->outputs[piece.output];
        const int64_t* its = shown + (output.shown - course->outputs[0].shown);
        if (!in_order(output, its)) continue;
        iovec ours = {to, (size_t)piece.bytes}, theirs = {(void*)((uint64_t)its[0] + (uint64_t)piece.at), (size_t)piece.bytes};
        course->taken[i] = process_vm_readv(course->pid, &ours, 1, &theirs, 1, 0) == (ssize_t)piece.bytes;
    }
}

// Reads the bytes of one call that are looked at.
static void look(Course* course, int64_t call) {
    enum { TOGETHER = 128 };
    const int64_t from = course->looks[call], end = course->looks[call + 1];
    int64_t* shown = course->shown + call * course->words;
    iovec theirs[TOGETHER];
    for (int64_t first = from; first < end;) {
        int64_t many = 0;
        for (; many < TOGETHER && first + many < end && course->looked_at[first + many].output >= 0; ++many) {
            const Look& each = course->looked_at[first + many];
            const Output& output = course->outputs[each.output];
            const int64_t* its = shown + (output.shown - course->outputs[0].shown);
            theirs[many] = {(void*)address_of(output, its, each.at, each.byte), 1};
        }
        if (many) {
            iovec ours = {course->seen + first, (size_t)many};
            const ssize_t got = process_vm_readv(course->pid, &ours, 1, theirs, many, 0);
            course->unread += many - (got > 0 ? got : 0);
        } else {
            course->seen[first] = *(const volatile uint8_t*)course->looked_at[first].at;
            many = 1;
        }
        first += many;
    }
}

// A core that sleeps while a worker is stopped is slow afterwards, for several calls. So a thread keeps it awake.
static void* keep_awake(void* busy) {
    while (((Word*)busy)->load(std::memory_order_relaxed)) {}
    return nullptr;
}

static void occupy(Course* course) {
    cpu_set_t cores;
    pthread_attr_t attributes;
    if (sched_getaffinity((pid_t)course->pid, sizeof cores, &cores) || CPU_COUNT(&cores) != 1 || course->yields) return;
    pthread_attr_init(&attributes);
    pthread_attr_setaffinity_np(&attributes, sizeof cores, &cores);
    course->busy = 1;
    pthread_t thread;
    if (pthread_create(&thread, &attributes, keep_awake, &course->busy)) course->busy = 0;
    course->thread = (int64_t)thread;
    pthread_attr_destroy(&attributes);
}

// The core is the worker's again.
extern "C" __attribute__((visibility("default"))) void passnet_leave_core(Course* course) {
    if (!course->busy) return;
    ((Word*)&course->busy)->store(0);
    pthread_join((pthread_t)course->thread, nullptr);
}

// Goes on with the calls before `end`. MADE: they are made. STILL: after `slice_ns` it waits for a worker; call again to go
// on. UNASKED: a word of the worker shows what it was not asked for.
extern "C" __attribute__((visibility("default"))) int64_t passnet_make_calls(Course* course, int64_t end, int64_t slice_ns) {
    const int64_t until = now_ns() + slice_ns;
    int64_t how, when, since = 0;
    for (; course->call < end; ++course->call, course->phase = PUBLISH) {
        const Call& call = course->calls[course->call];
        Times& times = course->times[course->call];
        if (course->phase == PUBLISH) {
            publish(course, call, since);
            course->phase = call.job < 0 ? DRAWN : DRAWING;
        }
        if (course->phase == DRAWING) {
            if ((how = await(course, word(course->page, READY), course->drawn, call.due, true, until, &when)) != MADE) return how;
            times.drawer = word(course->page, OWN)->load();
            course->had = when;
            course->phase = DRAWN;
        }
        // The worker says that it waits for the call: it drew, or it is back from the drawer, which ran in its place. Who says
        // so too early is told to go too early, and who says so late has taken longer than eager.
        if (course->phase == DRAWN) {
            Word* ready = word(course->control, CALL_READY);
            if ((how = await(course, ready, course->ready, call.due, false, until, &when)) != MADE) return how;
            course->ready = call.due;
            times.drawing = when - course->began;
            times.holding = call.job < 0 ? 0 : when - course->had;
            times.told = now_ns();
            word(course->control, GO)->store(call.go, std::memory_order_release);
            course->phase = CALLING;
        }
        if ((how = await(course, word(course->control, DONE), course->done, call.go, false, until, &when)) != MADE) return how;
        course->done = call.go;
        times.done = since = when;
        take_shown(course, course->call);
        copy_pieces(course, course->call);
        // Before the next call is due, nobody knows that this one is kept. Who sees that no other follows is stopped by then.
        if (course->stops && course->call + 1 == end && !kill(-(pid_t)course->stops, SIGSTOP)) occupy(course);
        look(course, course->call);
        if (course->pages >= 0 && course->call + 1 == end) look_at_pages(course, course->call);
    }
    return MADE;
}
