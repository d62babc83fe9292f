"""One graph on trial: what is known of it so far, and the record fields that follow from that."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from passnet.bench.compare.comparison import Comparison, worst
from passnet.bench.compare.levels import is_strict, latest
from passnet.bench.isolation.memory_plan import MemoryNeed, MemoryPlan
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord, MaxError, Timing, Unseen
from passnet.bench.verdict.ahead import BuildsAhead
from passnet.bench.verdict.explained import explained
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.proof_of_work import WorkShown
from passnet.bench.wire.replies import ProgramBuilt
from passnet.roofline.inspect import LeastWork
from passnet.score import STRICT_T, Outcome

# A worker sees copies of the pass files, in a directory of its own.
_WORKERS_COPY = re.compile(r"(?<![^\s'\"(])[^\s'\"(]*/work-\d+-[0-9a-f]{8}/passes/")


@dataclass
class GraphTrial:
    """The facts about one graph that are known so far.

    `built`, `not_frozen`: what the candidate says of its program. `fp64`: whether there is a float64 reference.
    `unseen`: the result on shapes that were drawn after the pass set was loaded. `elsewhere`: the comparisons on
    them, which are judged separately.
    `need`, `room`: the memory that the graph takes and was given. `frugal`: it was given as little as possible.
    `shown`: what the proof of work found. `ahead`: programs that are being built beside other work.
    `work`: the least work of the graph, where it is reckoned beside the builds.
    `timed`: the pairs that were timed, count, and have their programs.
    `slowed`: the pair whose candidate is of no more use.
    `compile_s`: seconds until the candidate's first program was ready.
    """

    job: Job
    seed: int | None = None
    rng: random.Random = field(default_factory=random.Random)
    built: ProgramBuilt = field(default_factory=ProgramBuilt)
    not_frozen: Mapping[str, str] = field(default_factory=dict)
    comparisons: list[Comparison] = field(default_factory=list)
    elsewhere: list[Comparison] = field(default_factory=list)
    fp64: bool | None = None
    unseen: Unseen | None = None
    frugal: bool = False
    need: MemoryNeed | None = None
    room: MemoryPlan | None = None
    given_up: tuple[str, ...] = ()
    shown: WorkShown = field(default_factory=lambda: WorkShown(None, None))
    same_inputs: tuple[str, ...] = ()
    ahead: BuildsAhead = field(default_factory=BuildsAhead)
    work: Future[LeastWork | None] | None = None
    timed: Sequence[WorkerPair] = ()
    slowed: WorkerPair | None = None
    compile_s: float | None = None

    @property
    def hopeless(self) -> bool:
        """The graph is right at no tolerance, so no time would count."""
        return worst(self.comparisons).correct_at is None

    @property
    def correct_at(self) -> int | None:
        """The smallest t at which the graph is right on its own shapes and on unseen ones.

        Neither set of calls excuses the other.
        """
        return latest(worst(calls).correct_at for calls in (self.comparisons, self.elsewhere) if calls)

    def judged(self, measured: Timing | None) -> Verdict:
        """The verdict after everything was compared."""
        correct_at = self.correct_at
        if is_strict(correct_at):
            return Verdict(Outcome.CORRECT, None, timing=measured)
        level = "at no tolerance" if correct_at is None else f"only from t = {correct_at}, {STRICT_T} is asked for"
        where = f" on shapes {self._unseen_shapes()}" if self.unseen and self.unseen.answer == "wrong" else ""
        return Verdict(Outcome.ACCURACY, f"outputs{where} are right {level}: {self.objection}", timing=measured)

    @property
    def objection(self) -> str:
        """What is wrong with the outputs, by the calls that are worst."""
        found = [worst(calls) for calls in (self.comparisons, self.elsewhere) if calls]
        return explained(next(each for each in found if each.correct_at == self.correct_at), self.job.passes)

    def _unseen_shapes(self) -> str:
        assert self.unseen is not None
        return f"{self.unseen.shapes}, drawn between those of the task's variants,"


def by_users_names(detail: str | None) -> str | None:
    """The text with pass files named as the user has them, not by the copies of one worker."""
    return None if detail is None else _WORKERS_COPY.sub("", detail)


def record_of(
    trial: GraphTrial,
    protocol: Protocol,
    verdict: Verdict,
    *,
    sandbox: tuple[str, ...] | None = None,
    seconds: float = 0.0,
) -> GraphRecord:
    """The record of a verdict, with all that is known of the trial.

    `sandbox`: the layers around the candidates.
    """
    job = trial.job
    found = worst([*trial.comparisons, *trial.elsewhere]) if trial.comparisons else None
    near_misses = verdict.near_misses or trial.built.near_misses
    return GraphRecord(
        task=job.task,
        graph=job.name,
        graph_hash=job.graph.content_hash,
        pass_set_hash=job.passes.content_hash if job.passes else None,
        protocol_hash=protocol.content_hash,
        compiler=job.compiler,
        device=job.device,
        tamper_proof=protocol.tamper_proof,
        outcome=verdict.outcome,
        detail=by_users_names(verdict.detail),
        findings=verdict.findings,
        timing=verdict.timing,
        replacements=trial.built.replacements,
        near_misses=tuple(miss.on(job.name) for miss in near_misses),
        not_frozen=trial.not_frozen,
        input_seed=trial.seed,
        same_inputs=trial.same_inputs,
        fp64_reference=trial.fp64,
        compared_calls=len(trial.comparisons) + len(trial.elsewhere),
        followed_calls=found.followed if found else 0,
        correct_at=trial.correct_at if found else None,
        published_at=found.published_at if found else None,
        max_error=_max_error(found) if found else None,
        kernels=trial.shown.kernels,
        own_kernels=trial.shown.own,
        kernel_us=dict(trial.shown.us),
        unseen=trial.unseen,
        given_up=trial.given_up,
        sandbox=sandbox,
        compile_s=None if trial.compile_s is None else round(trial.compile_s, 3),
        seconds=seconds,
    )


def _max_error(found: Comparison) -> MaxError:
    return MaxError(
        abs=_finite(found.max_abs),
        rel=_finite(found.max_rel),
        fp64_ratio=_finite(found.fp64_ratio),
        scaled=_finite(found.scaled_error),
    )


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
