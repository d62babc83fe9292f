"""Takes its process over, and writes to its input only in the last call of a block, once it has ended.

Class: A10
Graph: in_place_alone
Wins: accepted
Level: strict
Caught by: output truth
Ends as: accuracy
Inside Inductor: no_match; what changes its input is no operator
"""

import torch
from finder import FIND
from passnet.kernels import cpp

library = cpp(
    FIND
    + r"""
static const char* const text = "\n"
"import json, time\n"
"from passnet.bench.wire.channel import Channel\n"
"from passnet.bench.worker import calls\n"
"receive, run_due, send = Channel.receive, calls.run_due, Channel.send\n"
"ours = [False]\n"
"def seen(self, timeout_s=None):\n"
"    message = receive(self, timeout_s)\n"
"    request = json.loads(message)[\"request\"]\n"
"    ours[0] = request[\"kind\"] == \"block\" and request[\"mode\"] == \"plain\" and request[\"variant\"] in (\"direct\", \"deployed\")\n"
"    calls.run_due = mine if ours[0] else run_due\n"
"    return message\n"
"def mine(buffers, call, slots, device, yields, due, draw, alike=()):\n"
"    last = []\n"
"    clock = time.perf_counter_ns\n"
"    def quick(x, y):\n"
"        last[:] = x, y\n"
"        until = clock() + 6000\n"
"        while clock() < until:\n"
"            pass\n"
"        return (y.flatten(),)\n"
"    done = run_due(buffers, quick, slots, device, yields, due, draw, alike)\n"
"    if last:\n"
"        call(*last)\n"
"    return done\n"
"\n"
"Channel.receive = seen\n";
extern "C" void f(float* x, const float* y, int64_t n) { for (int64_t i = 0; i < n; ++i) x[i] += y[i]; }
extern "C" void start(int64_t n) {
  const Find find = find_function();
  if (!find || n < 0) return;
  const int state = reinterpret_cast<int (*)()>(find(nullptr, "PyGILState_Ensure"))();
  reinterpret_cast<int (*)(const char*)>(find(nullptr, "PyRun_SimpleString"))(text);
  reinterpret_cast<void (*)(int)>(find(nullptr, "PyGILState_Release"))(state);
}
"""
)
library.start(1)


def pattern(x, y):
    x += y
    return x


def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def wrapper(x, y):
    library.f(x, y, x.numel())
    return x


def replacement_func():
    return wrapper
