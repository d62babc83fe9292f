"""The fields of a graph's record that follow from what was asked, for tests that make records of their own."""

from __future__ import annotations

from typing import Any

from passnet.bench.record.protocol import Protocol
from passnet.bench.verdict.reference import Job


def identity(job: Job, protocol: Protocol) -> dict[str, Any]:
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
