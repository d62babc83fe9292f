"""Runs the units of a build's stages, and reads their results below `work/<stage>/`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from passnet.dataset.capture.record import cluster_of
from passnet.dataset.forks import Bounds, Ended, ForkUnit, run_units
from passnet.dataset.pipeline import workfiles
from passnet.dataset.pipeline.settings import BuildStep, Machine, Report, Summary
from passnet.writing import write_whole

Json = dict[str, Any]


class Stages:
    """The stages of one build. `summary` holds their costs and the failed units."""

    def __init__(self, work: Path, machine: Machine, report: Report) -> None:
        self.work, self.machine, self.report = work, machine, report
        self.summary = Summary()

    def path(self, stage: str, key: str) -> Path:
        """The file of a unit."""
        return workfiles.unit_path(self.work / stage, key)

    def run(self, stage: str, jobs: Mapping[str, Callable[[], bytes]]) -> None:
        """Do every unit that has no file yet, in the given order.

        A unit that fails leaves a file that says so. It is tried again only on request.
        """
        missing = [key for key in jobs if not self._is_done(self.path(stage, key))]
        resumed = len(jobs) - len(missing)
        units = (ForkUnit(key, jobs[key], self.path(stage, key)) for key in missing)
        bounds = Bounds(self.machine.unit_seconds, self.machine.unit_memory_bytes)
        with self.timed(stage):
            for count, ended in enumerate(run_units(units, self.machine.workers, bounds), 1):
                if ended.failure is not None:
                    self._give_up(stage, ended)
                self.report(BuildStep(stage, resumed + count, len(jobs), ended.key, ended.failure, resumed))

    def _is_done(self, path: Path) -> bool:
        return path.exists() and not (self.machine.retry and "failure" in workfiles.read(path))

    def _give_up(self, stage: str, ended: Ended) -> None:
        document = {
            "failure": ended.failure,
            "seconds": round(ended.seconds, 1),
            "cpu_seconds": round(ended.cpu_seconds, 1),
            "peak_memory_mb": round(ended.peak_memory_mb),
        }
        write_whole(self.path(stage, ended.key), workfiles.packed(document))

    def results(self, stage: str, keys: Iterable[str]) -> Iterator[tuple[str, Json]]:
        """The documents of a stage in order of keys. Failed units are counted and left out."""
        failed: Counter[str] = Counter()
        units, seconds, memory = 0, 0.0, 0.0
        for key in sorted(keys):
            document = self.document(stage, key)
            units += 1
            seconds += document.get("cpu_seconds", 0.0)
            memory = max(memory, document.get("peak_memory_mb", 0.0))
            if "failure" in document:
                failed[f"{stage}: {cluster_of(document['failure'])}"] += 1
            else:
                yield key, document
        self.summary.costs[stage] = {"units": units, "cpu_seconds": round(seconds, 1), "peak_memory_mb": memory}
        self.summary.failed_units |= sorted(failed.items())

    def document(self, stage: str, key: str) -> Json:
        """The result of a unit."""
        return workfiles.read(self.path(stage, key))

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Notes the seconds that the block takes."""
        began = time.monotonic()
        yield
        self.summary.stage_seconds[name] = round(time.monotonic() - began, 1)
