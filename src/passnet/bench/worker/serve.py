"""The code inside a forked worker, reference and candidate alike: build a program, run blocks of calls, answer.

A candidate worker executes untrusted passes in this process, so nothing here decides anything. Inputs, order, clock
and comparison are the controller's. Every answer sent from here is a claim.
"""

from __future__ import annotations

import contextlib
import functools
import os
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import torch
from pydantic import JsonValue

from passnet.bench.wire import places, replies, requests
from passnet.bench.wire.channel import Channel
from passnet.bench.wire.memory import is_exhausted
from passnet.bench.wire.message import MAX_TEXT, read
from passnet.bench.wire.replies import AnyReply, Failed, Reply, SaidFailure, WorkerAnswer
from passnet.bench.wire.requests import Order, Request
from passnet.bench.worker import calls, captured, compilers, elsewhere, heap, truth, wrapper_guard
from passnet.bench.worker.draw_server import DrawServer
from passnet.bench.worker.state import WorkerState
from passnet.errors import said
from passnet.graph import Graph
from passnet.op_classes import PRODUCTS
from passnet.rewrite.rules import kept_memory, kept_values, table_places

_MOST_HELD = 3
_CHANGES = "changes from call to call; keep what depends on shapes and dtypes alone"
_MULTIPLIED = frozenset((torch.float64, torch.float32, torch.float16, torch.bfloat16))
# Handlers of extra requests, by name: arguments and the request's number -> the reply's value.
ExtraHandler = Callable[[dict[str, JsonValue], int], JsonValue]
_extra: dict[str, ExtraHandler] = {}


def answer_extra(name: str, handler: ExtraHandler) -> None:
    """Register a handler. A module that the fork server is told to import calls this."""
    _extra[name] = handler


def serve(channel: Channel, layers: tuple[str, ...] = ()) -> None:
    """Answer requests until told to exit or the controller is gone. `layers`: of the sandbox around this process."""
    sealed = (wrapper_guard, calls, elsewhere, compilers, kept_memory, kept_values, table_places, places)
    state = WorkerState(layers, changed=wrapper_guard.seal(*sealed))
    with torch.no_grad():
        while True:
            order = read(Order, channel.receive())
            if isinstance(order.request, requests.Exit):
                return
            reply = cast(AnyReply, _reply(channel, state, order))
            channel.send(WorkerAnswer(id=order.id, reply=reply).encoded())


def _reply(channel: Channel, state: WorkerState, order: Order) -> Reply:
    request = order.request
    try:
        if type(request) in _WITH_MEMORY:
            return _WITH_MEMORY[type(request)](state, request, channel.take_fds())
        if isinstance(request, requests.Extra):
            return replies.ExtraDone(value=_extra[request.name](request.arguments, order.id))
        return _HANDLERS[type(request)](state, request)
    except (calls.OutputMismatch, compilers.BuildFailure) as error:
        return _failure(error.kind, error, error.near_misses if isinstance(error, compilers.BuildFailure) else ())
    except BaseException as error:  # noqa: BLE001 - whatever a pass raises is this request's answer, not our end
        if is_exhausted(error):
            return _failure("out_of_memory", error)
        return _failure("kernel_source" if compilers.is_kernel_breach(error) else "exception", error)


# What torch.fx puts behind the message of whatever is raised while it runs a graph.
_OF_FX = "\n\nWhile executing %"


def _failure(kind: SaidFailure, error: BaseException, near_misses: replies.NearMisses = ()) -> Failed:
    trace = "".join(traceback.format_exception(error))[-MAX_TEXT:]
    raised = kind in ("exception", "out_of_memory")
    text = said(error).partition(_OF_FX)[0]
    message = f"{type(error).__name__}: {text}" if raised else text
    if raised or error.__cause__ is not None:
        with contextlib.suppress(OSError):  # a full disk is not the pass's failure
            os.write(2, trace.encode(errors="replace"))  # the worker's log
    return Failed(failure=kind, message=message, trace=trace, near_misses=near_misses, lost=raised and _device_lost())


def _device_lost() -> bool:
    """Whether a kernel failed in a way after which CUDA answers this process with errors only."""
    if not torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        return False
    try:
        torch.cuda.synchronize()
    except RuntimeError:
        return True
    return False


def _hello(state: WorkerState, request: requests.Hello) -> replies.Layers:
    """Check the device. If it cannot be used from inside, this is the machine's failure and must not become a
    pass's.
    """
    if request.device != "cpu":
        _wake(request.device)
    return replies.Layers(layers=state.layers)


@functools.cache
def _wake(device: str) -> None:
    """Use a GPU for the first time, and the kernels that every graph needs.

    Loading a library or its kernels takes up to a fifth of a second. Nobody should wait for that while the device is
    his alone.
    """
    small = torch.zeros(16, 16, device=device)
    torch.equal(small, small.flip(0))
    torch.cuda.synchronize()


@functools.cache
def _wake_products(device: str, dtype: torch.dtype) -> None:
    """The same for the library that multiplies matrices of a type."""
    small = torch.zeros(16, 16, dtype=dtype, device=device)
    torch.addmm(small[0], small, small)
    torch.cuda.synchronize()


def _load(state: WorkerState, request: requests.LoadPasses) -> replies.Done:
    if request.simulate:
        from passnet.kernels import triton_check

        # Entered for the life of the process, because Triton must believe in a device from loading to the last call.
        state.stack.enter_context(triton_check.no_device())
    scratch, cache = Path(request.scratch), Path(request.cache)
    state.rules = compilers.load_passes(
        request.passes.files, scratch, cache, request.device, on_processor=request.on_processor
    )
    return replies.Done()


def _describe(state: WorkerState, request: requests.Describe) -> replies.Described:
    """The facts that the loaded rules need of a graph. Their patterns can only be read by running their files."""
    from passnet.rewrite.match.signature import operations, structure

    needs = (
        replies.RuleNeeds(rule=rule.name, operations=operations(rule.pattern), structure=structure(rule.pattern))
        for rule in state.rules or ()
    )
    return replies.Described(rules=tuple(needs))


def _rewrite(state: WorkerState, request: requests.Rewrite) -> replies.RewriteDone:
    """A dry run: what the loaded rules would do to a graph."""
    from passnet.rewrite import graph_diff, rewrite

    module = Graph.read(Path(request.graph)).module(request.device)
    result = rewrite(module, state.rules or (), explain=False, raw=request.raw)
    rules = tuple(replies.RuleWork.model_validate(one.to_json()) for one in result.stats)
    return replies.RewriteDone(diff=graph_diff(module, result), rules=rules, replacements=dict(result.replacements))


def _build(state: WorkerState, request: requests.BuildProgram) -> replies.ProgramBuilt:
    """Make the program. The example inputs come from a public seed, because they only serve tracing and compiling."""
    state.device = request.device
    state.close_buffers(*list(state.lent))
    if state.device != "cpu":
        _wake(state.device)
    state.module, state.program, state.wide, state.follower, state.kept = None, None, None, None, None
    heap.give_back_much(state.device)  # of the graph before
    state.graph = Graph.read(Path(request.graph))
    state.module = state.graph.module(state.device)
    examples = state.examples(request.seed)
    if state.device != "cpu" and any(call.leaf in PRODUCTS for call in state.graph.statements()):
        for dtype in _MULTIPLIED & {tensor.dtype for tensor in examples}:
            _wake_products(state.device, dtype)
    state.program = compilers.make(request.compiler, state.rules).build(state.module, examples)
    state.values = None if state.rules is None else kept_values.KeptValues()
    return replies.ProgramBuilt(replacements=state.program.replacements, near_misses=state.program.near_misses)


def _freeze(state: WorkerState, request: requests.Freeze) -> replies.CallsRecorded:
    """Run the wrappers on the public examples and record their calls. A call that cannot be recorded stays
    unchanged.
    """
    assert state.graph is not None and state.program is not None
    if state.program.freeze is not None:
        compilers.refuse_kept(state.rules or ())
        state.program = state.program.freeze(state.examples(request.seed))
        if state.program.kept:
            raise compilers.BuildFailure("kept_state", state.program.kept[0])
    return replies.CallsRecorded(not_frozen=state.program.not_frozen)


def _block(state: WorkerState, request: requests.RunBlock) -> replies.BlockDone:
    assert state.program is not None
    return calls.run(
        state.program, state.lent["timing"], request, state.device, lambda: _held(state, request), state.replays
    )


def _held(state: WorkerState, request: requests.RunBlock) -> list[replies.Note]:
    """The notes on the pass set after a block, beside the guard's notes on its calls."""
    if state.rules is None or state.values is None or request.mode not in ("plain", "guarded"):
        return []
    modules, functions = kept_memory.pass_modules(), [rule.function for rule in state.rules]
    values = state.values.changed(request.variant, kept_values.look(modules, functions))
    notes: list[replies.Note] = [("kept_state", f"{name} {_CHANGES}") for name in values[:_MOST_HELD]]
    if request.mode == "guarded":
        notes += [("guard_changed", f"{what} was exchanged") for what in state.changed()]
        notes += [("kept_state", line) for line in kept_memory.held_memory(modules, functions)[:_MOST_HELD]]
    return notes


def _take_orders(state: WorkerState, request: requests.TakeOrders, fds: list[int]) -> replies.Done:
    state.draws = DrawServer.start(request, fds)
    return replies.Done()


def _add_draws(state: WorkerState, request: requests.AddDraws, fds: list[int]) -> replies.DrawsAdded:
    assert state.draws is not None
    return state.draws.add(request, fds)


def _drop_draws(state: WorkerState, request: requests.DropDraws) -> replies.Done:
    assert state.draws is not None
    return state.draws.drop(request)


def _events(state: WorkerState, request: requests.TimeEvents) -> replies.EventTimes:
    """Device time per call by CUDA events. This is a claim of this process, only for information and consistency
    checks.
    """
    assert state.program is not None
    buffers, times, issued = state.lent["timing"], [], []
    for index in range(request.calls):
        place = index % len(buffers.places)
        buffers.drawer(request.draw, place)(*request.key)
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
        torch.cuda.synchronize()
        start.record()
        began = time.perf_counter_ns()
        state.program.call(*buffers.places[place])
        issued.append((time.perf_counter_ns() - began) / 1e3)
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) * 1e3)
    return replies.EventTimes(gpu_us=tuple(times), host_us=tuple(issued))


def _capture(state: WorkerState, request: requests.Capture) -> replies.CaptureDone:
    assert state.program is not None
    buffers = state.lent["timing"]
    ready = calls.ready(buffers)
    state.replays.clear()
    try:
        state.replays["captured"] = captured.capture(state.program.call, buffers, calls.deliver)
        if request.copied:
            state.replays["copied"] = captured.capture(lambda *_: ready, buffers, calls.deliver)
    except BaseException as error:  # noqa: BLE001 - a call that cannot be captured is an answer, whatever it raises
        return replies.CaptureDone(why=captured.reason(error))
    return replies.CaptureDone()


def _compile_triton(state: WorkerState, request: requests.CompileTriton) -> replies.KernelsCompiled:
    """Run the program once with every Triton launch compiled to PTX instead of launched."""
    from passnet.kernels import triton_check

    assert state.graph is not None and state.program is not None
    inputs, program = state.examples(request.seed), state.program
    found = triton_check.compile_launches(lambda: program.call(*inputs))
    lines = (f"{k.name} compiles for {k.target}, {k.num_warps} warps, {k.shared_bytes} bytes shared" for k in found)
    return replies.KernelsCompiled(lines=tuple(lines))


def _published(state: WorkerState, request: requests.RunPublished) -> replies.PublishedTimes:
    """The published protocol: one process, Dynamo dispatch, candidate first, fixed inputs. Not tamper-proof."""
    from passnet.bench.worker.published_protocol import run

    assert state.graph is not None and state.module is not None
    compiler = compilers.make(request.compiler, state.rules)
    return run(state.graph, state.module, compiler, state.device, request.warmup, request.trials)


# Requests beside which descriptors of memory come.
_WITH_MEMORY: dict[type[Request[Any]], Callable[[WorkerState, Any, list[int]], Reply]] = {
    requests.LendBuffers: WorkerState.open_buffers,
    requests.TakeOrders: _take_orders,
    requests.AddDraws: _add_draws,
}
_HANDLERS: dict[type[Request[Any]], Callable[[WorkerState, Any], Reply]] = {
    requests.Hello: _hello,
    requests.LoadPasses: _load,
    requests.Describe: _describe,
    requests.Rewrite: _rewrite,
    requests.BuildProgram: _build,
    requests.Freeze: _freeze,
    requests.Probe: truth.probe,
    requests.Expect: truth.expect,
    requests.Roughen: truth.roughen,
    requests.AskDull: truth.dull,
    requests.Follow: truth.follow,
    requests.RunBlock: _block,
    requests.DropDraws: _drop_draws,
    requests.TimeEvents: _events,
    requests.Capture: _capture,
    requests.RunPublished: _published,
    requests.CompileTriton: _compile_triton,
}
