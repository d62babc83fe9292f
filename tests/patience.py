"""A judge for a machine that others use too: where it was too unsteady for a figure, it judges again."""

from __future__ import annotations

from dataclasses import dataclass

from passnet.bench.record.records import GraphRecord
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.score import Outcome

_TRIALS = 4


@dataclass
class PatientJudge(Judge):
    """`unstable` says nothing of a candidate, so the same job is judged again, some times at most."""

    def judge(self, job: Job) -> GraphRecord:
        for _ in range(_TRIALS - 1):
            record = super().judge(job)
            if record.outcome is not Outcome.UNSTABLE:
                return record
        return super().judge(job)
