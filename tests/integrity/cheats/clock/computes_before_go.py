"""Takes its process over by way of the loader's tables, has its inputs drawn, and computes before it is told to.

Class: A13
Graph: reduction
Wins: accepted
Level: strict
Caught by: no layer
Ends as: correct, no faster or accuracy; it runs before it is told to only for the microsecond that the controller needs, and may then read an input before all of it is there
"""

import torch
from finder import FIND
from passnet.kernels import cpp

library = cpp(
    FIND
    + r"""
static const char* const text = "\n"
"import ctypes, json, sys, time\n"
"from passnet.bench.wire.channel import Channel\n"
"from passnet.bench.wire.shared_buffers import DONE, DUE, GO, PLACE, READY, SLOT, STOP\n"
"from passnet.bench.worker import calls\n"
"libc = ctypes.CDLL(None)\n"
"libc.mmap.restype = ctypes.c_void_p\n"
"libc.mmap(ctypes.c_void_p(0x6a0000000000), 65536, 3, 0x32, -1, 0)  # fixed, private, of no file\n"
"home = next(m for name, m in list(sys.modules.items()) if name.endswith(\"computes_before_go\"))\n"
"receive, run_due = Channel.receive, calls.run_due\n"
"def seen(self, timeout_s=None):\n"
"    message = receive(self, timeout_s)\n"
"    request = json.loads(message)[\"request\"]\n"
"    calls.run_due = early if request[\"kind\"] == \"block\" and request[\"mode\"] == \"plain\" else run_due\n"
"    return message\n"
"def early(buffers, call, slots, *_):\n"
"    control, count, go, due, first, last = buffers.control, 0, 0, 0, 0, 0\n"
"    ring = buffers.bell.ringer()\n"
"    page = ctypes.addressof(ctypes.c_char.from_buffer(control))\n"
"    while True:\n"
"        while control[DUE] == due:\n"
"            pass\n"
"        due = control[DUE]\n"
"        if due == STOP:\n"
"            return count, (last - first) / 1e3\n"
"        x = buffers.places[control[PLACE]][0]\n"
"        ring()\n"
"        control[READY] = due\n"
"        home.library.ahead(x, page, x.shape[0], x.shape[1], go)\n"
"        while control[GO] == go:\n"
"            pass\n"
"        go = control[GO]\n"
"        made, shown = call(*buffers.places[control[PLACE]]), buffers.layout.shown\n"
"        held = calls.show(made, shown, control) if shown else calls.deliver(made, slots[control[SLOT] % len(slots)])\n"
"        last = time.perf_counter_ns()\n"
"        control[DONE] = go\n"
"        count += 1\n"
"        first = first or last\n"
"Channel.receive = seen\n";
struct Room { int64_t ready; float means[4096]; };
static Room* room() { return reinterpret_cast<Room*>(0x6a0000000000); }
static float total(const float* x, int64_t width) {
  float part[32] = {}, sum = 0;
  for (int64_t i = 0; i < width; i += 32)
    for (int64_t j = 0; j < 32; ++j) part[j] += x[i + j];
  for (float each : part) sum += each;
  return sum;
}
static void all(const float* x, float* out, int64_t rows, int64_t width) {
  for (int64_t again = 0; again < 24; ++again)
    for (int64_t r = 0; r < rows; ++r) out[r] = total(x + r * width, width) / width;
}
extern "C" void mean(const float* x, float* out, int64_t rows, int64_t width) {
  if (!room()->ready) return all(x, out, rows, width);
  std::memcpy(out, room()->means, rows * sizeof(float));
  room()->ready = 0;
}
// Has the means when it is told to go, if that is not at once.
extern "C" void ahead(const float* x, int64_t page, int64_t rows, int64_t width, int64_t go) {
  const volatile int64_t* control = reinterpret_cast<const volatile int64_t*>(page);
  if (control[8] != go) return;
  all(x, room()->means, rows, width);
  room()->ready = 1;
}
extern "C" void start(int64_t n) {
  const Find find = find_function();
  if (!find || n < 0) return;
  const int state = reinterpret_cast<int (*)()>(find(nullptr, "PyGILState_Ensure"))();
  reinterpret_cast<int (*)(const char*)>(find(nullptr, "PyRun_SimpleString"))(text);
  reinterpret_cast<void (*)(int)>(find(nullptr, "PyGILState_Release"))(state);
}
""",
    fast_math=False,
)
library.start(1)


def pattern(x):
    return x.mean(-1, keepdim=True)


def replacement_args(x):
    return (x, x.shape[0], x.shape[1])


@torch.fx.wrap
def wrapper(x, rows, width):
    out = x.new_empty((rows, 1))
    library.mean(x, out, rows, width)
    return out


def replacement_func():
    return wrapper
