"""A message is a frozen model, decoded once on each side. Its contents are bounded.

A message may come from a hostile process. Its numbers are finite and in range. Its lists and texts are cut or
refused before they are inspected one by one. Any other form is `MalformedMessage`.
"""

from __future__ import annotations

from itertools import islice
from typing import Annotated, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    StringConstraints,
    ValidationError,
)

MAX_TEXT = 4000
_MAX_NAME = 2000


class MalformedMessage(Exception):
    """The bytes are not the kind of message that was due. The text says where."""


class WireMessage(BaseModel):
    """A model that crosses the wire. Its types are strict, and unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, strict=True, allow_inf_nan=False)

    def encoded(self) -> bytes:
        """As JSON text."""
        return self.model_dump_json().encode()


M = TypeVar("M", bound=WireMessage)


def read(kind: type[M], body: bytes) -> M:
    """Decode the bytes as a message of a kind. MalformedMessage where they are none."""
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part)[:40] for part in first["loc"][:6])
        raise MalformedMessage(f"no {kind.__name__}: {place or 'all of it'}: {first['msg'][:200]}") from None


# --- bounds: of text what is too long is cut, of collections what is too much is cut or refused ------------------


def cut(most: int) -> BeforeValidator:
    """Cut to the first elements of a list, or the first characters of a text. Half a character becomes a question
    mark.
    """

    def shortened(value: object) -> object:
        if isinstance(value, str):
            return value[:most].encode(errors="replace").decode()
        return tuple(islice(value, most)) if isinstance(value, list | tuple) else value

    return BeforeValidator(shortened)


def at_most(most: int) -> BeforeValidator:
    """Refuse too many elements at once. Checked one by one, each wrong element would cost an error."""

    def bounded(value: object) -> object:
        if isinstance(value, list | tuple | dict) and len(value) > most:
            raise ValueError(f"{len(value)} elements; at most {most} are allowed")
        return tuple(value) if isinstance(value, list) else value

    return BeforeValidator(bounded)


Text = Annotated[str, cut(MAX_TEXT)]
Evidence = Annotated[str, cut(300)]
Name = Annotated[str, StringConstraints(max_length=_MAX_NAME)]
ShortName = Annotated[str, cut(200)]
Count = Annotated[int, Field(ge=0, lt=1 << 62)]
Counts = Annotated[dict[Name, Count], at_most(1000)]
Texts = Annotated[tuple[Text, ...], cut(1000)]
Names = Annotated[tuple[Name, ...], at_most(1000)]
Indices = Annotated[tuple[Count, ...], FailFast(), at_most(1 << 16)]
Microseconds = Annotated[float, Field(ge=1e-6, le=1e12)]
Times = Annotated[tuple[Microseconds, ...], FailFast(), Field(min_length=1), at_most(1 << 16)]
