"""Judges units on one device. Keeps the bench between units, as long as compiler and protocol stay the same."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType

from passnet.bench.engine.bench import Bench
from passnet.bench.engine.unit import EvaluationUnit
from passnet.bench.isolation.kept_kernels import unused
from passnet.bench.isolation.leftovers import remove
from passnet.bench.isolation.turn import Lane
from passnet.bench.isolation.worker_pair import allow
from passnet.bench.outcome import full_disk
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord
from passnet.bench.verdict.judge import Judge
from passnet.bench.verdict.proof_of_work import OneOfMany
from passnet.errors import InfrastructureError, UsageError
from passnet.kernels.compilation.compile import cache_dir

# Graphs and kernels of this many units stay on the disk. A process that judges for weeks must not fill it.
_KEPT = 32
# Compiled kernels of so many pass sets are kept for later runs.
_KEPT_KERNELS = 4000
# Bytes and files. Of candidates that wrote more than this nothing is kept, and below this room old kernels go.
_MOST_WRITTEN, _ROOM = (256 << 20, 20_000), (2 << 30, 50_000)


class UnitJudge:
    """The bench of one device, started when it is first needed. Use it as a context, from one thread.

    The device must be held, and this process must be on its cores. `logs`: the directory for the logs of workers.
    `lane`: where several processes judge on the device in turn.
    """

    def __init__(self, logs: Path, lane: Lane | None = None) -> None:
        self._logs = logs
        self._lane = lane
        self._kernels = cache_dir() / "judged"
        self._bench: Bench | None = None
        self._made_for: tuple[str, str, Protocol] | None = None
        self._graphs = Path(tempfile.mkdtemp(prefix="passnet-units-"))

    def judge(self, unit: EvaluationUnit) -> Iterator[GraphRecord]:
        """The records of the unit's graphs, each as soon as it is there.

        InfrastructureError when the machine fails. The next unit then gets fresh workers.
        """
        try:
            jobs = unit.jobs(self._graphs)
            bench = self._opened(unit)
            judge = Judge(bench.pairs, unit.protocol, secrets.randbits(63), turn=bench.turn)
            allow(bench.pairs, unit.limit_s)
            if unit.protocol.profiled == "one" and unit.protocol.policy == "strict":
                judge.profiles = OneOfMany([job.name for job in jobs])
            for job in jobs:
                judge.following = unit.following if job is jobs[-1] else None
                yield judge.judge(job)
        except (InfrastructureError, UsageError):
            if self._bench is not None:
                self._drop_heavy_kernels(self._bench)
            self._close_bench()
            raise
        self._trim()

    def close(self) -> None:
        """End the workers and remove what was written for them."""
        self._close_bench()
        remove(self._graphs)

    def __enter__(self) -> UnitJudge:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _opened(self, unit: EvaluationUnit) -> Bench:
        wanted = (unit.device, unit.compiler, unit.protocol)
        if self._bench is None or self._made_for != wanted:
            self._close_bench()
            bench = Bench(unit.device, unit.compiler, unit.protocol, self._logs, lane=self._lane, kernels=self._kernels)
            self._bench, self._made_for = bench.__enter__(), wanted
        return self._bench

    def _close_bench(self) -> None:
        if self._bench is not None:
            bench, self._bench = self._bench, None
            bench.__exit__(None, None, None)

    def _trim(self) -> None:
        """Remove the oldest graphs and kernels. A candidate that lives on uses the newest ones only."""
        assert self._bench is not None
        for place in (self._graphs, self._bench.scratch / "graphs"):
            entries = sorted(place.iterdir(), key=lambda entry: entry.lstat().st_mtime) if place.is_dir() else []
            for entry in entries[:-_KEPT]:
                remove(entry)
        self._drop_heavy_kernels(self._bench)
        trim_kernels(self._kernels, _KEPT_KERNELS)

    def _drop_heavy_kernels(self, bench: Bench) -> None:
        """Keep nothing of candidates that wrote more than compilers do."""
        for path in {pair.wrote for pair in bench.pairs if pair.wrote is not None and pair.wrote.is_dir()}:
            if full_disk.holds_more(path, *_MOST_WRITTEN):
                for pair in bench.pairs:
                    if pair.wrote == path:
                        pair.forget_kernels()
                remove_kernels(path.parent)
        bench.kernels.forget({place.path for pair in bench.pairs for place in pair.kernel_places})


def trim_kernels(root: Path, most: int, free: Callable[[Path], full_disk.Free] = full_disk.free_of) -> None:
    """Remove the places that were not used for longest, until there are at most so many, and room on the disk."""
    places = sorted(_used_at(root)) if root.is_dir() else []
    for number, (_, place) in enumerate(places):
        room, files = free(root)
        if len(places) - number <= most and room >= _ROOM[0] and files >= _ROOM[1]:
            return
        remove_kernels(place)


def remove_kernels(place: Path) -> None:
    """Remove a place of compiled kernels, unless a candidate of some process uses it."""
    held = unused(place)
    if held is not None:
        remove(place)
        os.close(held)


def _used_at(root: Path) -> Iterator[tuple[float, Path]]:
    for place in root.iterdir():
        with contextlib.suppress(FileNotFoundError):  # another process removed it
            yield place.lstat().st_mtime, place
