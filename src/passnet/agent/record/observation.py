"""The answer of a tool: bounded text for readers, complete data for programs."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from passnet.agent.record.figures import EvaluationReport, RecordedScore

TEXT_LIMIT = 12_000


class Observation(BaseModel):
    """The answer to one tool call.

    `ok`: the tool could do its work (a check that finds problems is ok). `text` has at most `TEXT_LIMIT` characters.
    `data` is plain JSON. `score` is AS if this call measured one that counts. `done` says that the episode is over.
    `evaluation` is the typed `data` of a call of `evaluate`. It is not written, and is read again from `data`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

    tool: str
    ok: bool
    text: str
    data: dict[str, Any] = {}
    score: RecordedScore | None = None
    done: bool = False
    evaluation: EvaluationReport | None = Field(None, exclude=True, repr=False)

    @model_validator(mode="before")
    @classmethod
    def _with_evaluation(cls, fields: object) -> object:
        """Give the data of a record its typed form."""
        if not isinstance(fields, dict) or isinstance(fields.get("evaluation"), EvaluationReport):
            return fields
        if fields.get("evaluation") is not None:
            raise ValueError("evaluation is read from data")
        data = fields.get("data")
        measured = fields.get("tool") == "evaluate" and fields.get("ok") is True and isinstance(data, dict)
        return {**fields, "evaluation": EvaluationReport.from_json(data)} if measured and data else fields


def clip(text: str, limit: int = TEXT_LIMIT) -> str:
    """The text without its middle when it is too long. It says how much is missing."""
    if len(text) <= limit:
        return text
    tail = limit // 4
    head = limit - tail - 60
    return f"{text[:head]}\n... {len(text) - head - tail} characters left out ...\n{text[-tail:]}"
