"""The effect of a pass set on each graph of a task, for its author to read: changed lines, and each rule's work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.record.protocol import Protocol
from passnet.bench.verdict.job import Job
from passnet.bench.wire.replies import RuleWork
from passnet.bench.wire.requests import Rewrite


@dataclass(frozen=True)
class RewriteShown:
    """One graph: a unified diff (empty when nothing matches), and counts and microseconds of each rule in order.

    It also holds how often each rule matches as published, by identical spelling. None where that makes no valid
    graph.
    """

    graph: str
    diff: str
    stats: tuple[RuleWork, ...]
    raw: dict[str, int] | None

    def to_json(self) -> dict[str, object]:
        return asdict(self) | {"stats": [row.model_dump() for row in self.stats]}


def shown(pair: WorkerPair, jobs: Sequence[Job], protocol: Protocol) -> list[RewriteShown]:
    """Ask the candidate of a pair. Graphs whose passes cannot be loaded or applied are left out."""
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
    request = Rewrite(graph=pair.staged(job.path), device=job.device, raw=False)
    done = pair.ask("candidate", request, protocol.build_s)
    try:
        raw = pair.ask("candidate", request.model_copy(update={"raw": True}), protocol.build_s).replacements
    except WorkerFailure:
        raw = None
    return RewriteShown(job.name, done.diff, done.rules, raw)
