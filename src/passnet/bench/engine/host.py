"""The process of one device: holds it, judges the units that it is given, and says each verdict as soon as it is there.

Trusted code only. Passes run in the sandboxed workers that this process starts.
"""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from passnet.bench.devices.lease import leased
from passnet.bench.devices.names import DeviceName
from passnet.bench.engine.messages import (
    GraphJudged,
    HostOrder,
    HostReady,
    HostRefused,
    HostReport,
    HostReports,
    HostWaits,
    JudgeUnit,
    UnitDone,
    UnitStopped,
)
from passnet.bench.isolation import limits
from passnet.bench.isolation.turn import Lane
from passnet.bench.wire.channel import MAX_MESSAGE_BYTES, Channel, ChannelClosed
from passnet.errors import PassNetError
from passnet.writing import StorageError

if TYPE_CHECKING:
    from passnet.bench.engine.judging import UnitJudge


def main(
    fd: int, kind: str, cores: list[int], index: int | None, logs: str, lane: list[object], locks: list[int]
) -> None:
    """Entry point: pins itself, takes the device, serves until the engine goes away.

    `lane`: number, count and lock file of a `Lane`. `locks`: open lock files of the device, which its lanes share.
    """
    limits.die_with_parent()
    signal.signal(signal.SIGTERM, _leave)
    os.sched_setaffinity(0, cores)
    channel = Channel(socket.socket(fileno=fd), max_received=MAX_MESSAGE_BYTES)
    device = DeviceName("cpu" if kind == "cpu" else "cuda", tuple(cores), index)
    try:
        _serve(channel, device, Path(logs), _lane(*lane), locks)
    except ChannelClosed:  # the engine is gone, and nobody is left to tell
        return
    except (PassNetError, RuntimeError, OSError) as error:
        _say(channel, HostRefused(reason=f"{device}: {error}"))


def _lane(number: object, of: object, file: object) -> Lane:
    assert isinstance(number, int) and isinstance(of, int)
    return Lane(number, of, Path(file) if isinstance(file, str) else None)


def _serve(channel: Channel, device: DeviceName, logs: Path, lane: Lane, locks: list[int]) -> None:
    from passnet import environment
    from passnet.bench.engine.judging import UnitJudge

    environment.check_device(device.kind)
    # The engine has made the GPU of this process the only one that it sees.
    seen = device if device.index is None else DeviceName("cuda", device.cores, 0)
    held = leased(seen, lambda text: _say(channel, HostWaits(text=text)), locks)
    with held, UnitJudge(logs, lane) as judge:
        _say(channel, HostReady(machine=environment.snapshot(device.kind)))
        while isinstance(order := HostOrder.model_validate_json(channel.receive()).order, JudgeUnit):
            _judge(channel, judge, Path(order.file))


def _judge(channel: Channel, judge: UnitJudge, file: Path) -> None:
    from passnet.bench.engine.unit import EvaluationUnit

    try:
        for record in judge.judge(EvaluationUnit.model_validate_json(file.read_bytes())):
            _say(channel, GraphJudged(record=record))
    except PassNetError as error:
        _say(channel, UnitStopped(reason=str(error), storage=isinstance(error, StorageError)))
    else:
        _say(channel, UnitDone())


def _say(channel: Channel, report: HostReports) -> None:
    channel.send(HostReport(report=report).model_dump_json(by_alias=True).encode())


def _leave(_signal: int, _frame: object) -> NoReturn:
    raise SystemExit(0)
