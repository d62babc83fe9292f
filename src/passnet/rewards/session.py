"""`passnet.reward`, and the session that keeps a device ready between rewards."""

from __future__ import annotations

import math
import tempfile
import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from passnet import environment
from passnet.bench.devices.names import default_device, parse_devices
from passnet.bench.engine.engine import Engine
from passnet.bench.engine.local import LocalFleet
from passnet.bench.isolation.allowance import REWARD_LIMIT_S
from passnet.bench.isolation.leftovers import remove
from passnet.bench.names import DEVICES
from passnet.errors import MachineError, UsageError, path_given
from passnet.graph.targets import Target, placed
from passnet.logs import logger
from passnet.rewards.definition import NoReward, Reward
from passnet.rewards.reading import Passes, ReadsPasses, read_passes
from passnet.rewards.request import RewardJob, protocol_of, read_task

_log = logger(__name__)
_T = TypeVar("_T")


def reward(
    task: Path | str,
    passes: Passes,
    *,
    device: str = "cpu",
    precision: str = "5%",
    limit_s: float = REWARD_LIMIT_S,
) -> Reward:
    """Judge a pass set on a task: its directory, or the name of a bundled one.

    The passes are a mapping from file name to text, or a directory. `limit_s`: see `RewardSession`.

    A process is started for this one reward; `RewardSession` keeps it. NoReward when the machine failed, UsageError
    for a task that cannot be read.
    """
    with RewardSession(device, precision=precision, limit_s=limit_s) as session:
        return session.reward(task, passes)


class RewardSession:
    """Devices that stay ready. Use it as a context, from one thread. It holds them from the first reward to the end.

    `devices`: several, as `--devices` of the command line; None: all cores, or the first GPU. `graphs`: only the first
    variants of each task. `limit_s`: seconds that the passes of one reward may take over all graphs. Graphs that are
    not judged by then are timeouts.
    """

    def __init__(
        self,
        device: str = "cpu",
        *,
        precision: str = "5%",
        devices: str | None = None,
        graphs: int | None = None,
        limit_s: float = REWARD_LIMIT_S,
    ) -> None:
        if not 0 < limit_s < math.inf:
            raise UsageError("is no limit", field="limit_s", expected="a positive number of seconds", found=limit_s)
        if device not in DEVICES:
            raise UsageError("unknown", field="device", expected=f"one of {', '.join(DEVICES)}", found=repr(device))
        environment.check_device(device)
        self.device, self.protocol, self._graphs = device, protocol_of(device, precision), graphs
        self.limit_s = limit_s
        named = parse_devices(devices, device) if devices is not None else (default_device(device),)
        self._logs = Path(tempfile.mkdtemp(prefix="passnet-rewards-"))
        self.engine = Engine(LocalFleet(named, self._logs), _log.warning, stops=False)
        self._tasks: dict[Path, Target] = {}
        self._count = 0
        self._reading = threading.Lock()

    def prepare(self, task: Path | str, passes: Passes, read: ReadsPasses = read_passes) -> RewardJob:
        """Read a task (once) and a pass set, from any thread. Errors: those of `reward`. `read`: reads the passes."""
        try:
            return self._prepared(task, passes, read)
        except (OSError, MachineError) as error:
            raise NoReward(f"the machine failed: {error}") from error

    def _prepared(self, task: Path | str, passes: Passes, read: ReadsPasses) -> RewardJob:
        place = placed(path_given(task, "task")).absolute()
        known = place.resolve()  # a path has any number of spellings
        with self._reading:
            if known not in self._tasks:
                self._tasks[known] = read_task(place, self._graphs)
            target = self._tasks[known]
            self._count += 1
            id = str(self._count)
        return RewardJob.prepare(id, target, passes, self.device, self.protocol, self.limit_s, read)

    def reward(self, task: Path | str, passes: Passes) -> Reward:
        """As `passnet.reward`."""
        (found,) = self.rewards([(task, passes)])
        if isinstance(found, NoReward):
            raise found
        return found

    def rewards(self, asked: Iterable[tuple[Path | str, Passes]]) -> list[Reward | NoReward]:
        """Rewards of several pass sets in the order asked, judged on all devices at once."""
        jobs = [_or_failure(partial(self.prepare, task, passes)) for task, passes in asked]
        units = {job.unit.id: job for job in jobs if isinstance(job, RewardJob) and job.unit is not None}
        for event in self.engine.run(job.unit for job in units.values() if job.unit is not None):
            units[event.unit].take(event)
        return [_or_failure(job.reward) if isinstance(job, RewardJob) else job for job in jobs]

    def close(self) -> None:
        """End the processes and give the devices back."""
        self.engine.close()
        remove(self._logs)

    def __enter__(self) -> RewardSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _or_failure(ask: Callable[[], _T]) -> _T | NoReward:
    try:
        return ask()
    except NoReward as failure:
        return failure
