"""What a tool answers: bounded text for whoever reads, complete data for whoever computes."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

TEXT_LIMIT = 12_000


class Observation(BaseModel):
    """The answer to one tool call.

    `ok`: the tool could do its work (a check that finds problems is ok). `text` is at most `TEXT_LIMIT` characters;
    `data` is plain JSON. `score` is AS where this call measured one that counts, `done` says that the episode is over.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

    tool: str
    ok: bool
    text: str
    data: dict[str, Any] = {}
    score: float | None = None
    done: bool = False


def clip(text: str, limit: int = TEXT_LIMIT) -> str:
    """The text, its middle left out when it is too long; says how much is missing."""
    if len(text) <= limit:
        return text
    tail = limit // 4
    head = limit - tail - 60
    return f"{text[:head]}\n... {len(text) - head - tail} characters left out ...\n{text[-tail:]}"
