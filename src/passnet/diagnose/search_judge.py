"""Judges graphs one by one, as a search asks for them, by the bench. Keeps every record, so that a search resumes."""

from __future__ import annotations

import secrets
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from passnet.bench.devices.lease import device_lock
from passnet.bench.engine.bench import Bench
from passnet.bench.evaluate import record_key
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import Run
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.bench.wire.requests import PassFiles
from passnet.graph import Graph

# checked: everything but the timing. timed: all of it.
Look = Literal["checked", "timed"]


@dataclass
class SearchJudge:
    """Judges graphs under one compiler. The device is held, and workers are started, when the first is judged.

    `new`: how many were judged now, those of an earlier command left out.
    """

    run: Run
    task: str
    compiler: str
    device: str
    protocol: Protocol
    passes: PassFiles | None
    new: int = 0
    _stack: ExitStack = field(default_factory=ExitStack)
    _open: tuple[Look, Judge] | None = None
    _bench: ExitStack = field(default_factory=ExitStack)
    _graphs: Path | None = None

    def record(self, graph: Graph, look: Look) -> GraphRecord:
        """The record of a graph. One of an earlier command counts, unless it says nothing of the candidate."""
        job = self._job(graph, look)
        known = self.run.done(record_key(job))
        if known is not None:
            return known
        graph.write(job.path, overwrite=True)
        judge = self._judge(look)
        record = judge.check(job) if look == "checked" else judge.judge(job)
        self.run.append(record)
        self.new += 1
        return record

    def _job(self, graph: Graph, look: Look) -> Job:
        path = self._directory() / graph.content_hash[:24]
        name = f"{graph.name}, {look}"
        return Job(self.task, name, path, graph, self.compiler, self.device, self.passes)

    def _directory(self) -> Path:
        if self._graphs is None:
            made = tempfile.TemporaryDirectory(prefix="passnet-pieces-")
            self._graphs = Path(self._stack.enter_context(made))
            self._stack.enter_context(device_lock(self.device))
        return self._graphs

    def _judge(self, look: Look) -> Judge:
        """The judge for this look. A check needs one pair of processes, a timing needs several."""
        if self._open is None or self._open[0] != look:
            self._bench.close()
            pairs = 1 if look == "checked" else None
            bench = Bench(self.device, self.compiler, self.protocol, self.run.path / "logs", pairs=pairs)
            self._bench.enter_context(bench)
            self._open = look, Judge(bench.pairs, self.protocol, secrets.randbits(63), turn=bench.turn)
        return self._open[1]

    def close(self) -> None:
        """End the workers, give the device back, let go of the run."""
        self._bench.close()
        self._stack.close()
        self.run.close()
