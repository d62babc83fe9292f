"""Requests that make a worker misbehave on purpose: imported in the fork_server by the tests, unknown to the product.

What a hostile pass could do with arbitrary code in the candidate process is done here without needing a pass.
"""

from __future__ import annotations

import os
import signal
import socket
import stat
import struct
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import torch

from passnet.bench.wire.shared_buffers import DONE, DRAW, DUE, FAILED, GO, KEY, PLACE, READY, SLOT, STOP
from passnet.bench.worker import calls as worker_blocks
from passnet.bench.worker import serve

_ANY_SECONDS = 3600.0


def _sleep_for_ever() -> None:
    while True:
        time.sleep(_ANY_SECONDS)


def _child(*, new_session: bool) -> int:
    """Fork a process that sleeps; with `new_session` it leaves the group, and has left when this returns."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        if new_session:
            os.setsid()
        os.close(write)
        _sleep_for_ever()
    os.close(write)
    os.read(read, 1)  # its end, when the child has closed the other copy too
    os.close(read)
    return pid


def _many_threads(request: dict[str, Any]) -> dict[str, Any]:
    for _ in range(request["count"]):
        threading.Thread(target=_sleep_for_ever, daemon=True).start()
    _sleep_for_ever()
    return {}


def _daemon() -> int:
    """A grandchild in a session of its own whose parent is gone; returns its pid."""
    read, write = os.pipe()
    middle = os.fork()
    if middle == 0:
        grandchild = _child(new_session=True)
        os.write(write, struct.pack("i", grandchild))
        os._exit(0)
    os.waitpid(middle, 0)
    return int(struct.unpack("i", os.read(read, 4))[0])


def _channel_fd() -> int:
    """The socket to the controller: the only one this process has."""
    for fd in range(3, 512):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                return fd
        except OSError:
            continue
    raise LookupError("no socket")


def _kill(pid: int, number: int) -> dict[str, Any]:
    os.kill(pid, number)
    _sleep_for_ever()
    return {}


def _hog(request: dict[str, Any]) -> dict[str, Any]:
    kept = []
    while True:
        kept.append(bytearray(os.urandom(1) * (16 << 20)))


def _many_children(request: dict[str, Any]) -> dict[str, Any]:
    pids = [_child(new_session=request.get("new_session", False)) for _ in range(request["count"])]
    if request.get("hang"):
        _sleep_for_ever()
    return {"pids": pids}


def _raw(request: dict[str, Any]) -> dict[str, Any]:
    """Write bytes of our own to the channel (`json`: a reply under the id of this request), then nothing any more."""
    data = bytes.fromhex(request["hex"]) if "hex" in request else b""
    if "json" in request:
        body = f'{{"id": {request["id"]}, "reply": {request["json"]}}}'.encode()
        data = struct.pack("<I", len(body)) + body
    os.write(_channel_fd(), data)
    _sleep_for_ever()
    return {}


def _close_channel(request: dict[str, Any]) -> dict[str, Any]:
    os.close(_channel_fd())
    _sleep_for_ever()
    return {}


def _raise(request: dict[str, Any]) -> dict[str, Any]:
    kinds = (SystemExit, KeyboardInterrupt, BaseException, ValueError)
    kind = next(kind for kind in kinds if kind.__name__ == request["name"])
    raise kind(request.get("text", "") * request.get("times", 1))


def _raise_number(request: dict[str, Any]) -> dict[str, Any]:
    """An error that Python cannot write."""
    raise RuntimeError(10**5000)


def _flood(request: dict[str, Any]) -> dict[str, Any]:
    """From now on send well-formed messages without end, from a thread."""
    body = b"{}"
    message = struct.pack("<I", len(body)) + body
    sock = socket.socket(fileno=os.dup(_channel_fd()))

    def forever() -> None:
        while True:
            sock.sendall(message)
            time.sleep(0.001)

    threading.Thread(target=forever, daemon=True).start()
    return {}


def _truncate_buffers(request: dict[str, Any]) -> dict[str, Any]:
    """Try to shrink every memfd that was lent to us; says how many could be shrunk."""
    shrunk = 0
    for fd in range(3, 512):
        try:
            if "memfd:passnet" in os.readlink(f"/proc/self/fd/{fd}"):
                os.ftruncate(fd, 0)
                shrunk += 1
        except OSError:
            continue
    return {"shrunk": shrunk}


def _descriptors(request: dict[str, Any]) -> dict[str, Any]:
    names = []
    for fd in os.listdir("/proc/self/fd"):
        try:
            names.append(os.readlink(f"/proc/self/fd/{fd}"))
        except OSError:
            continue
    return {"memfds": sum("memfd:passnet" in name for name in names)}


def _set_run_block(request: dict[str, Any]) -> dict[str, Any]:
    """Replace the loop that makes due calls by a cheating one, as a pass could from its own module."""
    cheat = _CHEATS[request["name"]]
    worker_blocks.run_due = lambda buffers, call, slots, *_: (cheat(buffers, call, slots), 0.0)
    return {}


def _due(buffers: Any, earlier: int) -> int:
    while buffers.control[DUE] == earlier:
        pass
    return int(buffers.control[DUE])


def _go(buffers: Any, earlier: int) -> int:
    while buffers.control[GO] == earlier:
        pass
    return int(buffers.control[GO])


def _draw(buffers: Any) -> Any:
    """The inputs of the call that is due."""
    place = buffers.control[PLACE]
    buffers.drawer(buffers.control[DRAW], place)(buffers.control[KEY], buffers.control[KEY + 1])
    return buffers.places[place]


def _loop(buffers: Any, slots: Any, before: Callable[[Any], Any], within: Callable[[Any, Any], Any]) -> int:
    """An honest loop but for what is done before a call is made, with the inputs, and in it, with what that gave."""
    calls, due, go = 0, 0, 0
    while (due := _due(buffers, due)) != STOP:
        made = before(_draw(buffers))
        buffers.control[READY] = due
        go = _go(buffers, go)
        within(made, slots[buffers.control[SLOT] % len(slots)])
        buffers.control[DONE] = go
        calls += 1
    return calls


def _ahead(buffers: Any, call: Any, slots: Any) -> int:
    """Computes when the inputs are drawn, before it says so, and only delivers in the call."""
    return _loop(buffers, slots, lambda inputs: call(*inputs), worker_blocks.deliver)


def _claims_early(buffers: Any, call: Any, slots: Any) -> int:
    """Shows the call done before it was told to make it, by a guess."""
    due = _due(buffers, 0)
    _draw(buffers)
    buffers.control[DONE] = due + 1
    buffers.control[READY] = due
    _sleep_for_ever()
    return 0


def _claims_another(buffers: Any, call: Any, slots: Any) -> int:
    """Says that another call than the one that is due is ready."""
    buffers.control[READY] = _due(buffers, 0) + 1
    _sleep_for_ever()
    return 0


def _fail_and_flood(buffers: Any, call: Any, slots: Any) -> int:
    """Says that it failed, but sends ordinary answers without end."""
    _flood({})
    buffers.control[FAILED] = 1
    _sleep_for_ever()
    return 0


def _flood_and_hang(buffers: Any, call: Any, slots: Any) -> int:
    _flood({})
    _sleep_for_ever()
    return 0


def _hang(buffers: Any, call: Any, slots: Any) -> int:
    _sleep_for_ever()
    return 0


def _crash_midway(buffers: Any, call: Any, slots: Any) -> int:
    buffers.control[READY] = _due(buffers, 0)
    os.kill(os.getpid(), signal.SIGSEGV)
    return 0


def _raise_midway(buffers: Any, call: Any, slots: Any) -> int:
    buffers.control[READY] = _due(buffers, 0)
    raise ValueError("not today")


def _stale(buffers: Any, call: Any, slots: Any) -> int:
    """Remembers the first output for each place and gives it for ever."""
    remembered: dict[int, Any] = {}

    def before(inputs: Any) -> Any:
        place = buffers.control[PLACE]
        if place not in remembered:
            remembered[place] = [t.clone() for t in call(*inputs)]
        return remembered[place]

    return _loop(buffers, slots, before, worker_blocks.deliver)


def _lazy(buffers: Any, call: Any, slots: Any) -> int:
    """Computes and delivers nothing."""
    return _loop(buffers, slots, lambda inputs: None, lambda made, slot: None)


def _finishes_late(buffers: Any, call: Any, slots: Any) -> int:
    """Shows a call done, and delivers its outputs afterwards if the next call is not due at once."""
    calls, due, go = 0, 0, 0
    while (due := _due(buffers, due)) != STOP:
        outputs = call(*_draw(buffers))
        buffers.control[READY] = due
        go = _go(buffers, go)
        buffers.control[DONE] = go
        if all(buffers.control[DUE] == due for _ in range(400)):
            worker_blocks.deliver(outputs, slots[buffers.control[SLOT] % len(slots)])
        calls += 1
    return calls


def _shows(buffers: Any, call: Any, change: Callable[[list[Any]], None], late: bool = False) -> int:
    """Shows its outputs, and has something done to them: before it shows the call done, or after that."""
    calls, due, go = 0, 0, 0
    shown, control = buffers.layout.shown, buffers.control
    while (due := _due(buffers, due)) != STOP:
        inputs = _draw(buffers)
        control[READY] = due
        go = _go(buffers, go)
        held = list(worker_blocks.show(call(*inputs), shown, control))
        if not late:
            change(held)
        control[DONE] = go
        if late and all(control[DUE] == due for _ in range(400)):
            change(held)
        calls += 1
    return calls


def _shows_nothing(buffers: Any, call: Any, slots: Any) -> int:
    """Shows addresses at which nothing lies."""

    def change(held: list[Any]) -> None:
        buffers.control[buffers.layout.shown[0].word] = 4096

    return _shows(buffers, call, change)


def _shows_overlapping_rows(buffers: Any, call: Any, slots: Any) -> int:
    """Shows rows of its first output that begin one element apart."""
    shown = buffers.layout.shown[0]

    def change(held: list[Any]) -> None:
        for dim in range(len(shown.shape)):
            buffers.control[shown.word + 1 + dim] = 1

    return _shows(buffers, call, change)


def _shows_one_output_twice(buffers: Any, call: Any, slots: Any) -> int:
    """Shows its second output at the last elements of its first one."""
    first, second = buffers.layout.shown

    def change(held: list[Any]) -> None:
        last = (held[0].numel() - held[1].numel()) * held[0].element_size()
        buffers.control[second.word] = buffers.control[first.word] + last

    return _shows(buffers, call, change)


def _shows_a_step_that_leads_nowhere(buffers: Any, call: Any, slots: Any) -> int:
    """Shows rows of its first output 2^64 bytes apart: all of them are the first row."""
    shown = buffers.layout.shown[0]

    def change(held: list[Any]) -> None:
        buffers.control[shown.word + 1] = 2**64 // held[0].element_size()

    return _shows(buffers, call, change)


def _shows_shared_memory(buffers: Any, call: Any, slots: Any) -> int:
    """Shows its first output in memory that may be mapped at other addresses too."""
    shown = buffers.layout.shown[0]
    memory = torch.empty(shown.shape, dtype=shown.dtype).share_memory_()

    def change(held: list[Any]) -> None:
        memory.copy_(held[0])
        worker_blocks.show([memory], [shown], buffers.control)

    return _shows(buffers, call, change)


def _changes_what_it_showed(buffers: Any, call: Any, slots: Any) -> int:
    """Spoils its outputs if the next call is not due at once."""
    return _shows(buffers, call, lambda held: [out.zero_() for out in held] and None, late=True)


def _scribbles(buffers: Any, call: Any, slots: Any) -> int:
    """Keeps something on the control page."""
    buffers.control[200] = 1
    return _loop(buffers, slots, lambda inputs: call(*inputs), worker_blocks.deliver)


def _lose_device(request: dict[str, Any]) -> dict[str, Any]:
    """Like a kernel that failed: CUDA answers this process with errors from now on."""

    def failing() -> None:
        raise RuntimeError("CUDA error: device-side assert triggered")

    torch.cuda.is_initialized, torch.cuda.synchronize = (lambda: True), failing
    failing()
    return {}


_CHEATS: dict[str, Callable[..., int]] = {
    "ahead": _ahead,
    "claims_early": _claims_early,
    "claims_another": _claims_another,
    "fail_and_flood": _fail_and_flood,
    "flood_and_hang": _flood_and_hang,
    "hang": _hang,
    "crash_midway": _crash_midway,
    "raise_midway": _raise_midway,
    "stale": _stale,
    "lazy": _lazy,
    "finishes_late": _finishes_late,
    "shows_nothing": _shows_nothing,
    "shows_overlapping_rows": _shows_overlapping_rows,
    "shows_one_output_twice": _shows_one_output_twice,
    "shows_a_step_that_leads_nowhere": _shows_a_step_that_leads_nowhere,
    "shows_shared_memory": _shows_shared_memory,
    "changes_what_it_showed": _changes_what_it_showed,
    "scribbles": _scribbles,
}

_REQUESTS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "ping": lambda request: {"pid": os.getpid(), "threads": torch.get_num_threads()},
    "echo": lambda request: {"echo": request["value"]},
    "environment": lambda request: {"environment": dict(os.environ), "affinity": sorted(os.sched_getaffinity(0))},
    "kill_self": lambda request: _kill(os.getpid(), request["signal"]),
    "exit_now": lambda request: os._exit(request["code"]),
    "hang": lambda request: _sleep_for_ever() or {},
    "hog": _hog,
    "allocate": lambda request: {"bytes": len(bytearray(request["bytes"]))},
    "children": _many_children,
    "threads": _many_threads,
    "daemon": lambda request: {"pid": _daemon()},
    "raw": _raw,
    "close_channel": _close_channel,
    "raise": _raise,
    "raise_number": _raise_number,
    "lose_device": _lose_device,
    "flood": _flood,
    "truncate_buffers": _truncate_buffers,
    "descriptors": _descriptors,
    "cheat": _set_run_block,
    "kill_fork_server": lambda request: _kill(os.getppid(), signal.SIGKILL),
    "mode_of_log": lambda request: {"changed": os.fchmod(1, request["mode"])},
    "print": lambda request: {"written": sys.stdout.write(request["text"]), "flushed": sys.stdout.flush()},
}


def _handler(action: Callable[[dict[str, Any]], dict[str, Any]]) -> serve.ExtraHandler:
    return lambda arguments, number: action({**arguments, "id": number})


for _name, _action in _REQUESTS.items():
    serve.answer_extra(_name, _handler(_action))
