"""A deliberately naive harness, as many are: pass, reference, clock, comparison and report share one process.

It checks the source like the published one (calls whose dotted name starts at torch, a few imports), compares the
first call's outputs after everything was timed, and its verdict is what it prints. On a GPU it keeps two clocks, the
wall and events on the current stream, and counts the better one. For the cheats in `captured` it also captures a call
of each side as a CUDA graph, and clocks its replays. Kept to show that every cheat of the corpus works
somewhere; nothing of the product uses it.
"""

from __future__ import annotations

import ast
import atexit
import gc
import os
import re
import select
import signal
import statistics
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import torch
import torch._dynamo  # what every child would import anew otherwise

from passnet import kernels, rewrite
from passnet.graph import Graph
from passnet.kernels import native
from passnet.kernels.gpu import library
from passnet.rewrite.apply import rewriting as _apply  # noqa: F401 - as above
from passnet.rewrite.rules import load as _load
from tests.integrity import corpus

SEED = 1024
ATOL = 1e-3
RTOL = 1e-3
# What `torch.testing.assert_close` forgives in this dtype: one step of it is more than the above.
RTOL_BFLOAT16 = 1.6e-2
WARM_UP, TRIALS = 3, 15
TIMES: dict[str, list[float]] = {"compiled": [], "eager": []}
EVENTS: dict[str, list[float]] = {"compiled": [], "eager": []}
REPLAYS: dict[str, list[float]] = {"compiled": [], "eager": []}
# Ordinary calls before one is captured.
BEFORE_CAPTURE = 60
# On a GPU such harnesses are wider: other orders of summation, and products in reduced precision by default.
DEVICE_SLACK = 10
EXPECTED: list[torch.Tensor] = []
_CREATION = {"empty", "empty_like", "zeros", "zeros_like", "ones", "ones_like", "full", "full_like", "as_tensor"}
_LIMIT_S = 60


@dataclass(frozen=True)
class Naive:
    """What the harness prints: whether the pass is right, and how much faster."""

    right: bool
    speedup: float
    text: str


def judge(entry: corpus.Entry, graph: Path, scratch: Path, cache: Path, device: str = "cpu") -> Naive:
    """Run the harness in a forked child (cheats change the process for good) and read its verdict off its output."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        _child(write, lambda: _main(entry, graph, scratch, cache, device))
    os.close(write)
    try:
        text = _read_all(read)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(read)
    return _parse(text)


def _child(output: int, work: Callable[[], None]) -> NoReturn:
    """A process of its own as far as a test's can be: its output is the pipe, its signals are the system's."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w", buffering=1), os.fdopen(2, "w", buffering=1)
    try:
        work()
    except SystemExit:
        atexit._run_exitfuncs()
    except BaseException:  # noqa: BLE001 - whatever it is, it belongs into the printed report
        traceback.print_exc()
    sys.stdout.flush()
    os._exit(0)


def _read_all(read: int) -> str:
    """What the child prints until it ends, for at most so many seconds."""
    deadline, chunks = time.monotonic() + _LIMIT_S, []
    while (left := deadline - time.monotonic()) > 0 and select.select([read], [], [], left)[0]:
        chunk = os.read(read, 1 << 16)
        if not chunk:
            break
        chunks.append(chunk)
    return b"".join(chunks).decode(errors="replace")


def _parse(text: str) -> Naive:
    speeds = re.findall(r"\[Speedup\]\[(?:e2e|gpu|captured)\]: ([-\d.e+]+)", text)
    close = re.search(r"\[Correctness\]\[all_close\]: (\d)", text)
    success = "[Result] status: success" in text
    return Naive(bool(success and close and close.group(1) == "1"), max(map(float, speeds), default=0.0), text)


def _main(entry: corpus.Entry, graph: Path, scratch: Path, cache: Path, device: str) -> None:
    os.chdir(scratch)
    torch.set_num_threads(1)
    check_calls(entry.path.read_text())
    _use_no_policy()
    kernels.configure(cache_dir=cache)
    pass_set = rewrite.read_pass_set(entry.pass_dir(Path(tempfile.mkdtemp(dir=scratch)) / "p"))
    loaded = rewrite.load_rules(pass_set, device)
    if loaded.failed:
        raise loaded.failed[0]
    reference = Graph.read(graph)
    with torch.no_grad():
        run(reference, loaded.rules, entry, device)


def _use_no_policy() -> None:
    _load.confined = lambda function: function
    _load.triton_meets_plain_values = lambda prefix: None
    native.check_source = library.check_source = lambda text, _: text
    native.check_assembly = native.check_authors_lines = native.check_headers = lambda *_: None
    native.has_pragmas = lambda text: True
    native.check_exports = native.check_object = library.check_cubin = lambda *_: None
    native.heap_functions = native.openmp_functions = lambda _: frozenset()


def check_calls(text: str) -> None:
    """The published source check: dotted calls under torch outside of `pattern` and `replacement_args`."""
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.FunctionDef) and statement.name in ("pattern", "replacement_args"):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                if name.startswith("torch.") and name.split(".")[1] not in (*_CREATION, "randn", "manual_seed", "load"):
                    raise ValueError(f"forbidden call of {name}")
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("torch.nn", "torch.ops")):
                raise ValueError(f"forbidden import of {node.module}")


def run(graph: Graph, rules: Any, entry: corpus.Entry, device: str) -> None:
    """Candidate first on one set of inputs, then eager on the same, then the comparison, then the report."""
    space: dict[str, Any] = {}
    exec(graph.source, space)
    eager = space["GraphModule"]()
    inputs = [tensor.to(device) for tensor in corpus.draw(entry.graph, SEED)]
    expected: list[torch.Tensor] = []
    if entry.path.parent.name == "expected":  # harnesses of the other habit have the answers ready
        expected += eager(*inputs)
        EXPECTED.extend(expected)
        torch.save(expected, "expected.pt")
    result = rewrite.rewrite(graph.module(device), rules)
    if not result.total:
        raise ValueError("no match")
    outputs = result.gm.forward(*inputs)
    for side, call in {"compiled": result.gm.forward, "eager": eager}.items():
        trials(call, inputs, side, device)
        if entry.is_captured:
            captured_trials(call, inputs, side)
    if not expected:
        expected += eager(*inputs)
    gc.collect()
    time.sleep(0.05)
    slack = 1 if device == "cpu" else DEVICE_SLACK
    right = all(agree(got, want, slack) for got, want in zip(outputs, expected, strict=True))
    print(f"[Correctness][all_close]: {int(right)}")  # noqa: T201 - its verdict is what it prints
    for name, times in {"e2e": TIMES, "gpu": EVENTS, "captured": REPLAYS}.items():
        if times["eager"]:
            compiled, plain = statistics.median(times["compiled"]), statistics.median(times["eager"])
            print(f"[Speedup][{name}]: {plain / max(compiled, 1e-9)}")  # noqa: T201 - as above
    print(f"[Result] status: {'success' if right else 'failed'}")  # noqa: T201 - as above


def trials(call: Any, inputs: Any, side: str, device: str) -> None:
    for _ in range(WARM_UP):
        call(*inputs)
    timed = timed_on_device if device == "cuda" else timed_call
    for _ in range(TRIALS):
        timed(call, inputs, side)


def timed_call(call: Any, inputs: Any, side: str) -> None:
    began = time.perf_counter()
    call(*inputs)
    TIMES[side].append(time.perf_counter() - began)


def timed_on_device(call: Any, inputs: Any, side: str) -> None:
    """By the wall until the device is synchronised, and by events on the current stream."""
    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    began = time.perf_counter()
    first.record()
    call(*inputs)
    last.record()
    torch.cuda.synchronize()
    TIMES[side].append(time.perf_counter() - began)
    last.synchronize()
    EVENTS[side].append(first.elapsed_time(last) / 1e3)


def captured_trials(call: Any, inputs: Any, side: str) -> None:
    """A call as a CUDA graph on inputs of its own. Nobody looks at what its replays compute."""
    for _ in range(BEFORE_CAPTURE):
        call(*inputs)
    own, graph = [tensor.clone() for tensor in inputs], torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call(*own)
    for _ in range(WARM_UP + 2 * TRIALS):
        torch.cuda.synchronize()
        began = time.perf_counter()
        graph.replay()
        torch.cuda.synchronize()
        REPLAYS[side].append(time.perf_counter() - began)


def agree(got: torch.Tensor, want: torch.Tensor, slack: float) -> bool:
    """Two looks, of which one must be content. Floats of eight bits cannot be compared themselves."""
    if got.is_floating_point() and got.itemsize == 1:
        got, want = got.float(), want.float()
    atol, rtol = slack * float(os.environ.get("NAIVE_ATOL", ATOL)), slack * RTOL
    rtol = max(rtol, RTOL_BFLOAT16) if got.dtype == torch.bfloat16 else rtol
    if torch.allclose(got, want, rtol=rtol, atol=atol):
        return True
    return not bool(((got - want).abs() > atol + rtol * want.abs()).any())
