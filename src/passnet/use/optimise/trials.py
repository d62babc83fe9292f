"""Judges programs for one model by the bench: the model's own graph, on the values of its own call, in a sandbox.

Results under the same settings are read from the run directory, so that a stopped command goes on.
"""

from __future__ import annotations

import contextlib
import secrets
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path

from passnet import environment
from passnet.bench.devices.lease import device_lock
from passnet.bench.draws.secret_inputs import OwnInputs
from passnet.bench.engine.bench import Bench
from passnet.bench.evaluate import record_key
from passnet.bench.names import PolicyLevel
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import Run
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.errors import UsageError
from passnet.score import Outcome
from passnet.use.library.candidates import LibraryUnit, together
from passnet.use.optimise.journal import key_of
from passnet.use.optimise.subject import ModelSubject
from passnet.writing import writing

# How often a program is measured before `unstable` is what is known of it.
_STEADY_TRIES = 2
# The compiler that the user had before -> the one to time against.
BEFORE = {"passes": "eager", "passes+inductor": "inductor"}


@dataclass(frozen=True)
class TrialRequest:
    """The settings of `passnet optimize`. `work`: the directory of measurements, so that the same command goes on.

    `passes`: None when an author writes them, or nobody. `examples`: `module:function` of further calls. `minutes`: of
    the whole command, 0 for any time. `frozen`, `static`: whether forms may hold weights as constants, and leave
    results in the memory of a CUDA graph. `lease`: the right to a device.
    """

    spec: str
    passes: Path | None
    out: Path
    work: Path
    device: str | None = None
    compiler: str = "passes"
    policy: PolicyLevel = "strict"
    precision: float = 0.02
    threads: int = 1
    examples: str | None = None
    minutes: float = 0.0
    frozen: bool = True
    static: bool = False
    lease: Callable[[str], AbstractContextManager[None]] = device_lock
    sandbox: bool = True
    overwrite: bool = False
    overrides: dict[str, object] = field(default_factory=dict)

    def protocol(self, device: str) -> Protocol:
        settings = {"precision": self.precision, "threads": self.threads, "sandbox": self.sandbox} | self.overrides
        return make("direct", device=device, policy=self.policy, **settings)


@dataclass(frozen=True)
class TrialStep:
    """One program was judged: which, by what record, and whether the record was there already."""

    label: str
    record: GraphRecord
    resumed: bool


@dataclass
class Trials:
    """Judges programs for one model. A program that was judged in this run before is not judged again."""

    run: Run
    job: Callable[[Sequence[LibraryUnit]], Job]
    judge: Callable[[], Judge]
    report: Callable[[TrialStep], None]

    def judged(self, units: Sequence[LibraryUnit], *, again: bool = False) -> GraphRecord:
        """The record of a program. With `again` a new one, beside the record by which the program was chosen."""
        job = self.job(units)
        job = replace(job, name=f"{job.name}, once more") if again else job
        record = known = self.run.done(record_key(job))
        if record is None or record.outcome is Outcome.UNSTABLE:
            record = self._measured(job)
        if record.outcome in (Outcome.REFERENCE_ERROR, Outcome.OUT_OF_MEMORY):
            raise UsageError(f"the model cannot be measured: {record.detail}", field=job.task)
        self.report(TrialStep(job.name, record, known is not None))
        return record

    def _measured(self, job: Job) -> GraphRecord:
        """A new record. Where the machine was too unsteady for a figure, it is measured again."""
        for _ in range(_STEADY_TRIES):
            record = self.judge().judge(job)
            self.run.append(record)
            if record.outcome is not Outcome.UNSTABLE:
                break
        return record


@contextlib.contextmanager
def measuring(
    request: TrialRequest,
    subject: ModelSubject,
    protocol: Protocol,
    report: Callable[[TrialStep], None],
) -> Iterator[Trials]:
    """Workers are started when the first program is to be judged, under the device lock."""
    machine = environment.snapshot(subject.device)
    same = {key: machine.get(key) for key in ("passnet", "torch", "cpu", "gpu")}
    settings = {
        "model": subject.name,
        "graph": subject.graph.content_hash,
        "device": subject.device,
        "compiler": request.compiler,
        "protocol": protocol.model_dump(),
        "machine": same,
    }
    place = request.work / f"passes-{key_of(settings)}"
    with writing(place, "--out names another place"):
        place.parent.mkdir(parents=True, exist_ok=True)
    run = Run.open(place, settings, machine)
    own = OwnInputs(subject.inputs, tuple(index in subject.arguments for index in range(len(subject.inputs))))
    with contextlib.ExitStack() as stack:
        stack.callback(run.close)
        graphs = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="passnet-optimize-")))
        path = graphs / "model"
        subject.graph.write(path)
        started: list[Judge] = []

        def judge() -> Judge:
            if not started:
                stack.enter_context(request.lease(subject.device))
                bench = Bench(subject.device, request.compiler, protocol, run.path / "logs")
                stack.enter_context(bench)
                started.append(Judge(bench.pairs, protocol, secrets.randbits(63), turn=bench.turn))
            return started[0]

        def job(units: Sequence[LibraryUnit]) -> Job:
            label = " and ".join(unit.label for unit in units)
            return Job(
                subject.name,
                label,
                path,
                subject.graph,
                request.compiler,
                subject.device,
                together(units),
                own=own,
                baseline=BEFORE[request.compiler],
            )

        yield Trials(run, job, judge, report)
