"""The fleet of one machine: a process for each device, which is ended and started again when it fails."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from passnet import environment
from passnet.bench.devices.lease import open_locks
from passnet.bench.devices.names import DeviceName, check_present
from passnet.bench.engine.messages import (
    CloseHost,
    HostLost,
    HostOrder,
    HostRefused,
    HostReport,
    HostReports,
    JudgeUnit,
)
from passnet.bench.engine.unit import EvaluationUnit
from passnet.bench.isolation import limits
from passnet.bench.isolation.leftovers import remove
from passnet.bench.isolation.turn import Lane
from passnet.bench.wire.channel import MAX_MESSAGE_BYTES, Channel, ChannelError
from passnet.errors import MachineError
from passnet.writing import StorageError, is_storage, storing

_BOOT = (
    "import json, sys; paths, argv, arguments = json.loads(sys.argv[1]); sys.path[:], sys.argv[:] = paths, argv; "
    "from passnet.bench.engine.host import main; main(*arguments)"
)
# A message that has begun to arrive is complete soon, because trusted code wrote it at once.
_REST_OF_MESSAGE_S, _LEAVES_WITHIN_S = 30.0, 10.0


class DeviceHost:
    """One process of a device, from this side. `logs`: where its workers write theirs.

    `lane`, `locks`: where it is one of several that judge on the device in turn. MachineError when the system refuses
    a process, a file or a socket. Then nothing is left of it.
    """

    def __init__(self, device: DeviceName, logs: Path, lane: Lane | None = None, locks: Sequence[int] = ()) -> None:
        self.device = device
        self._log = logs / "host.log"
        with _starting(device), contextlib.ExitStack() as undo:
            self._scratch = Path(tempfile.mkdtemp(prefix="passnet-host-"))
            undo.callback(os.rmdir, self._scratch)
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            undo.callback(ours.close)
            with theirs:
                logs.mkdir(parents=True, exist_ok=True)
                self._process = self._begun(theirs.fileno(), lane or Lane(), locks)
            undo.pop_all()
        self.channel = Channel(ours, accepts_fds=False, max_received=MAX_MESSAGE_BYTES)

    def _begun(self, fd: int, lane: Lane, locks: Sequence[int]) -> subprocess.Popen[bytes]:
        device = self.device
        turns = [lane.number, lane.of, str(lane.file) if lane.file is not None else None]
        place = [fd, device.kind, list(device.cores), device.index, str(self._log.parent), turns, list(locks)]
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-I", "-c", _BOOT, json.dumps([sys.path, sys.argv, place])],
                env=_environment(device, self._scratch),
                pass_fds=(fd, *locks),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the engine, which ends this process in order
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, unit: EvaluationUnit) -> None:
        """Give it a unit. If it is gone, `receive` says so. MachineError when the unit cannot be written."""
        file = self._scratch / "unit.json"
        with storing(file):
            file.parent.mkdir(exist_ok=True)  # systems remove temporary files that nobody used for long
            file.write_text(unit.model_dump_json())
        self._order(HostOrder(order=JudgeUnit(file=str(file))))

    def receive(self) -> HostReports:
        """The next report. It has begun to arrive, or the process is gone."""
        try:
            return HostReport.model_validate_json(self.channel.receive(_REST_OF_MESSAGE_S)).report
        except (ChannelError, ValidationError) as error:
            return HostLost(reason=self._ending(error))

    def close(self, *, kind: bool) -> None:
        """End the process. `kind`: it may end its workers itself; it is idle or listens."""
        if kind:
            self._order(HostOrder(order=CloseHost()))
        elif self._process.poll() is None:
            self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVES_WITHIN_S)
        limits.kill_group(self._process.pid)
        self._process.wait()
        self.channel.close()
        remove(self._scratch)

    def _order(self, order: HostOrder) -> None:
        with contextlib.suppress(ChannelError):
            self.channel.send(order.model_dump_json().encode())

    def _ending(self, error: Exception) -> str:
        try:
            code = self._process.wait(_LEAVES_WITHIN_S)
        except subprocess.TimeoutExpired:
            return f"the process of {self.device} broke off: {error}; see {self._log}"
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
        return f"the process of {self.device} {how}; see {self._log}"


@contextlib.contextmanager
def _starting(device: DeviceName) -> Iterator[None]:
    """Turns every `OSError` inside into a StorageError or a MachineError: no path of a user is in it."""
    try:
        yield
    except OSError as error:
        kind = StorageError if is_storage(error) else MachineError
        raise kind(f"the process of {device} cannot be started: {error}") from error


class LocalFleet:
    """All given devices of this machine. `logs`: a directory; each device has one of its own in it.

    `lanes`: processes of each device. Each builds programs on cores of its own, and they use the device in turn.
    """

    def __init__(self, devices: Sequence[DeviceName], logs: Path, lanes: int = 1) -> None:
        check_present(devices)
        self._turns = Path(tempfile.mkdtemp(prefix="passnet-turns-"))
        self._devices: dict[str, DeviceName] = {}
        self._lanes: dict[str, tuple[Lane, list[int]]] = {}
        for device in devices:
            self._add(device, lanes)
        self._kind = devices[0].kind
        self._logs = logs
        self._hosts: dict[str, DeviceHost] = {}
        self._busy: set[str] = set()
        self._selector = selectors.DefaultSelector()

    @property
    def devices(self) -> list[str]:
        return list(self._devices)

    def machine(self) -> dict[str, Any]:
        return environment.snapshot(self._kind)

    def pid(self, device: str) -> int:
        """The process of a device that was started."""
        return self._hosts[device].pid

    def start(self, device: str) -> None:
        lane, locks = self._lanes[device]
        host = DeviceHost(self._devices[device], self._logs / device.replace(":", "-"), lane, locks)
        try:
            with _starting(host.device):
                self._selector.register(host.channel, selectors.EVENT_READ, device)
        except MachineError:
            host.close(kind=False)
            raise
        self._hosts[device] = host
        self._busy.add(device)

    def send(self, device: str, unit: EvaluationUnit) -> None:
        self._busy.add(device)
        self._hosts[device].send(unit)

    def stop(self, device: str) -> None:
        host = self._hosts.pop(device, None)
        if host is not None:
            self._selector.unregister(host.channel)
            host.close(kind=device not in self._busy)
        self._busy.discard(device)

    def wait(self, timeout_s: float) -> list[tuple[str, HostReports]]:
        deadline = time.monotonic() + timeout_s
        found: list[tuple[str, HostReports]] = []
        while not found:
            waiting = [device for device, host in self._hosts.items() if host.channel.poll(0.0)]
            if not waiting:
                left = deadline - time.monotonic()
                if left <= 0 or not self._hosts:
                    break
                waiting = [key.data for key, _ in self._selector.select(left)]
            for device in waiting:
                found.append((device, self._hosts[device].receive()))
        for device, report in found:
            self._note(device, report)
        return found

    def close(self) -> None:
        for device in list(self._hosts):
            self.stop(device)
        self._selector.close()
        for fd in {fd for _, locks in self._lanes.values() for fd in locks}:
            os.close(fd)
        self._lanes.clear()
        remove(self._turns)

    def _add(self, device: DeviceName, count: int) -> None:
        if count == 1:
            self._devices[str(device)], self._lanes[str(device)] = device, (Lane(), [])
            return
        locks = open_locks(device)
        for number in range(count):
            name = f"{device}/{number + 1}"
            self._devices[name] = device
            self._lanes[name] = Lane(number, count, self._turns / str(device)), locks

    def _note(self, device: str, report: HostReports) -> None:
        if isinstance(report, HostLost | HostRefused):
            self.stop(device)
        elif report.kind in ("ready", "done", "stopped"):
            self._busy.discard(device)


def _environment(device: DeviceName, scratch: Path) -> dict[str, str]:
    """Of this process, with a place for temporary files that goes when the process goes, and with only its own GPU."""
    # Workers do not inherit an order of GPUs, and both must mean the same GPU by its number.
    kept = {name: value for name, value in os.environ.items() if name != "CUDA_DEVICE_ORDER"}
    kept["TMPDIR"] = str(scratch)
    if device.index is None:
        return kept
    visible = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name.strip()]
    own = visible[device.index].strip() if device.index < len(visible) else str(device.index)
    return kept | {"CUDA_VISIBLE_DEVICES": own}
