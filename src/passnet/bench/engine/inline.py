"""The default fleet: one device, judged in this process. Nothing is started beside the workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from passnet import environment
from passnet.bench.devices.lease import leased
from passnet.bench.devices.names import default_device
from passnet.bench.engine.judging import UnitJudge
from passnet.bench.engine.messages import GraphJudged, HostReady, HostReports, UnitDone
from passnet.bench.engine.unit import EvaluationUnit
from passnet.bench.record.records import GraphRecord


class InlineFleet:
    """One device without a process of its own. A failure of the machine is raised, because nothing is left to go on."""

    def __init__(self, kind: str, logs: Path) -> None:
        environment.check_device(kind)
        self._kind, self._logs = kind, logs
        self._stack = ExitStack()
        self._reports: list[HostReports] = []
        self._judge: UnitJudge | None = None
        self._records: Iterator[GraphRecord] | None = None

    @property
    def devices(self) -> list[str]:
        return [self._kind]

    def machine(self) -> dict[str, Any]:
        return environment.snapshot(self._kind)

    def start(self, device: str) -> None:
        self._stack.enter_context(leased(default_device(self._kind)))
        self._judge = self._stack.enter_context(UnitJudge(self._logs))
        self._reports.append(HostReady(machine=self.machine()))

    def send(self, device: str, unit: EvaluationUnit) -> None:
        assert self._judge is not None
        self._records = self._judge.judge(unit)

    def stop(self, device: str) -> None:
        self._stack.close()
        self._judge = self._records = None

    def wait(self, timeout_s: float) -> list[tuple[str, HostReports]]:
        if self._records is not None and not self._reports:
            record = next(self._records, None)
            self._reports.append(UnitDone() if record is None else GraphJudged(record=record))
            self._records = None if record is None else self._records
        reports, self._reports = self._reports, []
        return [(self._kind, report) for report in reports]

    def close(self) -> None:
        self.stop(self._kind)
