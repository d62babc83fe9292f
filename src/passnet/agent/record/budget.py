"""The limits of an episode and its use so far: steps, evaluations, tokens, cost, wall time."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from passnet.agent.record.names import DEFAULT_STEPS, ExitReason

# Numbers as a record may hold them. A file of others may claim any, and pages add them up and draw them.
MOST_COUNTED: Final = 2**53
RecordedCount = Annotated[int, Field(ge=-MOST_COUNTED, le=MOST_COUNTED)]
RecordedSum = Annotated[float, Field(ge=-MOST_COUNTED, le=MOST_COUNTED)]


class Budget(BaseModel):
    """The limits of one episode. 0 means none. A step is one tool call, well-formed or not."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    steps: int = Field(DEFAULT_STEPS, ge=0)
    evaluations: int = Field(0, ge=0)
    tokens: int = Field(0, ge=0, description="prompt and completion tokens together")
    cost_usd: float = Field(0.0, ge=0)
    wall_s: float = Field(0.0, ge=0)


class Usage(BaseModel):
    """The tokens and cost of one answer of a model. None: the endpoint did not say."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt_tokens: RecordedCount | None = None
    completion_tokens: RecordedCount | None = None
    cached_tokens: RecordedCount | None = None
    cost_usd: RecordedSum | None = None

    @property
    def tokens(self) -> int:
        return (self.prompt_tokens or 0) + (self.completion_tokens or 0)


class Used(BaseModel):
    """The use of an episode so far. `cost_usd` is None after an answer that did not tell its cost."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    steps: RecordedCount = 0
    evaluations: RecordedCount = 0
    tokens: RecordedCount = 0
    cost_usd: RecordedSum | None = 0.0
    wall_s: RecordedSum = 0.0

    def exhausted(self, budget: Budget) -> ExitReason | None:
        """The first limit that is reached, in the order of the fields.

        None while all limits hold, as far as is known.
        """
        for field, reason in _REASONS.items():
            limit, used = getattr(budget, field), getattr(self, field)
            if limit and used is not None and used >= limit:
                return reason
        return None

    def cost_with(self, usage: Usage) -> float | None:
        """The cost with one more answer. An unknown cost does not count as 0."""
        return None if self.cost_usd is None or usage.cost_usd is None else self.cost_usd + usage.cost_usd


_REASONS = {
    "steps": ExitReason.STEPS,
    "evaluations": ExitReason.EVALUATIONS,
    "tokens": ExitReason.TOKENS,
    "cost_usd": ExitReason.COST,
    "wall_s": ExitReason.TIME,
}
