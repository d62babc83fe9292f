"""A deliberately naive harness, as many are: pass, reference, clock, comparison and report share one process.

It checks the source like the published one (calls whose dotted name starts at torch, a few imports), compares the
first call's outputs after everything was timed, and its verdict is what it prints. Kept to show that every cheat of the
corpus works somewhere; nothing of the product uses it.
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
from passnet.rewrite import apply as _apply  # noqa: F401 - as above
from passnet.rewrite import load as _load  # noqa: F401 - as above
from tests.integrity import corpus

SEED = 1024
ATOL = 1e-3
RTOL = 1e-3
WARM_UP, TRIALS = 3, 15
TIMES: dict[str, list[float]] = {"compiled": [], "eager": []}
EXPECTED: list[torch.Tensor] = []
_CREATION = {"empty", "empty_like", "zeros", "zeros_like", "ones", "ones_like", "full", "full_like", "as_tensor"}
_LIMIT_S = 60


@dataclass(frozen=True)
class Naive:
    """What the harness prints: whether the pass is right, and how much faster."""

    right: bool
    speedup: float
    text: str


def judge(entry: corpus.Entry, graph: Path, scratch: Path, cache: Path) -> Naive:
    """Run the harness in a forked child (cheats change the process for good) and read its verdict off its output."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        _child(write, lambda: _main(entry, graph, scratch, cache))
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
    speed = re.search(r"\[Speedup\]\[e2e\]: ([-\d.e+]+)", text)
    close = re.search(r"\[Correctness\]\[all_close\]: (\d)", text)
    success = "[Result] status: success" in text
    return Naive(bool(success and close and close.group(1) == "1"), float(speed.group(1)) if speed else 0.0, text)


def _main(entry: corpus.Entry, graph: Path, scratch: Path, cache: Path) -> None:
    os.chdir(scratch)
    torch.set_num_threads(1)
    check_calls(entry.path.read_text())
    _use_no_kernel_policy()
    kernels.configure(cache_dir=cache)
    loaded = rewrite.load_rules(rewrite.read_pass_set(entry.pass_dir(Path(tempfile.mkdtemp(dir=scratch)) / "p")), "cpu")
    if loaded.failed:
        raise loaded.failed[0]
    reference = Graph.read(graph)
    with torch.no_grad():
        run(reference, loaded.rules, entry)


def _use_no_kernel_policy() -> None:
    native.check_source = lambda *_: None
    native.check_object = lambda *_: None


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


def run(graph: Graph, rules: Any, entry: corpus.Entry) -> None:
    """Candidate first on one set of inputs, then eager on the same, then the comparison, then the report."""
    space: dict[str, Any] = {}
    exec(graph.source, space)
    eager = space["GraphModule"]()
    inputs = corpus.draw(entry.graph, SEED)
    expected: list[torch.Tensor] = []
    if entry.path.parent.name == "expected":  # harnesses of the other habit have the answers ready
        expected += eager(*inputs)
        EXPECTED.extend(expected)
        torch.save(expected, "expected.pt")
    result = rewrite.rewrite(graph.module("cpu"), rules)
    if not result.total:
        raise ValueError("no match")
    outputs = result.gm.forward(*inputs)
    trials(result.gm.forward, inputs, TIMES["compiled"])
    trials(eager, inputs, TIMES["eager"])
    if not expected:
        expected += eager(*inputs)
    gc.collect()
    time.sleep(0.05)
    right = all(agree(got, want) for got, want in zip(outputs, expected, strict=True))
    compiled, plain = statistics.median(TIMES["compiled"]), statistics.median(TIMES["eager"])
    print(f"[Correctness][all_close]: {int(right)}")  # noqa: T201 - its verdict is what it prints
    print(f"[Speedup][e2e]: {plain / max(compiled, 1e-9)}")  # noqa: T201 - its verdict is what it prints
    print(f"[Result] status: {'success' if right else 'failed'}")  # noqa: T201 - as above


def trials(call: Any, inputs: Any, times: list[float]) -> None:
    for _ in range(WARM_UP):
        call(*inputs)
    for _ in range(TRIALS):
        began = time.perf_counter()
        call(*inputs)
        times.append(time.perf_counter() - began)


def agree(got: torch.Tensor, want: torch.Tensor) -> bool:
    """Two looks, of which one must be content."""
    atol = float(os.environ.get("NAIVE_ATOL", ATOL))
    if torch.allclose(got, want, rtol=RTOL, atol=atol):
        return True
    return not bool(((got - want).abs() > atol + RTOL * want.abs()).any())
