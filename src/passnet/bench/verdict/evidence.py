"""One graph on trial: what is known of it so far, and the fields of its record that follow from that."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any

from passnet.bench.compare.errors import Comparison, worst
from passnet.bench.compare.levels import is_strict, latest
from passnet.bench.isolation.memory_plan import MemoryNeed, MemoryPlan
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import MaxError, Timing, Unseen
from passnet.bench.verdict.proof_of_work import WorkShown
from passnet.bench.verdict.reference import Job
from passnet.score import Outcome


@dataclass
class GraphTrial:
    """What is known so far. `report`: what the candidate says of its program; `fp64`: whether there is a twin.

    `unseen`: how it fared on shapes that were drawn after it was loaded, by `elsewhere`, which is judged by itself.
    `need`, `room`: the memory that it takes and was given; `frugal`: given as little as possible.
    `shown`: what the proof of work found.
    """

    job: Job
    seed: int
    rng: random.Random
    report: dict[str, Any] = field(default_factory=dict)
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

    @property
    def hopeless(self) -> bool:
        """Right at no tolerance: no time would count."""
        return worst(self.comparisons).correct_at is None

    @property
    def correct_at(self) -> int | None:
        """Smallest t at which it is right on the graph's shapes and on unseen ones: neither calls excuse the others."""
        return latest(worst(calls).correct_at for calls in (self.comparisons, self.elsewhere) if calls)

    def judged(self, measured: Timing | None) -> dict[str, Any]:
        """Outcome, reason and timing once everything was compared."""
        correct_at = self.correct_at
        if is_strict(correct_at):
            return {"outcome": Outcome.CORRECT, "timing": measured}
        level = "at no tolerance" if correct_at is None else f"only from t = {correct_at}"
        where = f" on shapes {self._unseen_shapes()}" if self.unseen and self.unseen.answer == "wrong" else ""
        return {"outcome": Outcome.ACCURACY, "detail": f"outputs{where} are right {level}", "timing": measured}

    def _unseen_shapes(self) -> str:
        assert self.unseen is not None
        return f"{self.unseen.shapes}, drawn between those of the task's variants,"

    def errors(self) -> dict[str, Any]:
        """The worst errors seen; nothing where nothing was compared."""
        if not self.comparisons:
            return {}
        found = worst([*self.comparisons, *self.elsewhere])
        error = MaxError(
            abs=_finite(found.max_abs),
            rel=_finite(found.max_rel),
            fp64_ratio=_finite(found.fp64_ratio),
            scaled=_finite(found.scaled_error),
        )
        return {
            "correct_at": self.correct_at,
            "published_at": found.published_at,
            "max_error": error,
            "followed_calls": found.followed,
        }


def identity(job: Job, protocol: Protocol) -> dict[str, Any]:
    """The fields that are known before anything runs."""
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


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
