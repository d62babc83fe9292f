"""The controller's orders to a fork server, and the server's reports: trusted code on both sides."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from passnet.bench.isolation.limits import WorkerLimits
from passnet.bench.isolation.sandbox import SandboxPlan
from passnet.bench.wire.message import WireMessage


class Fork(WireMessage):
    """Fork a worker, in a sandbox if there is one. Channel and log come with the message as descriptors.

    `private`: no other process may read its memory.
    """

    kind: Literal["fork"] = "fork"
    limits: WorkerLimits
    cpus: tuple[int, ...]
    threads: int
    sandbox: SandboxPlan | None = None
    private: bool = False


class Sweep(WireMessage):
    """End all processes that dead workers left behind."""

    kind: Literal["sweep"] = "sweep"


class ForkOrder(WireMessage):
    """Either order."""

    order: Annotated[Fork | Sweep, Field(discriminator="kind")]


class Ready(WireMessage):
    """The imports are done."""

    kind: Literal["ready"] = "ready"


class Forked(WireMessage):
    """A worker was forked, with this process number."""

    kind: Literal["forked"] = "forked"
    pid: int


class WorkerEnded(WireMessage):
    """A worker ended. It carries the wait status as `os.waitpid` gives it."""

    kind: Literal["ended"] = "ended"
    pid: int
    status: int


class Swept(WireMessage):
    """Nothing is left behind."""

    kind: Literal["swept"] = "swept"


ForkEvents = Ready | Forked | WorkerEnded | Swept


class ForkEvent(WireMessage):
    """Any report."""

    event: Annotated[ForkEvents, Field(discriminator="kind")]
