"""The user's settings for a model: its address, fields of every request, its price, and how long to wait."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from passnet import authored
from passnet.agent.record.budget import Usage
from passnet.errors import UsageError

# The author sets these fields of a request itself. `body` may not set them.
_OURS = frozenset({"model", "messages", "tools", "tool_choice", "functions", "stream", "n", "temperature", "seed"})
_SECRET = re.compile(r"key|token$|secret|password|authorization|headers", re.IGNORECASE)
# Fields that an endpoint may refuse. A request is complete without them.
OMITTABLE = frozenset({"temperature", "seed"})


class Price(BaseModel):
    """US dollars per million tokens.

    `cached` is for prompt tokens that the endpoint had in its cache. None: they cost the same as any other.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)
    cached: float | None = Field(None, ge=0)

    @classmethod
    def of(cls, text: str) -> Price:
        """Read `PROMPT,COMPLETION` or `PROMPT,COMPLETION,CACHED`."""
        numbers = [float(part) for part in text.split(",")]
        if len(numbers) not in (2, 3):
            raise ValueError("two or three numbers")
        return cls(prompt=numbers[0], completion=numbers[1], cached=numbers[2] if len(numbers) == 3 else None)

    def cost_usd(self, usage: Usage) -> float | None:
        """The cost in US dollars. None if the endpoint did not say how many tokens there were."""
        if usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        cached = min(usage.cached_tokens or 0, usage.prompt_tokens)
        at_once = self.prompt if self.cached is None else self.cached
        millions = (usage.prompt_tokens - cached) * self.prompt + cached * at_once
        return (millions + usage.completion_tokens * self.completion) / 1e6


class ModelOptions(BaseModel):
    """A model's settings.

    `omit` has the fields that the endpoint refuses, so requests leave them out. `body` has fields for every request.
    `context_tokens` is the size of the model's window. It is 0 when only the endpoint knows it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str | None = None
    key_env: str | None = None
    temperature: float = Field(0.0, ge=0, le=2)
    omit: frozenset[str] = frozenset()
    body: dict[str, object] = {}
    context_tokens: int = Field(0, ge=0)
    price: Price | None = None
    text_tools: bool = False
    timeout_s: float = Field(600.0, gt=0)
    retries: int = Field(8, ge=0)

    @classmethod
    def of(cls, given: Mapping[str, object]) -> ModelOptions:
        """Read the options of the command line. Raises UsageError that names the option."""
        try:
            return cls.model_validate(dict(given))
        except ValidationError as error:
            row = error.errors(include_url=False)[0]
            name = str(row["loc"][0])
            words = row["msg"].removeprefix("Value error, ")
            raise UsageError(words, field=f"--{_FLAGS.get(name, name).replace('_', '-')}") from None

    @field_validator("price", mode="before")
    @classmethod
    def _price(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        try:
            return Price.of(value)
        except ValueError:
            raise ValueError(
                f"not a price: {value!r}; expected PROMPT,COMPLETION[,CACHED] in US dollars per million tokens"
            ) from None

    @field_validator("body", mode="before")
    @classmethod
    def _body(cls, value: object) -> object:
        if isinstance(value, str):
            try:
                value = authored.parse_json(value)
            except ValueError as error:
                raise ValueError(f"not JSON: {error}") from None
        if not isinstance(value, dict):
            raise ValueError('expected a JSON object, such as {"max_tokens": 4096}')
        for name in value:
            if name in _OURS:
                raise ValueError(f"{name} is the author's own field")
            if _SECRET.search(name):
                raise ValueError(
                    f"{name} looks like a secret, and requests are recorded; keys come from the environment"
                )
        return value

    @field_validator("omit", mode="before")
    @classmethod
    def _omit(cls, value: Iterable[str]) -> Iterable[str]:
        unknown = sorted(set(value) - OMITTABLE)
        if unknown:
            raise ValueError(f"{unknown[0]} cannot be left out; expected {' or '.join(sorted(OMITTABLE))}")
        return value

    @field_validator("base_url")
    @classmethod
    def _url(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError(f"not an address: {value!r}; expected for example http://localhost:8000/v1")
        return value

    def recorded(self) -> dict[str, object]:
        """The settings that change answers or figures, as JSON without secrets. The waiting times are left out."""
        chosen = self.model_dump(mode="json", include={"body", "context_tokens", "price"})
        return {
            **chosen,
            "temperature": None if "temperature" in self.omit else self.temperature,
            "omit": sorted(self.omit),
            "tools": "text" if self.text_tools else "auto",
        }


def public_url(url: str) -> str:
    """The address without user, password and query, because these may hold keys."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


_FLAGS = {"timeout_s": "timeout"}
