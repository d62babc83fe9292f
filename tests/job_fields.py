"""The fields of a graph's record that follow from its job, for tests that make records of their own."""

from __future__ import annotations

from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.protocol import Protocol
from passnet.bench.verdict.evidence import GraphTrial, record_of
from passnet.bench.verdict.job import Job
from passnet.score import Outcome

_OF_THE_JOB = (
    "task graph graph_hash pass_set_hash protocol_hash compiler device tamper_proof"  # the rest is what was found
)


def identity(job: Job, protocol: Protocol) -> dict[str, object]:
    """As the judge's own record has them."""
    record = record_of(GraphTrial(job), protocol, Verdict(Outcome.UNSTABLE, None))
    return {name: getattr(record, name) for name in _OF_THE_JOB.split()}
