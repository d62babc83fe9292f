"""The controller's orders to a fork server, and the server's reports: trusted code on both sides."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from passnet.bench.isolation.limits import WorkerLimits
from passnet.bench.isolation.sandbox import SandboxPlan
from passnet.bench.wire.message import Message


class Fork(Message):
    """Fork a worker, in a sandbox if there is one. Channel and log come with the message as descriptors.

    `private`: no other process may read its memory.
    """

    kind: Literal["fork"] = "fork"
    limits: WorkerLimits
    cpus: tuple[int, ...]
    threads: int
    sandbox: SandboxPlan | None = None
    private: bool = False


class Sweep(Message):
    """End all processes that dead workers left behind."""

    kind: Literal["sweep"] = "sweep"


class ForkOrder(Message):
    """Either order."""

    order: Annotated[Fork | Sweep, Field(discriminator="kind")]


class Ready(Message):
    """The imports are done."""

    kind: Literal["ready"] = "ready"


class Forked(Message):
    """A worker was forked, with this process number."""

    kind: Literal["forked"] = "forked"
    pid: int


class Ended(Message):
    """A worker ended. It carries the wait status as `os.waitpid` gives it."""

    kind: Literal["ended"] = "ended"
    pid: int
    status: int


class Swept(Message):
    """Nothing is left behind."""

    kind: Literal["swept"] = "swept"


ForkEvents = Ready | Forked | Ended | Swept


class ForkEvent(Message):
    """Any report."""

    event: Annotated[ForkEvents, Field(discriminator="kind")]
