"""The verdict on one graph: build on both sides, compare, time, and turn every failure into its owner's outcome."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import torch

from passnet.bench.compare.errors import worst
from passnet.bench.isolation import claims
from passnet.bench.isolation.memory_plan import MemoryPlan, plan
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.outcome import full_disk
from passnet.bench.outcome.ownership import Verdict, found, owned_by, short_of_memory
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord, Timing, Unseen
from passnet.bench.timing import blocks, cold, gpu_idle, interleave, observe, published, sizing
from passnet.bench.timing.blocks import BlockPlan
from passnet.bench.timing.draws import SecretInputs
from passnet.bench.verdict import speed_limits, unseen_shapes
from passnet.bench.verdict.evidence import GraphTrial, identity
from passnet.bench.verdict.proof_of_work import Proof
from passnet.bench.verdict.reference import BUILD_SEED, Job, Reference, build_reference
from passnet.bench.wire.memory import NoRoom, free_bytes, is_exhausted
from passnet.bench.wire.shared_buffers import SharedBuffers
from passnet.score import Outcome


@dataclass
class Judge:
    """Judges jobs on a fixed set of pairs. `seed` decides inputs and order; it is secret until the records show it.

    `free`: how many bytes of memory are free for a device's tensors.
    """

    pairs: Sequence[WorkerPair]
    protocol: Protocol
    seed: int
    free: Callable[[str], int] = free_bytes

    def judge(self, job: Job) -> GraphRecord:
        """Never raises for what a pass does; InfrastructureError when the machine fails."""
        return self._run(job, self._measure)

    def check(self, job: Job) -> GraphRecord:
        """Everything but the timing: build, one guarded numeric run. A right graph is recorded without a timing."""
        return self._run(job, self._verify_only)

    def _run(self, job: Job, stages: Any) -> GraphRecord:
        began = time.monotonic()
        seed = random.Random(f"{self.seed}/{job.task}/{job.name}").getrandbits(48)
        try:
            trial, fields = self._tried(job, seed, stages, frugal=False)
        except NoRoom:
            trial, fields = self._tried(job, seed, stages, frugal=True)
        return GraphRecord(
            **identity(job, self.protocol),
            replacements=trial.report.get("replacements", {}),
            near_misses=claims.near_misses(fields.pop("near_misses", trial.report.get("near_misses", ())), job.name),
            input_seed=seed,
            same_inputs=trial.same_inputs,
            fp64_reference=trial.fp64,
            compared_calls=len(trial.comparisons) + len(trial.elsewhere),
            kernels=trial.shown.kernels,
            own_kernels=trial.shown.own,
            unseen=trial.unseen,
            given_up=trial.given_up,
            not_frozen=trial.report.get("not_frozen", {}),
            sandbox=self._layers(job),
            seconds=round(time.monotonic() - began, 3),
            **trial.errors(),
            **fields,
        )

    def _tried(self, job: Job, seed: int, stages: Any, *, frugal: bool) -> tuple[GraphTrial, dict[str, Any]]:
        """What was found, and the fields of its verdict. NoRoom where a second try with less memory may tell more."""
        trial = GraphTrial(job, seed, random.Random(seed ^ 0x5EED), frugal=frugal)
        spent = True
        try:
            fields = trial.judged(stages(trial))
            spent = trial.room is not None and trial.room.release
        except Verdict as verdict:
            fields = verdict.fields()
            full_disk.blame(verdict.outcome, self.pairs[0].scratch, self._end_candidates)
            spent = False
        except NoRoom as short:
            fields = self._short(trial, short).fields()
        except (RuntimeError, MemoryError) as error:
            if not is_exhausted(error):
                raise
            fields = self._short(trial, NoRoom(f"comparing outputs: {error}")).fields()
        finally:
            for pair in self.pairs:
                pair.release()
            if spent:
                self._start_anew()
            full_disk.make_room(self.pairs[0].scratch, self._end_candidates)
        return trial, fields

    def _short(self, trial: GraphTrial, short: NoRoom) -> Verdict:
        """Memory did not suffice. Whose failure that is must not depend on what a candidate says or holds.

        Where more was free than eager needs, a candidate that ran out of it asked for too much. Where candidates hold
        more than eager does, nobody else is short of it. NoRoom where the graph has not been tried with less yet.
        """
        job = trial.job
        needed = trial.need.worker if trial.need is not None else 0
        free = self.free(job.device)
        if short.stage != "reference" and free >= needed:
            return short_of_memory(short)
        if not trial.frugal:
            raise NoRoom(str(short), needed=short.needed, free=short.free, stage=short.stage) from short
        running = sum(pair.candidate is not None and pair.candidate.alive for pair in self.pairs)
        self._end_candidates()
        held = self.free(job.device) - free
        if trial.need is not None and held > running * (needed + trial.need.context) + trial.need.whole:
            detail = f"{short}; the processes that run the passes held {held} bytes, and eager needs {needed} in each"
            return Verdict(Outcome.RUNTIME_ERROR, detail)
        return short_of_memory(short) if short.stage != "reference" else Verdict(Outcome.OUT_OF_MEMORY, str(short))

    def _end_candidates(self) -> None:
        for pair in self.pairs:
            pair.end("candidate")

    def _start_anew(self) -> None:
        """End all workers: what their allocators keep goes back to the device."""
        for pair in self.pairs:
            pair.close()
        if self.pairs and self.pairs[0].device != "cpu":
            torch.cuda.empty_cache()

    def _room(self, trial: GraphTrial, reference: Reference, given: SecretInputs, pairs: int) -> MemoryPlan:
        """The memory that the graph gets. NoRoom where it does not fit at all."""
        swept = cold.evicted_bytes(trial.job.device) if self.protocol.cold_blocks else 0
        trial.need = sizing.need(
            reference.shape, given, wide=reference.wide, peak=reference.peak, twin=reference.twin, swept=swept
        )
        most = (pairs, *sizing.most(reference.shape, self.protocol))
        free = self.free(trial.job.device)
        trial.need = replace(trial.need, running=self._running())
        if trial.frugal or trial.need.of(MemoryPlan(*most)) > free:
            for pair in self.pairs:  # they may keep memory of the graph before
                if pair is not reference.pair:
                    pair.close()
            trial.need, free = replace(trial.need, running=self._running()), self.free(trial.job.device)
        room = plan(trial.need, free, *most, frugal=trial.frugal)
        trial.given_up = room.given_up(*most)
        return room

    def _running(self) -> int:
        """Workers that are there."""
        return sum(
            worker is not None and worker.alive for pair in self.pairs for worker in (pair.reference, pair.candidate)
        )

    def _layers(self, job: Job) -> tuple[str, ...] | None:
        """The layers that all candidates of this graph had round them; None where none of them ran passes."""
        started = [pair.layers for pair in self.pairs if pair.layers]
        if job.passes is None or (self.protocol.sandbox and not started):
            return None
        return tuple(layer for layer in started[0] if all(layer in other for other in started)) if started else ()

    # --- stages ----------------------------------------------------------------------------------------------

    def _measure(self, trial: GraphTrial) -> Timing | None:
        reference, given = self._verify_first(trial)
        if trial.hopeless:
            return None
        if self.protocol.preset == "paper":
            return self._measure_as_published(trial)
        pairs = self._pairs(trial)
        for pair in pairs[1:]:
            self._ready(pair, reference, trial, given)

        def restart() -> None:
            for pair in pairs:
                pair.close()
            for pair in pairs:
                self._ready(pair, reference, trial, given)

        def spot_check(block: blocks.Block, buffers: SharedBuffers) -> None:
            trial.comparisons += reference.compare_block(given, block, trial.rng)
            trial.comparisons += reference.compare_inputs(given, block, buffers)
            if trial.hopeless:
                raise Verdict(Outcome.ACCURACY, "a timed call gave outputs that are right at no tolerance")

        context = interleave.TimingRun(
            pairs, self.protocol, given, trial.rng, reference.shape, restart, spot_check, reference.facts
        )
        try:
            measured = context.measure(trial.job.device)
        except interleave.Unstable as error:
            raise self._unsteady(trial, str(error)) from error
        if trial.job.passes is not None:
            speed_limits.check(measured, reference.shape, trial.job.graph)
            self._last_looks(reference, trial, given)
        return measured

    def _pairs(self, trial: GraphTrial) -> Sequence[WorkerPair]:
        """Those that the graph has room for."""
        return self.pairs[: trial.room.pairs] if trial.room is not None else self.pairs

    def _unsteady(self, trial: GraphTrial, reason: str) -> Verdict:
        """No figure: but what is wrong is wrong whatever time it takes."""
        wrong = trial.judged(None)
        if wrong["outcome"] is Outcome.ACCURACY:
            return Verdict(Outcome.ACCURACY, wrong["detail"])
        return Verdict(Outcome.UNSTABLE, reason)

    def _measure_as_published(self, trial: GraphTrial) -> Timing:
        order = {
            "do": "paper",
            "compiler": trial.job.compiler,
            "warmup": self.protocol.warmup_calls,
            "trials": self.protocol.min_calls,
        }
        with owned_by("call"):
            reply = self.pairs[0].ask("candidate", order, self.protocol.build_s)
        return published.timing_of(reply, self.protocol)

    def _verify_only(self, trial: GraphTrial) -> None:
        reference, given = self._verify_first(trial)
        if trial.job.passes is not None and not trial.hopeless:
            self._last_looks(reference, trial, given)

    def _verify_first(self, trial: GraphTrial) -> tuple[Reference, SecretInputs]:
        """On pair 0, before any candidate was seen."""
        if trial.job.device != "cpu":
            gpu_idle.at_rest_us(trial.job.device)
        return self._verify_on(self.pairs[0], trial, self.protocol.verify_seeds, len(self.pairs))

    def _verify_on(
        self, pair: WorkerPair, trial: GraphTrial, seeds: int, pairs: int, hard: int | None = None
    ) -> tuple[Reference, SecretInputs]:
        """The reference, the secret draws, the candidate, and every draw compared."""
        reference = Reference.prepare(pair, self.protocol, trial.job)
        trial.fp64 = reference.wide
        given = reference.draw(trial.seed, seeds, hard)
        trial.same_inputs = tuple(trial.job.graph.specs[index].name for index in given.same)
        trial.room = self._room(trial, reference, given, pairs)
        reference.on_host = trial.room.on_host
        self._build_candidate(pair, trial.job, trial.report)
        self._lend(pair, reference, given, trial.room)
        self._verify(pair, reference, trial, given, range(len(given.draws)))
        return reference, given

    def _ready(self, pair: WorkerPair, reference: Reference, trial: GraphTrial, given: SecretInputs) -> None:
        """Both sides of a pair built, lent their lent, and the candidate compared on one draw."""
        build_reference(pair, trial.job, self.protocol)
        if pair is reference.pair:
            reference.open()
        self._build_again(pair, trial)
        self._lend(pair, reference, given, trial.room)
        self._verify(pair, reference, trial, given, [trial.rng.randrange(len(given.draws))])

    def _build_again(self, pair: WorkerPair, trial: GraphTrial) -> None:
        """In a fresh process the pass set must match what it matched in the one where all draws were compared."""
        again: dict[str, Any] = {"replacements": {}}
        try:
            self._build_candidate(pair, trial.job, again)
        except Verdict as verdict:
            if verdict.outcome is not Outcome.NO_MATCH:
                raise
        before, now = trial.report["replacements"], again["replacements"]
        if now != before:
            raise found("unsteady_match", f"rules matched {before} in one process and {now} in the next")

    def _build_candidate(self, pair: WorkerPair, job: Job, report: dict[str, Any]) -> None:
        order = {
            "do": "build",
            "graph": str(job.path),
            "device": job.device,
            "seed": BUILD_SEED,
            "compiler": job.compiler,
        }
        with owned_by("build"):
            if job.passes is not None:
                pair.load(job.passes)
            report |= claims.of_program(pair.ask("candidate", order, self.protocol.build_s))
        if job.passes is not None and self.protocol.freeze and self.protocol.preset == "direct":
            with owned_by("call"):
                order = {"do": "freeze", "seed": BUILD_SEED}
                report |= claims.of_freezing(pair.ask("candidate", order, self.protocol.first_call_s))

    def _lend(self, pair: WorkerPair, reference: Reference, given: SecretInputs, room: MemoryPlan | None) -> None:
        """Shared buffers for both workers of a pair, with the tables that calls' inputs are drawn from."""
        layout = sizing.layout(reference.shape, self.protocol, given, Random(secrets.randbits(64)), room)
        with owned_by("reference"):
            given.write(pair.lend("reference", "timing", layout))
        with owned_by("build"):
            given.write(pair.lend("candidate", "timing", layout))

    def _verify(
        self, pair: WorkerPair, reference: Reference, trial: GraphTrial, given: SecretInputs, draws: Sequence[int]
    ) -> None:
        """Calls on each draw, through the same kind of block as is timed later; some outputs of each compared.

        The first block is short, for a first call may compile; from then on the blocks are as long as timed ones, so
        that their length tells nothing.
        """
        us: float | None = None
        for draw in draws:
            us = self._verify_block(pair, reference, trial, given, draw, us)

    def _verify_block(
        self,
        pair: WorkerPair,
        reference: Reference,
        trial: GraphTrial,
        given: SecretInputs,
        draw: int,
        us: float | None,
    ) -> float:
        """One block under the guard; returns microseconds a call, about.

        One call gets the inputs of an earlier one, with others in between, and is compared as that one is: what it
        gives may follow from nothing else. On hard draws some more calls are compared.
        """
        buffers, rng = pair.lent["candidate", "timing"], trial.rng
        calls = rng.randint(3, 5)
        if us is not None and self.protocol.guard_blocks:
            calls = max(3, round(sizing.block_calls(us, self.protocol) * rng.uniform(0.75, 1.25)))
        first = rng.randrange(calls - 2)
        again = rng.randrange(first + 2, calls)
        checked = {first, again}
        if draw in given.hard:  # where it is chance in which rows a naive form breaks
            others = [call for call in range(calls) if call not in checked]
            checked.update(rng.sample(others, min(len(others), sizing.more_compared(reference.shape))))
        plan = BlockPlan(
            "direct",
            0,
            calls,
            frozenset(checked),
            inputs=True,
            draw=draw,
            again={again: first},
            pads=tuple(sizing.pads(reference.shape, rng)),
            mode="plain" if pair.trusted or not self.protocol.guard_blocks else "guarded",
            share=1.0 if us is None else self.protocol.guard_share,
            facts=reference.facts,
        )
        with owned_by("call"), pair.awake("candidate") as worker:
            block = blocks.run(worker, buffers, given, plan, rng, self.protocol.first_call_s)
        observe.look_at_notes(block.reply)
        trial.comparisons += reference.compare_block(given, block)
        return block.us_per_call

    def _last_looks(self, reference: Reference, trial: GraphTrial, given: SecretInputs) -> None:
        """What leaves the workers unfit for this graph: proof of work, and shapes that nobody has seen."""
        try:
            trial.shown = Proof(reference.pair, reference, given, self.protocol, trial.rng).demand()
            if self.protocol.unseen_draws:
                trial.unseen = self._try_unseen(trial, self._pairs(trial)[-1])
        finally:
            if trial.job.device != "cpu":
                # A process in which the profiler ran once launches kernels more slowly for the rest of its life.
                reference.pair.end("candidate")

    def _try_unseen(self, trial: GraphTrial, pair: WorkerPair) -> Unseen | None:
        """Verify on shapes between those of the task's variants, in a process that served the graph on trial."""
        for job in unseen_shapes.jobs(trial.job, pair.scratch, trial.rng):
            other = GraphTrial(job, trial.rng.getrandbits(48), trial.rng, frugal=trial.frugal)
            shapes = unseen_shapes.shapes_of(job.graph)
            try:
                with unseen_shapes.tried(job):
                    self._verify_on(pair, other, self.protocol.unseen_draws, 1, hard=1)
            except NoRoom as short:
                if self._short(other, short).outcome is Outcome.OUT_OF_MEMORY:
                    continue  # eager does not take such shapes here
                return Unseen(shapes=shapes, answer="refused")
            except unseen_shapes.UnseenRefused:
                return Unseen(shapes=shapes, answer="refused")
            except Verdict as verdict:
                if verdict.outcome is not Outcome.REFERENCE_ERROR:
                    raise
                continue  # eager does not take such shapes
            trial.elsewhere = other.comparisons
            return Unseen(shapes=shapes, answer="right" if worst(other.comparisons).strict else "wrong")
        return None
