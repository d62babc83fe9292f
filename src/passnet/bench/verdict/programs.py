"""The programs of a graph's pairs: built side by side before they are needed, or one by one where memory is short."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from functools import partial

from passnet.bench.isolation.turn import DeviceTurn
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.outcome.ownership import owned_by
from passnet.bench.record.protocol import Protocol
from passnet.bench.verdict.ahead import MadeProgram
from passnet.bench.verdict.evidence import GraphTrial
from passnet.bench.verdict.job import BUILD_SEED, Job
from passnet.bench.verdict.reference import build_baseline
from passnet.bench.wire.replies import ProgramBuilt
from passnet.bench.wire.requests import BuildProgram, Freeze

# Programs of graphs with larger inputs are built one after another, because each takes memory for itself.
SMALL_BYTES = 256 << 20


@dataclass(frozen=True)
class Programs:
    """Builds programs in the workers of these pairs. `turn`: when the device is this judge's alone."""

    pairs: Sequence[WorkerPair]
    protocol: Protocol
    turn: DeviceTurn

    @staticmethod
    def apart(trial: GraphTrial) -> bool:
        """Whether programs of this graph are built side by side and without the device."""
        return not trial.frugal and trial.job.graph.nbytes <= SMALL_BYTES

    def build_apart(self, pairs: Sequence[WorkerPair], trial: GraphTrial) -> None:
        """Build both programs of these pairs, side by side and without the device, where that has not begun. Returns
        when those of the first pair are built. Where the device is nobody else's, it returns at once.

        Where memory may be short they are built later, one after another.
        """
        missing = [pair for pair in pairs if not trial.ahead.has((pair.index, "candidate"))]
        if not missing or not self.apart(trial):
            return
        self.turn.leave(self.pairs)
        for pair in missing:
            self._begin_build(pair, trial)
        if not self._draws_meanwhile:
            trial.ahead.wait(pairs[0].index)

    @property
    def _draws_meanwhile(self) -> bool:
        """Whether the reference chooses draws while candidates are built: on other cores, and on a device that no other
        lane waits for.
        """
        return self.turn.cores.part_roles and self.turn.file is None

    def _begin_build(self, pair: WorkerPair, trial: GraphTrial) -> None:
        job = trial.job
        pair.staged(job.path)
        trial.ahead.begin((pair.index, "reference"), lambda: MadeProgram(build_baseline(pair, job, self.protocol)))
        if not self.turn.cores.part_roles:
            trial.ahead.wait()  # nothing untrusted may run where a reference is at work
        trial.ahead.begin((pair.index, "candidate"), lambda: self._build_candidate(pair, job))

    def begin_freezes(self, pairs: Sequence[WorkerPair], trial: GraphTrial) -> None:
        """Record the calls of the programs that are built, each as soon as it is, side by side. The device must be
        held. Programs that are not built yet are left out where other lanes wait for the device.
        """
        for pair in pairs if self.turn.cores.part_roles else ():
            building = trial.ahead.begun((pair.index, "candidate"))
            if building is not None and (self._draws_meanwhile or building.done()):
                trial.ahead.begin((pair.index, "frozen"), partial(self._frozen, pair, trial.job, building))

    def _frozen(self, pair: WorkerPair, job: Job, building: Future[MadeProgram]) -> MadeProgram:
        """The failure of a build is its taker's, so none is recorded here."""
        wait([building])
        failed = building.exception() is not None
        return MadeProgram(ProgramBuilt(), {} if failed else self._freeze(pair, job))

    def made_candidate(self, pair: WorkerPair, trial: GraphTrial) -> MadeProgram:
        """The candidate's program: what was made ahead, or made now."""
        return replace(self.built_candidate(pair, trial), not_frozen=self.frozen_calls(pair, trial))

    def built_candidate(self, pair: WorkerPair, trial: GraphTrial) -> MadeProgram:
        """The same before its wrappers' calls are recorded. No kernel has run for it."""
        building = trial.ahead.take((pair.index, "candidate"))
        return building.result() if building is not None else self._build_candidate(pair, trial.job)

    def frozen_calls(self, pair: WorkerPair, trial: GraphTrial) -> Mapping[str, str]:
        """Record the wrappers' calls of a program that was built. Returns what is not replayed, and why."""
        freezing = trial.ahead.take((pair.index, "frozen"))
        return freezing.result().not_frozen if freezing is not None else self._freeze(pair, trial.job)

    def _build_candidate(self, pair: WorkerPair, job: Job) -> MadeProgram:
        """Load the passes, where there are any, and build the program. The start of the worker does not count."""
        request = BuildProgram(graph=pair.staged(job.path), device=job.device, seed=BUILD_SEED, compiler=job.compiler)
        pair.fork_server.wait_ready()
        began = time.monotonic()
        with owned_by("build"):
            if job.passes is not None:
                pair.load(job.passes)
            built = pair.ask("candidate", request, self.protocol.build_s)
        return MadeProgram(built, seconds=time.monotonic() - began)

    def _freeze(self, pair: WorkerPair, job: Job) -> dict[str, str]:
        """Record the wrappers' calls. Returns the rules whose calls are not replayed, and why."""
        if job.passes is None or not self.protocol.freeze or self.protocol.preset != "direct":
            return {}
        with owned_by("call"):
            return pair.ask("candidate", Freeze(seed=BUILD_SEED), self.protocol.first_call_s).not_frozen
