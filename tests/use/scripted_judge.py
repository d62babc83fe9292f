"""Stands where the bench's judge does: verdicts from a table instead of measurements."""

from __future__ import annotations

import json
from pathlib import Path

from passnet.bench.layers import LAYERS
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord, MaxError
from passnet.bench.verdict.job import Job
from passnet.score import Outcome
from tests.job_fields import identity
from tests.use.library_runs import timing

BLOOM, GPT2, PHI3 = "bloom_gelu", "gpt2_gelu_new", "phi3_swiglu"
SPEC = "tests.use.optimize_models:mixed"
AGAIN = ", once more"


def label(job: Job) -> tuple[str, ...]:
    """The tasks whose passes a program has."""
    names = sorted(name.split("-")[0] if "/" not in name else name for name in job.name.split(AGAIN)[0].split(" and "))
    return (*names, AGAIN) if job.name.endswith(AGAIN) else tuple(names)


class Scripted:
    """Verdicts by the tasks whose passes are in a program; those of the second time where the table has them."""

    def __init__(self, verdicts):
        self.verdicts = verdicts
        self.asked = []

    def judge(self, job: Job) -> GraphRecord:
        self.asked.append(label(job))
        name = label(job) if label(job) in self.verdicts else tuple(part for part in label(job) if part != AGAIN)
        fields = dict(self.verdicts[name])
        counts = fields.pop("counts", None)
        manifests = {name: text for name, text in job.passes.files.items() if name.endswith(".json")}
        rules = {str(Path(name).with_name(json.loads(text)[0])): 1 for name, text in manifests.items()}
        known = {
            "outcome": Outcome.CORRECT, "correct_at": -6, "replacements": counts or rules, "compared_calls": 40,
            "seconds": 9.0, "sandbox": LAYERS, "max_error": MaxError(abs=0.0, rel=0.0),
        }  # fmt: skip
        return GraphRecord(**identity(job, Protocol()), **(known | fields))


def won(speedup, **fields):
    return {"timing": timing(speedup), **fields}


NO_MATCH = {"outcome": Outcome.NO_MATCH, "correct_at": None, "replacements": {}}
