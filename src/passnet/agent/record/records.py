"""The records of an episode: frozen, versioned, one line each. Everything shown about the episode is made from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_serializer

from passnet.agent.record.budget import MOST_COUNTED, Budget, RecordedCount, RecordedSum, Usage, Used
from passnet.agent.record.figures import MeasuredVariant, RecordedScore, VariantFigures
from passnet.agent.record.names import ExitReason
from passnet.agent.record.observation import Observation

SCHEMA = 1
# Of the year 9999. Later ones are no times of a calendar.
LAST_SECOND = 253_402_300_799
# Fields that depend on the time and speed of a run, and not on the actions.
VOLATILE = frozenset({"at", "seconds", "used", "resumed"})


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

    schema_version: int = SCHEMA
    at: float = Field(ge=0, le=LAST_SECOND, description="seconds since the epoch")

    def without_time(self) -> dict[str, object]:
        """The record without time and cost. It is equal for two episodes with the same actions."""
        return self.model_dump(mode="json", exclude=set(VOLATILE))


class Start(_Record):
    """The first record: the author, the task and the limits.

    The hashes identify the data behind the figures: the task's graphs, the protocol, and the passes at the start (None:
    none). `opening` is the first text for the author. `tools` are the schemas of its tools.
    """

    kind: Literal["start"] = "start"
    task: str
    task_hash: str
    attempt: RecordedCount
    seed: int = Field(ge=-(2**64), le=2**64)
    author: str
    author_settings: dict[str, object]
    device: str
    protocol_hash: str
    policy: str
    budget: Budget
    seed_files: dict[str, str] = Field({}, description="the passes that the episode began with")
    opening: str
    tools: list[dict[str, object]]


class Message(_Record):
    """A message to a model beside observations, or a message from it, with its tokens and cost.

    `extra`: model, seed, ...
    """

    kind: Literal["message"] = "message"
    role: Literal["system", "user", "assistant"]
    content: str
    usage: Usage | None = None
    extra: dict[str, Any] = {}
    used: Used


class EpisodeStep(_Record):
    """One tool call and its answer.

    `files_hash` is of the files after it. `counted`: it was a measurement of its own. `malformed` is the request when
    it was no proper call. `said`: the call is part of the last message.
    """

    kind: Literal["step"] = "step"
    number: int = Field(ge=1, le=MOST_COUNTED)
    tool: str
    arguments: dict[str, Any]
    call_id: str
    said: bool = False
    malformed: str | None = None
    observation: Observation
    files_hash: str
    counted: bool = False
    used: Used
    seconds: RecordedSum


class Resume(_Record):
    """An interrupted episode goes on from here."""

    kind: Literal["resume"] = "resume"
    resumed: RecordedCount = Field(description="records before this one")


class Final(BaseModel):
    """The best pass set measured once more. `score` is None where the machine could not tell this time.

    The best of several measurements is too good on average.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

    score: RecordedScore | None
    graphs: tuple[MeasuredVariant, ...]

    @field_serializer("graphs")
    def _as_documents(self, graphs: tuple[VariantFigures, ...]) -> list[dict[str, object]]:
        return [row.to_json() for row in graphs]


class End(_Record):
    """The last record. `score` is the one that counts.

    It is the score of the confirming measurement if there was one, even if that is none. Otherwise it is of the best.
    An episode that stays open has a last record too. It gives the best so far. If nothing had a score, `look` and
    `look_step` are of the best look. `look` is an AS that counts as no score. It is null if the machine was too
    unsteady for one.
    """

    kind: Literal["end"] = "end"
    exit_reason: ExitReason
    detail: str | None = None
    score: RecordedScore | None = None
    best_score: RecordedScore | None = None
    best_step: RecordedCount | None = None
    pass_set_hash: str | None = None
    confirmed: Final | None = None
    look: RecordedScore | None = None
    look_step: RecordedCount | None = None
    used: Used


EpisodeRecord = Annotated[Start | Message | EpisodeStep | Resume | End, Field(discriminator="kind")]
_ADAPTER: TypeAdapter[EpisodeRecord] = TypeAdapter(EpisodeRecord)


def parse(line: bytes | str) -> EpisodeRecord:
    """One line of an episode's file. Raises pydantic.ValidationError for anything else."""
    return _ADAPTER.validate_json(line)


def steps_of(records: list[EpisodeRecord]) -> list[EpisodeStep]:
    return [record for record in records if isinstance(record, EpisodeStep)]
