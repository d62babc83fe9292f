"""The findings of a measurement as typed records: of one variant, and of a pass set. They are JSON only on disk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from passnet.bench.record.records import GraphSummary
from passnet.score import MOST_SPEEDUP, Solved, solved_of

# A score as a record may hold it. A file of others may claim any number, and charts compute with it.
RecordedScore = Annotated[float, Field(ge=0, le=MOST_SPEEDUP)]


class VariantFigures(GraphSummary):
    """The summary of one variant, and the places where its rules almost matched."""

    near_misses: tuple[dict[str, str], ...] = ()


def _scorable(row: VariantFigures) -> VariantFigures:
    row.result()  # a ScoreError is a ValueError, of which pydantic makes a ValidationError
    return row


# The figures of a variant in a measurement. A file of others may claim what no score can be made of.
MeasuredVariant = Annotated[VariantFigures, AfterValidator(_scorable)]


class Evaluation(BaseModel):
    """The outcome of one measurement.

    `gains` is AS if that variant alone became right and as fast as eager. `repeated` means that the same bytes were
    measured before. They were not measured again. `kept` are the variants of which that holds.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    score: RecordedScore | None
    graphs: tuple[MeasuredVariant, ...]
    pass_set_hash: str
    gains: dict[str, float] = {}
    repeated: bool = False
    kept: tuple[str, ...] = ()

    @property
    def solved(self) -> Solved:
        """The number of solved variants, and AS with ties floored."""
        return solved_of([row.result() for row in self.graphs])


class EvaluationReport(Evaluation):
    """An evaluation inside an episode.

    `partial`: a look without a score, at some variants or for a short time. `best`: it is the best so far. `best_score`
    and `best_step` are of the best so far, including this one.
    """

    partial: bool
    best: bool
    best_score: RecordedScore | None
    best_step: int | None

    @classmethod
    def of(cls, found: Evaluation, **standing: object) -> Self:
        """The report of a measurement. `standing` has the fields that only an evaluation has."""
        return cls.model_validate({name: getattr(found, name) for name in Evaluation.model_fields} | standing)

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Self:
        """Read the result of `to_json`. Raises pydantic.ValidationError for anything else."""
        return cls.model_validate({**data, "score": data.get("AS"), "best_score": data.get("best_AS")})

    def to_json(self) -> dict[str, object]:
        """The data of the observation, as a record keeps it."""
        return {
            "AS": self.score,
            **self.solved.to_json(),
            "partial": self.partial,
            "repeated": self.repeated,
            "kept": list(self.kept),
            "best": self.best,
            "best_AS": self.best_score,
            "best_step": self.best_step,
            "pass_set_hash": self.pass_set_hash,
            "graphs": [row.to_json() for row in self.graphs],
            "gains": self.gains,
        }
