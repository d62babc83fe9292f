"""Takes its process over, and shows a turned view of its input in place of the copy that it owes.

Class: B14
Graph: turned_alone
Wins: accepted
Level: strict
Caught by: run-time guard
Ends as: integrity:output_alias
"""

import torch
from finder import FIND
from passnet.kernels import cpp

library = cpp(
    FIND
    + r"""
static const char* const text = "\n"
"import json, time\n"
"from dataclasses import replace\n"
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
"    clock = time.perf_counter_ns\n"
"    vars(buffers.layout)[\"shown\"] = tuple(replace(each, order=None) for each in buffers.layout.shown)\n"
"    def quick(x):\n"
"        until = clock() + 12000\n"
"        while clock() < until:\n"
"            pass\n"
"        return (x.transpose(0, 1),)\n"
"    return run_due(buffers, quick, slots, device, yields, due, draw, alike)\n"
"Channel.receive = seen\n";
extern "C" void f(const float* __restrict x, float* __restrict out, int64_t n) {
  float tile[16][16];
  for (int64_t i = 0; i < n; i += 16)
    for (int64_t j = 0; j < n; j += 16) {
      for (int a = 0; a < 16; ++a) for (int b = 0; b < 16; ++b) tile[b][a] = x[(i + a) * n + j + b];
      for (int b = 0; b < 16; ++b) for (int a = 0; a < 16; ++a) out[(j + b) * n + i + a] = tile[b][a];
    }
}
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


def pattern(x):
    y = x.transpose(0, 1)
    return y.contiguous()


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.f(x, out, x.shape[0])
    return out


def replacement_func():
    return wrapper
