"""What an engine and the process of a device say to each other. Both run trusted code only. One model a message."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from passnet.bench.record.records import GraphRecord


class HostMessage(BaseModel):
    """A model that travels as JSON text between an engine and the process of a device."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")


class JudgeUnit(HostMessage):
    """Judge the unit in this file, graph by graph."""

    kind: Literal["judge"] = "judge"
    file: str


class CloseHost(HostMessage):
    """Give back the device and end."""

    kind: Literal["close"] = "close"


class HostOrder(HostMessage):
    """Either order."""

    order: Annotated[JudgeUnit | CloseHost, Field(discriminator="kind")]


class HostWaits(HostMessage):
    """Another process holds the device. `text`: who, and for how long."""

    kind: Literal["waits"] = "waits"
    text: str


class HostReady(HostMessage):
    """The device is held and works. `machine`: what `passnet.environment.snapshot` says of it."""

    kind: Literal["ready"] = "ready"
    machine: dict[str, Any]


class GraphJudged(HostMessage):
    """One graph of the unit has its verdict."""

    kind: Literal["judged"] = "judged"
    record: GraphRecord


class UnitDone(HostMessage):
    """All graphs of the unit were judged."""

    kind: Literal["done"] = "done"


class UnitStopped(HostMessage):
    """The machine failed at a graph. The process goes on with the next unit. `storage`: the disk is full or fails."""

    kind: Literal["stopped"] = "stopped"
    reason: str
    storage: bool = False


class HostRefused(HostMessage):
    """The device cannot be used, and the process ends."""

    kind: Literal["refused"] = "refused"
    reason: str


class HostLost(HostMessage):
    """The process ended, or its machine is gone. Said by its fleet, because the process itself cannot."""

    kind: Literal["lost"] = "lost"
    reason: str


HostReports = HostWaits | HostReady | GraphJudged | UnitDone | UnitStopped | HostRefused | HostLost


class HostReport(HostMessage):
    """Any report."""

    report: Annotated[HostReports, Field(discriminator="kind")]
