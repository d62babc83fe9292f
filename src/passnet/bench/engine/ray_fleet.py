"""The fleet of a Ray cluster: an actor for each device, which keeps the same process as the local fleet on its node.

Ray moves units and records and says which nodes and GPUs there are. It runs no pass and times nothing. Needs the extra
`ray`, and this version of passnet on every node.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from passnet.bench.devices.names import DeviceName, default_device, parse_devices
from passnet.bench.engine.local import LocalFleet
from passnet.bench.engine.messages import HostLost, HostReport, HostReports
from passnet.bench.engine.unit import EvaluationUnit
from passnet.errors import InfrastructureError, MissingExtra, UsageError, described, first_line
from passnet.logs import logger

_ANSWERS_WITHIN_S, _JOINS_WITHIN_S, _SNAPSHOT_WITHIN_S = 5.0, 60.0, 180.0
# How often the cluster is asked for its nodes, and how long an actor waits for a report before it waits again.
_NODES_EVERY_S, _REPORT_EVERY_S = 2.0, 30.0
_log = logger(__name__)


@dataclass(frozen=True)
class RayDevice:
    """A device of a node. `cores`: those named; empty: all of the node. `place`, `of`: which of how many GPUs."""

    node: str
    kind: str
    cores: tuple[int, ...]
    place: int
    of: int
    cpus: float


class _DeviceActor:
    """Runs on a node: the process of one device, and its reports as they come."""

    def __init__(self, device: RayDevice, argv: list[str]) -> None:
        sys.argv[:] = argv  # the lease says which command holds the device
        self._fleet = LocalFleet([_on_node(device)], Path(tempfile.mkdtemp(prefix="passnet-ray-")))
        self._name = self._fleet.devices[0]

    def start(self) -> Iterator[str]:
        self._fleet.start(self._name)
        yield from self._reports()

    def judge(self, unit: str) -> Iterator[str]:
        self._fleet.send(self._name, EvaluationUnit.model_validate_json(unit))
        yield from self._reports()

    def close(self) -> None:
        self._fleet.close()

    def _reports(self) -> Iterator[str]:
        while True:
            for _, report in self._fleet.wait(_REPORT_EVERY_S):
                yield HostReport(report=report).model_dump_json(by_alias=True)
                if report.kind not in ("waits", "judged"):
                    return


class RayFleet:
    """All devices of a cluster: every GPU, or on every node the cores that are named.

    The cluster's address is that of `RAY_ADDRESS`, or of the cluster on this machine.
    """

    def __init__(self, kind: str, devices: str | None, address: str | None = None) -> None:
        if kind == "cuda" and devices is not None:
            raise UsageError("Ray itself hands out GPUs", field="--devices", hint="leave it out with --engine ray")
        self._kind = kind
        self._named = parse_devices(devices, kind) if devices is not None else ()
        self._ray = _connected(address or os.environ.get("RAY_ADDRESS") or "auto")
        self._devices: dict[str, RayDevice] = {}
        self._asked = float("-inf")
        self._actors: dict[str, Any] = {}
        self._streams: dict[str, Any] = {}

    @property
    def devices(self) -> list[str]:
        if time.monotonic() - self._asked >= _NODES_EVERY_S:
            self._devices = dict(self._found())
            self._asked = time.monotonic()
        return list(self._devices)

    def machine(self) -> dict[str, Any]:
        if not self.devices:
            raise InfrastructureError(f"the Ray cluster has no {self._kind} device")
        ray, device = self._ray, self._devices[self.devices[0]]
        asked = ray.remote(_snapshot).options(**_resources(device), max_retries=0).remote(self._kind)
        try:
            found: dict[str, Any] = ray.get(asked, timeout=_SNAPSHOT_WITHIN_S)
        except ray.exceptions.RayError as error:
            ray.cancel(asked, force=True)
            raise InfrastructureError(f"a node of the Ray cluster cannot be used: {described(error)}") from error
        return found

    def start(self, device: str) -> None:
        found = self._devices[device]
        made = self._ray.remote(_DeviceActor).options(**_resources(found), max_restarts=0)
        self._actors[device] = actor = made.remote(found, sys.argv)
        self._streams[device] = actor.start.options(num_returns="streaming").remote()

    def send(self, device: str, unit: EvaluationUnit) -> None:
        judge = self._actors[device].judge.options(num_returns="streaming")
        self._streams[device] = judge.remote(unit.model_dump_json())

    def stop(self, device: str) -> None:
        self._streams.pop(device, None)
        actor = self._actors.pop(device, None)
        if actor is not None:
            self._ray.kill(actor)

    def wait(self, timeout_s: float) -> list[tuple[str, HostReports]]:
        if not self._streams:
            time.sleep(min(timeout_s, 0.1))
            return []
        ready, _ = self._ray.wait(list(self._streams.values()), num_returns=1, timeout=timeout_s)
        found = [
            (device, report)
            for device, stream in list(self._streams.items())
            if stream in ready
            for report in [self._next(device, stream)]
            if report is not None
        ]
        for device, report in found:
            if report.kind in ("lost", "refused"):
                self.stop(device)
        return found

    def close(self) -> None:
        for device, actor in list(self._actors.items()):
            if device not in self._streams:  # an idle one can give its device back in order
                self._let_go(actor)
            self.stop(device)
        self._ray.shutdown()

    def _next(self, device: str, stream: Any) -> HostReports | None:
        """The next report of a stream that is ready. None at its end."""
        try:
            return HostReport.model_validate_json(self._ray.get(next(stream))).report
        except StopIteration:
            del self._streams[device]
            return None
        except self._ray.exceptions.RayError as error:
            return HostLost(reason=f"Ray lost {device}: {described(error)}")

    def _let_go(self, actor: Any) -> None:
        try:
            self._ray.get(actor.close.remote(), timeout=_ANSWERS_WITHIN_S)
        except self._ray.exceptions.RayError as error:  # it is ended in any case
            _log.info("an actor did not close: %s", first_line(error))

    def _found(self) -> Iterator[tuple[str, RayDevice]]:
        for node in self._ray.nodes():
            if not node["Alive"]:
                continue
            id, resources = node["NodeID"], node["Resources"]
            name, cpus = f"{node['NodeManagerHostname']}-{id[:6]}", resources.get("CPU", 0.0)
            if self._kind == "cuda":
                count = int(resources.get("GPU", 0))
                for place in range(count):
                    yield f"{name}/cuda:{place}", RayDevice(id, "cuda", (), place, count, 0.0)
            elif self._named:
                for device in self._named:
                    wanted = min(float(len(device.cores)), cpus)
                    yield f"{name}/{device}", RayDevice(id, "cpu", device.cores, 0, 1, wanted)
            elif cpus:
                yield f"{name}/cpu", RayDevice(id, "cpu", (), 0, 1, cpus)


def _snapshot(kind: str) -> dict[str, Any]:
    from passnet import environment

    environment.check_device(kind)
    return environment.snapshot(kind)


def _on_node(device: RayDevice) -> DeviceName:
    """The device as its own node names it. Of its GPUs Ray shows an actor only the one that it was given."""
    whole = default_device(device.kind)
    if device.kind == "cpu":
        return DeviceName("cpu", device.cores, None) if device.cores else whole
    share = max(1, len(whole.cores) // device.of)
    return DeviceName("cuda", whole.cores[device.place * share :][:share] or whole.cores, 0)


def _resources(device: RayDevice) -> dict[str, Any]:
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    needs = {"num_gpus": 1} if device.kind == "cuda" else {"num_cpus": device.cpus}
    return needs | {"scheduling_strategy": NodeAffinitySchedulingStrategy(device.node, soft=False)}


def _connected(address: str) -> Any:
    """The module `ray`, joined to a cluster. One clear line in bounded time when there is none."""
    try:
        import ray
    except ModuleNotFoundError as missing:
        raise MissingExtra("the engine", "ray", field="--engine") from missing
    if address != "auto":
        _check_answers(address)
    failure: list[BaseException] = []

    def join() -> None:
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (OSError, RuntimeError, ValueError) as error:  # all that Ray documents for a cluster that is not there
            failure.append(error)

    # Ray waits for minutes for a cluster that accepts connections and does not answer.
    joining = threading.Thread(target=join, daemon=True)
    joining.start()
    joining.join(_JOINS_WITHIN_S)
    if failure or joining.is_alive():
        reason = first_line(failure[0]) if failure else f"no answer within {_JOINS_WITHIN_S:.0f} s"
        raise UsageError(
            f"no Ray cluster answers: {reason}", field="RAY_ADDRESS", found=address, hint="start one with `ray start`"
        )
    return ray


def _check_answers(address: str) -> None:
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise UsageError("is no address of a Ray cluster", field="RAY_ADDRESS", expected="HOST:PORT", found=address)
    try:
        socket.create_connection((host.strip("[]"), int(port)), _ANSWERS_WITHIN_S).close()
    except (OSError, OverflowError) as error:
        raise UsageError(
            f"no Ray cluster answers: {error}", field="RAY_ADDRESS", found=address, hint="start one with `ray start`"
        ) from error
