"""What a pass set does to each graph of a task, for its author to read: the change by lines, and each rule's work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from passnet.bench.isolation import claims
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.record.protocol import Protocol
from passnet.bench.verdict.reference import Job

_COUNTS = ("tried", "rejected_early", "matched", "refused", "replaced")
_MAX_DIFF, _MAX_NAME = 200_000, 1000


@dataclass(frozen=True)
class RewriteShown:
    """One graph: a unified diff (empty when nothing matches), counts and microseconds of each rule in order, and how
    often each rule matches as published, by identical spelling; None where that makes no valid graph.
    """

    graph: str
    diff: str
    stats: tuple[dict[str, str | int | float], ...]
    raw: dict[str, int] | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"stats": list(self.stats)}


def shown(pair: WorkerPair, jobs: Sequence[Job], protocol: Protocol) -> list[RewriteShown]:
    """Ask the candidate of a pair; graphs whose passes cannot be loaded or applied are left out."""
    found = []
    for job in jobs:
        assert job.passes is not None
        try:
            pair.load(job.passes)
            found.append(_one(pair, job, protocol))
        except WorkerFailure:  # the graph's record says why
            continue
    return found


def _one(pair: WorkerPair, job: Job, protocol: Protocol) -> RewriteShown:
    order = {"do": "rewrite", "graph": str(job.path), "device": job.device}
    reply = pair.ask("candidate", {**order, "raw": False}, protocol.build_s)
    try:
        raw = claims.of_program({**pair.ask("candidate", {**order, "raw": True}, protocol.build_s), "near_misses": []})
    except WorkerFailure:
        raw = {"replacements": None}
    stats = tuple(_stats(row) for row in claims.rows(reply, "stats"))
    return RewriteShown(job.name, str(reply.get("diff"))[:_MAX_DIFF], stats, raw["replacements"])


def _stats(row: dict[str, Any]) -> dict[str, str | int | float]:
    counts = {name: claims.count(row, name) for name in _COUNTS}
    us = row.get("us")
    return {"rule": str(row.get("rule"))[:_MAX_NAME], **counts, "us": float(us) if isinstance(us, int | float) else 0.0}
