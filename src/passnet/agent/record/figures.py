"""What a measurement found, as typed records: of one variant, and of a pass set; JSON only where it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, ConfigDict

from passnet.bench.record.records import GraphSummary
from passnet.score import Solved, solved_of


class VariantFigures(GraphSummary):
    """The summary of one variant, and where its rules almost matched."""

    near_misses: tuple[dict[str, str], ...] = ()


class Evaluation(BaseModel):
    """The outcome of one measurement. `gains`: AS if that variant alone became right and as fast as eager.

    `repeated`: the same bytes were measured before, and not again.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    score: float | None
    graphs: tuple[VariantFigures, ...]
    pass_set_hash: str
    gains: dict[str, float] = {}
    repeated: bool = False

    @property
    def solved(self) -> Solved:
        """How many of the variants were solved, and AS with ties floored."""
        return solved_of([row.result() for row in self.graphs])


class EvaluationReport(Evaluation):
    """An evaluation inside an episode. `partial`: a look without a score, at some variants or for a short time.

    `best`: it is the best so far; `best_score` and `best_step` tell of the best so far, this one included.
    """

    partial: bool
    best: bool
    best_score: float | None
    best_step: int | None

    @classmethod
    def of(cls, found: Evaluation, **standing: object) -> Self:
        """`standing`: the fields that an evaluation alone has not."""
        return cls.model_validate({name: getattr(found, name) for name in Evaluation.model_fields} | standing)

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Self:
        """From what `to_json` gave. pydantic.ValidationError for anything else."""
        return cls.model_validate({**data, "score": data.get("AS"), "best_score": data.get("best_AS")})

    def to_json(self) -> dict[str, object]:
        """What a record keeps as the data of the observation."""
        return {
            "AS": self.score,
            **self.solved.to_json(),
            "partial": self.partial,
            "repeated": self.repeated,
            "best": self.best,
            "best_AS": self.best_score,
            "best_step": self.best_step,
            "pass_set_hash": self.pass_set_hash,
            "graphs": [row.to_json() for row in self.graphs],
            "gains": self.gains,
        }
