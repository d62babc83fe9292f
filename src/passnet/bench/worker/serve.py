"""What runs inside a forked worker, reference and candidate alike: build a program, run blocks of calls, answer.

A candidate worker executes untrusted passes in this very process, so nothing here decides anything: inputs, order,
clock and comparison are the controller's, and every answer sent from here is a claim.
"""

from __future__ import annotations

import contextlib
import os
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from passnet.bench.compare.float64_twin import WideReference, tuple_of
from passnet.bench.compare.indices.follow import Follower
from passnet.bench.wire.channel import Channel
from passnet.bench.wire.memory import is_exhausted
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.bench.worker import calls, compilers, heap, wrapper_guard
from passnet.bench.worker.wrapper_guard import OutputFacts
from passnet.graph import Graph, dtype_name
from passnet.graph.tensors.equality import same_values
from passnet.rewrite.rules import kept_memory

_MESSAGE_CHARACTERS = 4000
_TOUCH_BYTES = 16 << 20
_MOST_HELD = 3
_MOST_GAPS = 4


@dataclass
class _State:
    """The graph that this worker is on, and the program made from it. `large`: a call takes much memory for itself."""

    layers: tuple[str, ...] = ()
    device: str = "cpu"
    graph: Graph | None = None
    module: torch.fx.GraphModule | None = None
    program: compilers.Program | None = None
    lent: dict[str, SharedBuffers] = field(default_factory=dict)
    rules: Any = None
    wide: WideReference | None = None
    follower: Follower | None = None
    large: bool = False
    changed: Callable[[], list[str]] = list
    stack: ExitStack = field(default_factory=ExitStack)


def serve(channel: Channel, layers: tuple[str, ...] = ()) -> None:
    """Answer requests until told to exit or the controller is gone. `layers`: of the sandbox round this process."""
    state = _State(layers, changed=wrapper_guard.seal(wrapper_guard, calls, compilers, kept_memory))
    with torch.no_grad():
        while True:
            request = channel.receive()
            if request["do"] == "exit":
                return
            # The echo ties an answer to its request, so that none can be sent ahead.
            channel.send(_answer(channel, state, request) | {"id": request["id"]})


def _answer(channel: Channel, state: _State, request: dict[str, Any]) -> dict[str, Any]:
    try:
        if request["do"] == "buffers":
            return _open_buffers(state, request, channel.take_fds())
        return _HANDLERS[request["do"]](state, request)
    except calls.OutputMismatch as error:
        return _failure(error.kind, error)
    except compilers.BuildFailure as error:
        return _failure(error.kind, error, near_misses=error.near_misses)
    except Exception as error:  # noqa: BLE001 - whatever a pass raises is this request's answer, not our end
        if is_exhausted(error):
            return _failure("out_of_memory", error)
        return _failure("kernel_source" if compilers.is_kernel_breach(error) else "exception", error)


def _failure(kind: str, error: BaseException, **more: Any) -> dict[str, Any]:
    trace = "".join(traceback.format_exception(error))[-_MESSAGE_CHARACTERS:]
    raised = kind in ("exception", "out_of_memory")
    message = f"{type(error).__name__}: {error}" if raised else str(error)
    if raised or error.__cause__ is not None:
        with contextlib.suppress(OSError):  # a full disk is not the pass's failure
            os.write(2, trace.encode(errors="replace"))  # the worker's log
    return {"error": {"kind": kind, "message": message[:_MESSAGE_CHARACTERS], "trace": trace} | more}


def _hello(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    """The layers of the sandbox: asked before anything untrusted is loaded, while the answer can be believed.

    A device that cannot be used from inside is the machine's failure and must not become a pass's.
    """
    if request["device"] != "cpu":
        torch.zeros(1, device=request["device"])
    return {"layers": list(state.layers)}


def _load_passes(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    scratch, cache = Path(request["scratch"]), Path(request["cache"])
    if request["simulate"]:
        from passnet.kernels import triton_check

        # Entered for the life of the process: Triton must believe in a device from loading to the last call.
        state.stack.enter_context(triton_check.no_device())
    state.rules = compilers.load_passes(request["files"], scratch, cache, request["device"])
    return {"rules": [rule.name for rule in state.rules]}


def _describe(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    """What the loaded rules need of a graph: their patterns can only be read by running their files."""
    from passnet.rewrite.match.signature import described

    return {"rules": described(state.rules)}


def _rewrite(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    """What the loaded rules would do to a graph: a dry run."""
    from passnet.rewrite import graph_diff, rewrite

    module = Graph.read(Path(request["graph"])).module(request["device"])
    result = rewrite(module, state.rules, explain=False, raw=request["raw"])
    stats = [one.to_json() for one in result.stats]
    return {"diff": graph_diff(module, result), "stats": stats, "replacements": result.replacements}


def _build(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    """Make the program. The example inputs come from a public seed: they are for tracing and compiling only."""
    state.device = request["device"]
    _close_buffers(state, *list(state.lent))
    if state.device == "cuda":
        torch.cuda.init()  # type: ignore[no-untyped-call]
    state.module, state.program, state.wide, state.follower = None, None, None, None
    heap.give_back_much(state.device)  # of the graph before
    state.graph = Graph.read(Path(request["graph"]))
    state.module = state.graph.module(state.device)
    examples = state.graph.inputs(request["seed"], state.device)
    compiler = compilers.make(request["compiler"], state.rules)
    state.program = compiler.build(state.module, examples)
    return {
        "replacements": state.program.replacements,
        "near_misses": state.program.near_misses,
        "rewrite": state.program.rewrite,
    }


def _freeze(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    """Run the wrappers on the public examples and record their calls; what cannot be recorded stays as it is."""
    assert state.graph is not None and state.program is not None
    if state.program.freeze is not None:
        compilers.refuse_kept(state.rules)
        state.program = state.program.freeze(state.graph.inputs(request["seed"], state.device))
        if state.program.kept:
            raise compilers.BuildFailure("kept_state", state.program.kept[0])
    return {"not_frozen": state.program.not_frozen}


def _probe(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    """Reference only: what eager's outputs look like, whether they repeat, which inputs it changes, whether float64
    works."""
    assert state.graph is not None and state.module is not None
    inputs = state.graph.inputs(request["seed"], state.device)
    before = [t.clone() for t in inputs]
    taken = heap.watch(state.device)
    outputs = tuple_of(state.module.forward(*inputs))
    peak = taken()
    again = tuple_of(state.module.forward(*[t.clone() for t in before]))
    taken = heap.watch(state.device)
    state.wide = WideReference.build(state.module, before, outputs)
    state.follower = Follower.of(state.module, wide=state.wide is not None)
    twin = taken()
    state.large = max(peak, twin) > heap.LARGE_BYTES
    mutated = [i for i, (old, new) in enumerate(zip(before, inputs, strict=True)) if not same_values(old, new)]
    return {
        "outputs": [{"shape": list(t.shape), "dtype": dtype_name(t.dtype), "stride": _stride(t)} for t in outputs],
        "mutated": mutated,
        "wide": state.wide is not None,
        "steady": all(map(same_values, outputs, again)),
        "choosers": len(state.follower.choosers),
        "facts": OutputFacts.of(outputs, again, inputs).to_json(),
        "peak": peak,
        "twin": twin if state.wide is not None else 0,
    }


def _stride(tensor: torch.Tensor) -> tuple[int, ...]:
    """How a slot for this tensor lies: as it does, gaps included, if they are few and no elements share memory."""
    reach = 1
    for step, size in sorted(zip(tensor.stride(), tensor.shape, strict=True)):
        if size > 1 and step < reach:
            return torch.empty_like(tensor).stride()
        reach += (size - 1) * step
    return tensor.stride() if reach <= _MOST_GAPS * tensor.numel() else torch.empty_like(tensor).stride()


def _open_buffers(state: _State, request: dict[str, Any], fds: list[int]) -> dict[str, Any]:
    _close_buffers(state, request["name"])
    layout = BufferLayout.from_json(request["layout"])
    state.lent[request["name"]] = SharedBuffers.open(layout, fds[0], request["handle"])
    if layout.device == "cpu":
        _touch_heap([t.nbytes for t in layout.outputs])
    return {"buffers": True}


def _touch_heap(sizes: list[int]) -> None:
    """Write to the memory that outputs will be allocated from.

    The first write to a page costs a fault, after a fork with a copy, and would make calls slow that come early.
    """
    held = [torch.empty(size, dtype=torch.uint8).fill_(1) for size in sizes for _ in range(8) if size < _TOUCH_BYTES]
    held.append(torch.empty(_TOUCH_BYTES, dtype=torch.uint8).fill_(1))
    del held


def _close_buffers(state: _State, *names: str) -> None:
    """Let go of lent memory, so that neither pages nor descriptors pile up over the graphs of a task."""
    for name in names:
        buffers = state.lent.pop(name, None)
        if buffers is not None:
            buffers.close()


def _expected(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    """Reference only: eager and float64 outputs for the inputs lying in the buffers `expected`."""
    assert state.module is not None
    buffers = state.lent["expected"]
    inputs = [t.clone() for t in buffers.places[0]]
    if state.wide is not None:  # before eager, which may change its inputs
        for value, target in zip(state.wide(inputs), buffers.wide, strict=True):
            target.copy_(value)
        if state.large:
            heap.give_back(state.device)
    calls.deliver(tuple_of(state.module.forward(*inputs)), buffers.slots[0])
    for source, target in zip(inputs, buffers.places[0], strict=True):
        target.copy_(source)  # shows what eager did to its inputs
    _synchronise(state.device)
    if state.large:
        heap.give_back(state.device)
    return {"wide": state.wide is not None}


def _dull(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    """Reference only: whether the inputs lying in the buffers leave its choosers nothing to tell apart."""
    assert state.follower is not None
    return {"dull": state.follower.dull([t.clone() for t in state.lent["expected"].places[0]])}


def _follow(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    """Reference only: the same by the choices behind a candidate's outputs, which lie in the buffers's second slot."""
    assert state.follower is not None
    buffers = state.lent["expected"]
    inputs = [t.clone() for t in buffers.places[0]]
    how = {name: request[name] for name in ("hard", "hidden", "seconds")}
    found = state.follower.follow(inputs, buffers.slots[1], **how)
    if found is None:
        return {"followed": False}
    calls.deliver(tuple(found.eager), buffers.slots[0])
    for value, target in zip(found.wide or (), buffers.wide, strict=True):
        target.copy_(value)
    _synchronise(state.device)
    return {"followed": True, "levels": list(found.levels.items())}


def _block(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    assert state.program is not None
    answer = calls.run(state.program, state.lent["timing"], request, state.device)
    if "notes" in answer and state.rules is not None:
        held = kept_memory.held_memory(kept_memory.pass_modules(), [rule.function for rule in state.rules])
        answer["notes"] = [
            *(("guard_changed", f"{what} was exchanged") for what in state.changed()),
            *(("kept_state", line) for line in held[:_MOST_HELD]),
            *answer["notes"],
        ]
    return answer


def _events(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    """Device time per call by CUDA events: a claim of this process, kept as information and consistency check only."""
    assert state.program is not None
    buffers, times = state.lent["timing"], []
    for index in range(request["calls"]):
        place = index % len(buffers.places)
        buffers.drawer(request["draw"], place)(*request["key"])
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
        torch.cuda.synchronize()
        start.record()
        state.program.call(*buffers.places[place])
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) * 1e3)
    return {"gpu_us": times}


def _compile_triton(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    """Run the program once with every Triton launch compiled to PTX instead of launched."""
    from passnet.kernels import triton_check

    assert state.graph is not None and state.program is not None
    inputs, program = state.graph.inputs(request["seed"], state.device), state.program
    found = triton_check.compile_launches(lambda: program.call(*inputs))
    lines = [f"{k.name} compiles for {k.target}, {k.num_warps} warps, {k.shared_bytes} bytes shared" for k in found]
    return {"kernels": lines}


def _paper(state: _State, request: dict[str, Any]) -> dict[str, Any]:
    """The published protocol: one process, Dynamo dispatch, candidate first, fixed inputs. Not tamper-proof."""
    from passnet.bench.worker.published_protocol import run

    assert state.graph is not None and state.module is not None
    compiler = compilers.make(request["compiler"], state.rules)
    return run(state.graph, state.module, compiler, state.device, request["warmup"], request["trials"])


def _synchronise(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


_HANDLERS: dict[str, Callable[[_State, dict[str, Any]], dict[str, Any]]] = {
    "hello": _hello,
    "load_passes": _load_passes,
    "describe": _describe,
    "rewrite": _rewrite,
    "build": _build,
    "freeze": _freeze,
    "probe": _probe,
    "expected": _expected,
    "follow": _follow,
    "dull": _dull,
    "block": _block,
    "events": _events,
    "paper": _paper,
    "compile_triton": _compile_triton,
}
