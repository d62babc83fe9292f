"""The verdict on one graph: build on both sides, compare, time, and assign every failure to its owner."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from passnet.bench.compare.comparison import worst
from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.isolation.cores import Cores
from passnet.bench.isolation.memory_plan import MemoryPlan
from passnet.bench.isolation.turn import DeviceTurn
from passnet.bench.isolation.worker_pair import ROLES, WorkerPair
from passnet.bench.outcome import full_disk
from passnet.bench.outcome.ownership import Verdict, found, owned_by
from passnet.bench.record.contradictions import contradictions
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord, Timing, Unseen
from passnet.bench.timing import blocks, gpu_idle, interleave, published, sizing
from passnet.bench.timing.captured import OTHER_OUTPUTS, CapturedCalls
from passnet.bench.timing.estimate import Unstable
from passnet.bench.timing.quiet_core import QuietCore
from passnet.bench.verdict import least_time, speed_limits, unseen_shapes
from passnet.bench.verdict.evidence import GraphTrial, record_of
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.memory import MemoryJudge
from passnet.bench.verdict.programs import SMALL_BYTES, Programs
from passnet.bench.verdict.proof_of_work import Proof
from passnet.bench.verdict.reference import Reference, build_baseline, build_reference
from passnet.bench.verdict.verified_calls import VerifiedCalls
from passnet.bench.wire.memory import NoRoom, free_bytes, is_exhausted
from passnet.bench.wire.replies import ProgramBuilt
from passnet.bench.wire.requests import PassFiles, RunPublished
from passnet.score import Outcome

# Pairs of processes that are captured, at most.
_CAPTURED_PAIRS = 3
# After timing one of so many draws is compared once more, with its siblings.
_AGAIN = 2
Stages = Callable[[GraphTrial], Timing | None]


@dataclass
class Judge:
    """Judges jobs on a fixed set of pairs.

    `seed` decides inputs and order. It is secret until the records show it.
    `free`: how many bytes of memory are free for a device's tensors. `turn`: when the device is this judge's alone.
    `profiles`: whether this graph's proof of work takes the profiler, on a GPU. `following`: the pass set that comes
    next, whose candidates are started while this graph is verified.
    """

    pairs: Sequence[WorkerPair]
    protocol: Protocol
    seed: int
    free: Callable[[str], int] = free_bytes
    turn: DeviceTurn = field(default_factory=lambda: DeviceTurn(Cores((), ())))
    profiles: Callable[[str], bool] = lambda graph: True
    following: PassFiles | None = None

    def judge(self, job: Job) -> GraphRecord:
        """Judge one job. It never raises for what a pass does. InfrastructureError when the machine fails."""
        return self._run(job, self._measure)

    def check(self, job: Job) -> GraphRecord:
        """Do everything except the timing: build, and one guarded numeric run.

        A right graph is recorded without a timing.
        """
        return self._run(job, self._verify_only)

    @property
    def memory(self) -> MemoryJudge:
        return MemoryJudge(self.pairs, self.protocol, self.free)

    @property
    def programs(self) -> Programs:
        return Programs(self.pairs, self.protocol, self.turn)

    def _run(self, job: Job, stages: Stages) -> GraphRecord:
        allowance = self.pairs[0].allowance
        if job.passes is not None and allowance.used_up:
            late = Verdict(Outcome.TIMEOUT, f"not judged: graphs before it used up {allowance}")
            return record_of(GraphTrial(job), self.protocol, late)
        began, waited = time.monotonic(), self.turn.waited_s
        seed = random.Random(f"{self.seed}/{job.task}/{job.name}").getrandbits(48)
        try:
            trial, verdict = self._tried(job, seed, stages, frugal=False)
        except NoRoom:
            trial, verdict = self._tried(job, seed, stages, frugal=True)
        seconds = round(time.monotonic() - began - (self.turn.waited_s - waited), 3)  # other lanes' turns are not ours
        record = partial(record_of, trial, self.protocol, sandbox=self._layers(job), seconds=seconds)
        made = record(verdict)
        # Whoever reads a run refuses all of it for one such record.
        said = contradictions(made) if verdict.timing is not None else ()
        return record(self._unsteady(trial, f"figures that contradict each other: {said[0]}")) if said else made

    def _tried(self, job: Job, seed: int, stages: Stages, *, frugal: bool) -> tuple[GraphTrial, Verdict]:
        """The trial with its findings, and the verdict. NoRoom where a second try with less memory may tell more."""
        trial = GraphTrial(job, seed, random.Random(seed ^ 0x5EED), frugal=frugal)
        spent = True
        try:
            verdict = trial.judged(stages(trial))
            spent = trial.room is not None and trial.room.release
        except Verdict as early:
            verdict = early
            trial.ahead.wait()  # nobody builds in a candidate that may be ended
            scratch, end = self.pairs[0].scratch, self.memory.end_candidates
            full_disk.blame(verdict.outcome, scratch, end, kernels=self._kernels)
            spent = False
        except NoRoom as short:
            verdict = self.memory.verdict(trial, short)
        except (RuntimeError, MemoryError) as error:
            if not is_exhausted(error):
                raise
            verdict = self.memory.verdict(trial, NoRoom(f"comparing outputs: {error}"))
        except (KeyboardInterrupt, SystemExit):
            for pair in self.pairs:  # threads that wait for them must not delay the end
                pair.close()
            raise
        finally:
            trial.ahead.settle()
            self.turn.leave()
            if trial.slowed is not None:
                trial.slowed.renew()
            for pair in self.pairs:
                pair.release()
            if spent:
                self.memory.start_anew()
            full_disk.make_room(self.pairs[0].scratch, self.memory.end_candidates, kernels=self._kernels)
        return trial, verdict

    @property
    def _kernels(self) -> set[Path]:
        return {pair.wrote for pair in self.pairs if pair.wrote is not None}

    def _layers(self, job: Job) -> tuple[str, ...] | None:
        """The layers that surrounded all candidates of this graph. None where no candidate ran passes."""
        started = [pair.layers for pair in self.pairs if pair.layers]
        if job.passes is None or (self.protocol.sandbox and not started):
            return None
        return tuple(layer for layer in started[0] if all(layer in other for other in started)) if started else ()

    # --- stages ----------------------------------------------------------------------------------------------

    def _measure(self, trial: GraphTrial) -> Timing | None:
        job = trial.job
        if job.device != "cpu":  # a candidate's kernels may run on when it is stopped: peaks come before them
            self.turn.prepare(self.pairs)
            least_time.ceilings_of(job.device, self.protocol)
        reference, given = self._verify_first(trial, self._built_at_once())
        if trial.hopeless:
            return None
        if self.protocol.preset == "paper":
            return least_time.bounded(self._measure_as_published(trial), job, self.protocol, trial.work)
        seen: list[blocks.Block] = []
        try:
            measured = self._timed(self._pairs(trial), reference, trial, given, seen)
        except Unstable as error:
            self._compare_timed(seen, reference, trial, given)
            raise self._unsteady(trial, str(error)) from error
        self.turn.prepare(self.pairs)
        self._compare_timed(seen, reference, trial, given)
        measured = least_time.bounded(measured, job, self.protocol, trial.work)
        if job.passes is not None:
            speed_limits.check(measured, reference.shape, job.graph, reference.facts)
            self._last_looks(reference, trial, given)
        return measured

    def _timed(
        self,
        pairs: Sequence[WorkerPair],
        reference: Reference,
        trial: GraphTrial,
        given: SecretInputs,
        seen: list[blocks.Block],
    ) -> Timing:
        """Time the pairs. Further pairs are made ready when the run asks for them.

        `seen` takes the timed blocks that are still to be compared.
        """
        quiet_core = QuietCore(self.protocol.quiet_s, partial(self.turn.quieten, pairs), self.turn.slow)
        run = interleave.TimingRun(pairs, self.protocol, given, trial.rng, reference.shape, reference.facts, quiet_core)
        run.built += sum(trial.ahead.has((pair.index, "candidate")) for pair in pairs)  # the first pair's was taken
        trial.ahead.wait()  # nobody builds while we measure
        self.turn.measure(pairs)
        for wanted in run.measure():
            if isinstance(wanted, interleave.WantedPair):
                began = time.monotonic()
                place = pairs[wanted.index % len(pairs)]
                if wanted.index >= len(pairs):  # a fresh process is a pair of its own
                    place.close()
                self._ready(place, reference, trial, given)
                self.turn.measure(pairs)
                run.apart_s += time.monotonic() - began
                continue
            trial.comparisons += reference.compare_inputs(given, wanted.block, wanted.buffers)
            seen.append(wanted.block)
            if sum(block.kept_bytes for block in seen) > SMALL_BYTES:
                self._compare_timed(seen, reference, trial, given)
        measured = run.timing(trial.job.device)
        trial.timed = run.open_pairs
        return self._captured(trial.timed, reference, trial, given, measured, quiet_core)

    def _captured(
        self,
        pairs: Sequence[WorkerPair],
        reference: Reference,
        trial: GraphTrial,
        given: SecretInputs,
        timing: Timing,
        quiet_core: QuietCore,
    ) -> Timing:
        """The timing with its captured figures. There are none where replays give other outputs than calls do.

        That is no fault: a call may do on the host what a graph does not repeat.
        """
        # What cannot be captured may leave its process unfit, and one is still needed for the last looks.
        apart = [pair for pair in pairs if pair.trusted or pair is not reference.pair]
        captured = CapturedCalls(apart[:_CAPTURED_PAIRS], given, self.protocol, trial.rng, quiet_core)
        found = captured.measure(timing)
        if _right(reference, given, captured.compared, trial.rng):
            return found
        return timing.model_copy(update={"not_captured": OTHER_OUTPUTS, "eager_busy_us": found.eager_busy_us})

    def _compare_timed(
        self, seen: list[blocks.Block], reference: Reference, trial: GraphTrial, given: SecretInputs
    ) -> None:
        """Compare what was kept of timed blocks, and let go of it. While the device is ours alone, this can wait."""
        trial.comparisons.extend(reference.compare_blocks(given, seen, trial.rng))
        seen.clear()
        if trial.hopeless:
            raise Verdict(Outcome.ACCURACY, f"a timed call is right at no tolerance: {trial.objection}")

    def _pairs(self, trial: GraphTrial) -> Sequence[WorkerPair]:
        """The pairs that the graph has room for."""
        return self.pairs[: trial.room.pairs] if trial.room is not None else self.pairs

    def _unsteady(self, trial: GraphTrial, reason: str) -> Verdict:
        """The verdict without a figure. A wrong graph stays wrong, whatever time it takes."""
        wrong = trial.judged(None)
        return wrong if wrong.outcome is Outcome.ACCURACY else Verdict(Outcome.UNSTABLE, reason)

    def _measure_as_published(self, trial: GraphTrial) -> Timing:
        request = RunPublished(
            compiler=trial.job.compiler, warmup=self.protocol.warmup_calls, trials=self.protocol.trials
        )
        with owned_by("call"):
            times = self.pairs[0].ask("candidate", request, self.protocol.build_s)
        return published.timing_of(times, self.protocol)

    def _verify_only(self, trial: GraphTrial) -> None:
        reference, given = self._verify_first(trial, 1)
        if trial.job.passes is not None and not trial.hopeless:
            self._last_looks(reference, trial, given)

    def _verify_first(self, trial: GraphTrial, built: int) -> tuple[Reference, SecretInputs]:
        """The first check, on pair 0, before any candidate was seen. Programs of so many pairs are built, those of
        further pairs while the first one is checked.
        """
        if trial.job.device != "cpu":
            self.turn.prepare(self.pairs)
            gpu_idle.at_rest_us(trial.job.device)
        self._end_former(trial)
        if least_time.asked(trial.job.device, self.protocol) and self.programs.apart(trial):
            trial.work = trial.ahead.beside(partial(least_time.work_of, trial.job))
        return self._verify_on(self.pairs[0], trial, self.protocol.verify_seeds, len(self.pairs), self.pairs[1:built])

    def _end_former(self, trial: GraphTrial) -> None:
        """End the candidates of the pass set before this one, beside the builds. A GPU takes a fifth of a second."""
        if trial.job.passes is None:
            return
        for pair in self.pairs:
            former = pair.retired(trial.job.passes)
            if former is not None:
                trial.ahead.beside(former.close)

    def _start_following(self, trial: GraphTrial) -> None:
        """Start the candidates of the next pass set beside this graph's calls, where memory is enough for all.

        A process takes half a second to begin with a GPU. Before anything is timed, they sleep.
        """
        if self.following is None or trial.frugal or trial.given_up:
            return
        pairs = [pair for pair in self.pairs[: self._built_at_once()] if not pair.expects(self.following)]
        if self.memory.holds_beside(trial, len(pairs)):
            for pair in pairs:
                trial.ahead.beside(partial(pair.expect, self.following, self.turn.cores.preparing))

    def _built_at_once(self) -> int:
        """How many pairs build their programs before anything is timed. Of passes, which are built soon, all that there
        are places for, where each worker has a core. Else those that are needed in any case, if cores allow it.
        """
        cores, least = len(self.turn.cores.preparing), self.protocol.least_pairs
        if cores >= len(ROLES) * len(self.pairs) and not self.pairs[0].trusted:
            return len(self.pairs)
        return least if cores > least else 1

    def _verify_on(
        self,
        pair: WorkerPair,
        trial: GraphTrial,
        seeds: int,
        pairs: int,
        beside: Sequence[WorkerPair] = (),
        hard: int | None = None,
    ) -> tuple[Reference, SecretInputs]:
        """Prepare the reference, the secret draws and the candidate, and compare every draw.

        `beside`: pairs whose programs are built at the same time, for later.
        """
        self.programs.build_apart([pair, *beside], trial)
        self.turn.prepare(self.pairs)
        self.programs.begin_freezes([pair, *beside], trial)
        reference = Reference.prepare(pair, self.protocol, trial.job, trial.ahead.take((pair.index, "reference")))
        trial.fp64 = reference.wide
        assert trial.seed is not None
        given = reference.draw(trial.seed, seeds, hard)
        trial.same_inputs = tuple(trial.job.graph.specs[index].name for index in given.same)
        room = self.memory.give(trial, reference, given, pairs)
        reference.on_host = room.on_host
        if hard is None:
            self._start_following(trial)
        made = self.programs.built_candidate(pair, trial)
        # Where rules matched is known, also when a kernel does not end.
        trial.built, trial.compile_s = made.built, made.seconds
        trial.not_frozen = self.programs.frozen_calls(pair, trial)
        self._lend(pair, reference, given, room)
        verified = VerifiedCalls(self.protocol, reference, given, trial)
        verified.make(pair, given.alone, every=hard is None)
        verified.make_elsewhere(pair, given.alone, self.turn.cores.all)
        return reference, given

    def _ready(self, pair: WorkerPair, reference: Reference, trial: GraphTrial, given: SecretInputs) -> None:
        """Build both sides of a pair, lend them their buffers, and compare the candidate on one draw."""
        self.programs.build_apart([pair], trial)
        self.turn.prepare(self.pairs)
        building = trial.ahead.take((pair.index, "reference"))
        if pair is reference.pair:
            build_reference(pair, trial.job, self.protocol, building)
            reference.open()
        elif building is not None:
            building.result()
        else:
            build_baseline(pair, trial.job, self.protocol)
        self._build_again(pair, trial)
        self._lend(pair, reference, given, trial.room)
        VerifiedCalls(self.protocol, reference, given, trial).make(pair, [trial.rng.choice(given.alone)])

    def _build_again(self, pair: WorkerPair, trial: GraphTrial) -> None:
        """Build in a fresh process. The pass set must match the same as in the process that compared all draws."""
        again = ProgramBuilt()
        try:
            again = self.programs.made_candidate(pair, trial).built
        except Verdict as verdict:
            if verdict.outcome is not Outcome.NO_MATCH:
                raise
        before, now = trial.built.replacements, again.replacements
        if now != before:
            raise found("unsteady_match", f"rules matched {before} in one process and {now} in the next")

    def _lend(self, pair: WorkerPair, reference: Reference, given: SecretInputs, room: MemoryPlan | None) -> None:
        """Shared buffers for both workers of a pair, with the tables from which the calls' inputs are drawn."""
        layout = sizing.layout(reference.shape, self.protocol, given, Random(secrets.randbits(64)), room)
        with owned_by("reference"):
            pair.lend_for_calls("reference", layout, given.write)
        with owned_by("build"):
            pair.lend_for_calls("candidate", layout, given.write)

    def _last_looks(self, reference: Reference, trial: GraphTrial, given: SecretInputs) -> None:
        """The last checks: draws again, proof of work, unseen shapes. They leave the workers unfit for this graph."""
        profiles = trial.job.device != "cpu" and self.profiles(trial.job.name)
        # Any pair that was timed may be asked, so none can behave as if it were not.
        asked = trial.rng.choice([pair for pair in trial.timed if pair.serves("candidate")] or [reference.pair])
        if trial.timed:  # who was careful until calls were timed, and no longer, is wrong here
            again = trial.rng.sample(given.alone, -(-len(given.alone) // _AGAIN))
            VerifiedCalls(self.protocol, reference, given, trial).make(asked, again)
            if trial.hopeless:
                return
        try:
            trial.shown = Proof(asked, reference, given, self.protocol, trial.rng, profiles).demand()
            if self.protocol.unseen_draws:
                elsewhere = self._pairs(trial)[:2][-1]
                if trial.job.variants and not elsewhere.serves("candidate"):
                    self._ready(elsewhere, reference, trial, given)  # what it met first must be the graph on trial
                trial.unseen = self._try_unseen(trial, elsewhere)
        finally:
            # After the profiler ran once, a process launches kernels more slowly for the rest of its life.
            trial.slowed = asked if profiles else None

    def _try_unseen(self, trial: GraphTrial, pair: WorkerPair) -> Unseen | None:
        """Verify on shapes between those of the task's variants, in a process that served the graph on trial."""
        for job in unseen_shapes.jobs(trial.job, pair.scratch, trial.rng):
            other = GraphTrial(job, trial.rng.getrandbits(48), trial.rng, frugal=trial.frugal)
            shapes = unseen_shapes.shapes_of(job.graph)
            try:
                with unseen_shapes.tried(job):
                    self._verify_on(pair, other, self.protocol.unseen_draws, 1, hard=1)
            except NoRoom as short:
                if self.memory.verdict(other, short).outcome is Outcome.OUT_OF_MEMORY:
                    continue  # eager does not take such shapes here
                return Unseen(shapes=shapes, answer="refused")
            except unseen_shapes.UnseenRefused:
                return Unseen(shapes=shapes, answer="refused")
            except Verdict as verdict:
                if verdict.outcome is not Outcome.REFERENCE_ERROR:
                    raise
                continue  # eager does not take such shapes
            finally:
                other.ahead.settle()
            trial.elsewhere = other.comparisons
            return Unseen(shapes=shapes, answer="right" if worst(other.comparisons).strict else "wrong")
        return None


def _right(reference: Reference, given: SecretInputs, compared: Sequence[blocks.Block], rng: Random) -> bool:
    """Whether the kept calls of blocks gave what eager gives, all together. Where they gave NaN, they did not."""
    try:
        found = list(reference.compare_blocks(given, compared, rng))
        return not found or worst(found).strict
    except Verdict as verdict:
        if verdict.outcome is not Outcome.NAN_INF:
            raise
        return False
