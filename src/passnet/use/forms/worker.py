"""The process of the forms: it builds the user's model, enters a sandbox if passes will run, and obeys orders.

The model is the user's own code, and runs as the user. Whatever comes later runs in the sandbox, compilers included.
"""

from __future__ import annotations

import importlib
import os
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from passnet import kernels
from passnet.bench.isolation import limits, sandbox
from passnet.bench.isolation.sandbox import SandboxPlan
from passnet.bench.names import PolicyLevel
from passnet.bench.wire.channel import Channel, ChannelClosed
from passnet.bench.wire.message import WireMessage, read
from passnet.errors import PassNetError
from passnet.kernels.compilation.compile import run_in_group
from passnet.use.forms.stage import FormFailed, OwnStage
from passnet.use.forms.wire import BuildForm, CallsMade, FormOrder, StageReady


class StagePlan(WireMessage):
    """What the process is to hold. `examples`: `module:function` with further calls. `passes`: a directory of sets.

    `modules` are imported first, since a sandbox may hide where they lie.
    """

    spec: str
    device: str | None
    examples: str | None
    threads: int
    passes: str | None
    policy: PolicyLevel
    sandbox: SandboxPlan | None
    modules: tuple[str, ...] = ()


def main(fd: int, plan_text: str, ordered: float) -> None:
    """Entry point. It ends when the channel closes. `ordered`: when it was to start, by the clock of the machine."""
    limits.die_with_parent()
    channel = Channel(socket.socket(fileno=fd))
    plan = read(StagePlan, plan_text.encode())
    layers: tuple[str, ...] = ()
    try:
        stage, device, layers = _prepared(plan)
    except PassNetError as error:
        channel.send(StageReady(device="", layers=layers, problem=str(error)).encoded())
        return
    seconds = max(0.0, time.monotonic() - ordered)
    channel.send(StageReady(device=device, layers=layers, seconds=seconds).encoded())
    try:
        while True:
            channel.send(_obeyed(stage, read(FormOrder, channel.receive())).encoded())
    except ChannelClosed:
        return
    finally:
        sys.stdout.flush()


def _prepared(plan: StagePlan) -> tuple[OwnStage, str, tuple[str, ...]]:
    """The stage, its device, and the layers of the sandbox. UsageError for what is wrong with the model."""
    import torch

    torch.set_num_threads(1)  # a process with one thread can enter every layer
    from passnet.use.forms.user_model import user_model

    case = user_model(plan.spec, plan.examples)
    _import(plan.modules)
    layers: Sequence[str] = ()
    if plan.sandbox is not None:
        sandbox.needed_paths.cache_clear()
        layers = sandbox.enter(plan.sandbox)
        # No setsid in here: compilers are started in this process's own group.
        kernels.configure(cache_dir=Path(plan.sandbox.cache, "kernels"), runner=run_in_group)
    torch.set_num_threads(plan.threads)
    case = case.on(plan.device)
    passes = None
    if plan.passes is not None:
        from passnet.use.passes import load_placed

        passes = load_placed(Path(plan.passes), plan.policy)
    return OwnStage(case.model, case.calls, case.device, passes), case.device, tuple(layers)


def _import(modules: Sequence[str]) -> None:
    for name in modules:
        importlib.import_module(name)


def _obeyed(stage: OwnStage, order: FormOrder) -> WireMessage:
    asked = order.order
    if isinstance(asked, BuildForm):
        return stage.build(asked.form)
    try:
        stage.make_calls(asked.form, asked.rounds)
    except FormFailed as failure:
        return CallsMade(reason=str(failure))
    return CallsMade()


def boot(paths: list[str], directory: str, fd: int, plan_text: str, ordered: float) -> None:
    """Take over the import paths and the directory of the command that started this process."""
    sys.path[:] = paths
    os.chdir(directory)
    main(fd, plan_text, ordered)
