"""The verdict on one graph: build on both sides, compare, time, and turn every failure into its owner's outcome."""

from __future__ import annotations

import math
import random
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from passnet.bench import blocks, paper, sizing, timing, watch
from passnet.bench.arena import Arena
from passnet.bench.blocks import BlockPlan
from passnet.bench.lanes import Lane
from passnet.bench.oracle import BUILD_SEED, Job, Oracle, build_reference
from passnet.bench.pool import InputPool
from passnet.bench.protocol import Protocol
from passnet.bench.records import GraphRecord, MaxError, Timing
from passnet.bench.session import WorkerFailure
from passnet.bench.verdict import Verdict, found, owned_by
from passnet.bench.verify import Comparison, worst
from passnet.score import Outcome

_MAX_NEAR_MISSES = 100


@dataclass
class Trial:
    """What is known so far about the graph on trial."""

    job: Job
    seed: int
    rng: random.Random
    report: dict[str, Any] = field(default_factory=dict)
    comparisons: list[Comparison] = field(default_factory=list)
    fp64: bool | None = None

    @property
    def hopeless(self) -> bool:
        """Right at no tolerance: no time would count."""
        return worst(self.comparisons).correct_at is None


@dataclass
class Judge:
    """Judges jobs on a fixed set of lanes. `seed` decides inputs and order; it is secret until the records show it."""

    lanes: Sequence[Lane]
    protocol: Protocol
    seed: int

    def judge(self, job: Job) -> GraphRecord:
        """Never raises for what a pass does; InfrastructureError when the machine fails."""
        return self._run(job, self._measure)

    def check(self, job: Job) -> GraphRecord:
        """Everything but the timing: build, one guarded numeric run. A right graph is recorded without a timing."""
        return self._run(job, self._verify_only)

    def _run(self, job: Job, stages: Any) -> GraphRecord:
        began = time.monotonic()
        seed = random.Random(f"{self.seed}/{job.task}/{job.name}").getrandbits(48)
        trial = Trial(job, seed, random.Random(seed ^ 0x5EED))
        try:
            fields = _judged(trial, stages(trial))
        except Verdict as verdict:
            fields = verdict.fields()
        finally:
            for lane in self.lanes:
                lane.release()
        return GraphRecord(
            **identity(job, self.protocol),
            replacements=trial.report.get("replacements", {}),
            near_misses=near_misses(fields.pop("near_misses", trial.report.get("near_misses", ())), job.name),
            input_seed=seed,
            fp64_reference=trial.fp64,
            compared_calls=len(trial.comparisons),
            sandbox=self._layers(job),
            seconds=round(time.monotonic() - began, 3),
            **_errors(trial.comparisons),
            **fields,
        )

    def _layers(self, job: Job) -> tuple[str, ...] | None:
        """The layers that all candidates of this graph had round them; None where none of them ran passes."""
        started = [lane.layers for lane in self.lanes if lane.layers]
        if job.passes is None or (self.protocol.sandbox and not started):
            return None
        return tuple(layer for layer in started[0] if all(layer in other for other in started)) if started else ()

    # --- stages ----------------------------------------------------------------------------------------------

    def _measure(self, trial: Trial) -> Timing | None:
        oracle, pool = self._verify_first(trial)
        if trial.hopeless:
            return None
        if self.protocol.preset == "paper":
            return self._measure_as_published(trial)
        for lane in self.lanes[1:]:
            self._ready(lane, oracle, trial, pool)

        def restart() -> None:
            for lane in self.lanes:
                lane.close()
            for lane in self.lanes:
                self._ready(lane, oracle, trial, pool)

        def spot_check(block: blocks.Block, arena: Arena, plan: BlockPlan) -> None:
            trial.comparisons += oracle.compare_block(pool, block)
            oracle.check_untouched(pool, arena, plan)
            if trial.hopeless:
                raise Verdict(Outcome.ACCURACY, "a timed call gave outputs that are right at no tolerance")

        def lend(lane: Lane, calls: int) -> None:
            self._lend(lane, oracle, calls)

        context = timing.Context(
            self.lanes, self.protocol, pool, trial.rng, oracle.shape, lend, restart, spot_check, oracle.facts
        )
        try:
            measured = context.measure(trial.job.device)
        except timing.Unstable as error:
            raise Verdict(Outcome.UNSTABLE, str(error)) from error
        if trial.job.passes is not None:
            watch.physics(measured, oracle.shape)
            self._prove_work(self.lanes[0], oracle, trial, pool)
        return measured

    def _measure_as_published(self, trial: Trial) -> Timing:
        order = {
            "do": "paper",
            "compiler": trial.job.compiler,
            "warmup": self.protocol.warmup_calls,
            "trials": self.protocol.min_calls,
        }
        with owned_by("call"):
            return paper.timing_of(self.lanes[0].ask("candidate", order, self.protocol.build_s), self.protocol)

    def _verify_only(self, trial: Trial) -> None:
        oracle, pool = self._verify_first(trial)
        if trial.job.passes is not None and not trial.hopeless:
            self._prove_work(self.lanes[0], oracle, trial, pool)

    def _verify_first(self, trial: Trial) -> tuple[Oracle, InputPool]:
        """Lane 0: the reference, the secret draws, the candidate, and every draw compared."""
        oracle = Oracle.prepare(self.lanes[0], self.protocol, trial.job)
        trial.fp64 = oracle.wide
        pool = oracle.draw(trial.seed, self.protocol.verify_seeds)
        self._build_candidate(self.lanes[0], trial.job, trial.report)
        self._lend(self.lanes[0], oracle, self.protocol.warmup_calls)
        self._verify(self.lanes[0], oracle, trial, pool, range(len(pool.draws)))
        return oracle, pool

    def _ready(self, lane: Lane, oracle: Oracle, trial: Trial, pool: InputPool) -> None:
        """Both sides of a lane built, lent their arenas, and the candidate compared on one draw."""
        build_reference(lane, trial.job, self.protocol)
        if lane is oracle.lane:
            oracle.open()
        self._build_candidate(lane, trial.job, {})
        self._lend(lane, oracle, self.protocol.warmup_calls)
        self._verify(lane, oracle, trial, pool, [trial.rng.randrange(len(pool.draws))])

    def _build_candidate(self, lane: Lane, job: Job, report: dict[str, Any]) -> None:
        order = {
            "do": "build",
            "graph": str(job.path),
            "device": job.device,
            "seed": BUILD_SEED,
            "compiler": job.compiler,
        }
        with owned_by("build"):
            if job.passes is not None:
                lane.load(job.passes)
            report |= _claims(lane.ask("candidate", order, self.protocol.build_s))

    def _lend(self, lane: Lane, oracle: Oracle, calls: int) -> None:
        """Arenas for both workers of a lane, sized for blocks of that many calls."""
        layout = sizing.layout(oracle.shape, self.protocol, calls, Random(secrets.randbits(64)))
        with owned_by("reference"):
            lane.lend("reference", "timing", layout)
        with owned_by("build"):
            lane.lend("candidate", "timing", layout)

    def _verify(self, lane: Lane, oracle: Oracle, trial: Trial, pool: InputPool, draws: Sequence[int]) -> None:
        """Calls on each draw, through the same kind of block as is timed later; two outputs of each compared.

        The first block is short, for a first call may compile; from then on the blocks are as long as timed ones, so
        that their length tells nothing. After the first draw the sets trade places.
        """
        arena = lane.arenas["candidate", "timing"]
        us: float | None = None
        for number, draw in enumerate(draws):
            for index in range(arena.layout.sets):
                pool.fill(arena, index, draw=draw)
            us = self._verify_block(lane, oracle, trial, pool, us)
            if number == 0 and len(draws) > 1 and self.protocol.guard_blocks:
                pool.move(arena)
                us = self._verify_block(lane, oracle, trial, pool, us)

    def _verify_block(self, lane: Lane, oracle: Oracle, trial: Trial, pool: InputPool, us: float | None) -> float:
        """One block under the guard, every set as it was filled; returns microseconds a call, about."""
        arena, rng = lane.arenas["candidate", "timing"], trial.rng
        calls = rng.randint(2, 4)
        if us is not None and not oracle.shape.mutates and self.protocol.guard_blocks:
            calls = max(
                2, round(sizing.block_calls(us, self.protocol, blocks.MAX_CALLS // 4) * rng.uniform(0.75, 1.25))
            )
        lead = rng.randrange(1, calls)
        plan = BlockPlan(
            "direct",
            lead,
            calls - lead,
            frozenset({rng.randrange(calls - 1), calls - 1}),
            self.protocol.window,
            tuple(sizing.pads(oracle.shape, rng)),
            mode="plain" if lane.trusted or not self.protocol.guard_blocks else "guarded",
            share=1.0 if us is None else self.protocol.guard_share,
            facts=oracle.facts,
        )
        with owned_by("call"), lane.awake("candidate") as worker:
            block = blocks.run(worker, arena, None, plan, rng, self.protocol.first_call_s)
        watch.look_at_notes(block.reply)
        trial.comparisons += oracle.compare_block(pool, block, arena)
        return block.us_per_call

    def _prove_work(self, lane: Lane, oracle: Oracle, trial: Trial, pool: InputPool) -> None:
        """Switch the pass's kernels off: its outputs must go wrong, and how they do is of no interest.

        Comes last, since nobody says what a program does whose kernels do nothing.
        """
        arena = lane.arenas["candidate", "timing"]
        plan = BlockPlan("direct", 1, 1, frozenset({1}), self.protocol.window, mode="ghost")
        right = []
        for draw in range(min(self.protocol.ghost_draws, len(pool.draws))):
            for index in range(arena.layout.sets):
                pool.fill(arena, index, draw=draw)
            try:
                with lane.awake("candidate") as worker:
                    block = blocks.run(worker, arena, None, plan, trial.rng, self.protocol.first_call_s)
                skipped = block.reply.get("skipped")
                if not isinstance(skipped, int) or not skipped:
                    return  # nothing of it can be switched off: native code of its own, or only views
                right.append(oracle.compare_block(pool, block)[0].strict)
            except (WorkerFailure, Verdict):  # NaN, an exception, a crash: its outputs depend on its kernels
                return
        if right and all(right):
            raise found(
                "no_work", f"outputs stayed right on {len(right)} draws with {skipped} kernel calls switched off"
            )


def identity(job: Job, protocol: Protocol) -> dict[str, Any]:
    """The fields of a record that are known before anything runs."""
    return {
        "task": job.task,
        "graph": job.name,
        "graph_hash": job.graph.content_hash,
        "pass_set_hash": job.passes.content_hash if job.passes else None,
        "protocol_hash": protocol.content_hash,
        "compiler": job.compiler,
        "device": job.device,
        "tamper_proof": protocol.tamper_proof,
    }


def _claims(reply: dict[str, Any]) -> dict[str, Any]:
    """What a candidate says of its program, refused unless it has the agreed form."""
    counts, misses = reply.get("replacements"), reply.get("near_misses")
    well_formed = (
        isinstance(counts, dict)
        and all(isinstance(name, str) and type(count) is int and count >= 0 for name, count in counts.items())
        and isinstance(misses, list)
        and all(isinstance(miss, dict) for miss in misses)
    )
    if not well_formed:
        raise WorkerFailure("protocol", "the worker's report of its program has not the agreed form")
    return {"replacements": counts, "near_misses": misses}


def near_misses(claimed: Any, graph: str) -> tuple[dict[str, str], ...]:
    """Near misses as text under this graph's name; at most a hundred, since they come from the candidate."""
    rows = claimed if isinstance(claimed, list | tuple) else ()
    return tuple(
        {str(k): str(v) for k, v in row.items() if v is not None} | {"graph": graph}
        for row in rows[:_MAX_NEAR_MISSES]
        if isinstance(row, dict)
    )


def _judged(trial: Trial, measured: Timing | None) -> dict[str, Any]:
    found = worst(trial.comparisons)
    if found.strict:
        return {"outcome": Outcome.CORRECT, "timing": measured}
    level = "at no tolerance" if found.correct_at is None else f"only from t = {found.correct_at}"
    return {"outcome": Outcome.ACCURACY, "detail": f"outputs are right {level}", "timing": measured}


def _errors(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    if not comparisons:
        return {}
    found = worst(comparisons)
    error = MaxError(
        abs=_finite(found.max_abs),
        rel=_finite(found.max_rel),
        fp64_ratio=_finite(found.fp64_ratio),
        scaled=_finite(found.scaled_error),
    )
    return {"correct_at": found.correct_at, "published_at": found.published_at, "max_error": error}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
