"""Tools described for others: JSON schemas from signatures and docstrings, and arguments checked against them."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from passnet import authored

_ARGS = re.compile(r"^Args:\s*$", re.MULTILINE)
_SECTION = re.compile(r"^(Returns|Raises):\s*$", re.MULTILINE)
_ENTRY = re.compile(r"^    (\w+): (.*(?:\n {6,}.*)*)", re.MULTILINE)


class BadArguments(Exception):
    """Arguments that do not fit a tool; the message names each of them."""


@dataclass(frozen=True)
class Tool:
    """One tool: a method whose docstring has a description and a section `Args:` with one entry per parameter."""

    name: str
    function: Callable[..., Any]

    @cached_property
    def description(self) -> str:
        return _unwrapped(_sections(self.function)[0])

    @cached_property
    def model(self) -> type[BaseModel]:
        """The arguments as a model. An undocumented or untyped parameter is an error of ours."""
        hints = typing.get_type_hints(self.function)
        texts = dict(_ENTRY.findall(_sections(self.function)[1]))
        fields: dict[str, Any] = {}
        for name, parameter in list(inspect.signature(self.function).parameters.items())[1:]:
            assert name in texts and name in hints, f"tool {self.name}: parameter {name} has no type or no text"
            default = ... if parameter.default is parameter.empty else parameter.default
            fields[name] = (hints[name], Field(default, description=_unwrapped(texts[name])))
        return create_model(self.name, __config__=ConfigDict(extra="forbid"), **fields)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The tool in the form of OpenAI's `tools`."""
        parameters = _without_titles(self.model.model_json_schema())
        parameters = {"type": "object", "properties": {}, **parameters}
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": parameters},
        }

    def arguments(self, given: object) -> dict[str, Any]:
        """Checked arguments from an object or from JSON text; BadArguments for anything else."""
        try:
            value = authored.parse_json(given) if isinstance(given, str) else given
        except ValueError as error:
            raise BadArguments(f"the arguments of {self.name} are not JSON: {error}") from None
        problem = authored.refusal(value)
        if problem is not None:
            raise BadArguments(f"the arguments of {self.name} are refused: {problem}")
        if value is None or value == "":
            value = {}
        if not isinstance(value, dict):
            raise BadArguments(f"the arguments of {self.name} must be a JSON object, found {type(value).__name__}")
        try:
            model = self.model.model_validate(value)
        except ValidationError as error:
            problems = "; ".join(f"{_where(row)}: {row['msg']}" for row in error.errors(include_url=False))
            expected = ", ".join(self.model.model_fields) or "none"
            raise BadArguments(f"bad arguments of {self.name}: {problems} (its parameters: {expected})") from None
        return {name: getattr(model, name) for name in type(model).model_fields}


def _where(row: Any) -> str:
    return ".".join(str(part) for part in row["loc"]) or "arguments"


def _sections(function: Callable[..., Any]) -> tuple[str, str]:
    """Description and argument entries of a docstring."""
    text = inspect.getdoc(function) or ""
    description, _, rest = text.partition(found.group()) if (found := _ARGS.search(text)) else (text, "", "")
    cut = _SECTION.search(rest)
    described = _SECTION.split(description)[0]
    return described, rest[: cut.start()] if cut else rest


def _unwrapped(text: str) -> str:
    """Lines joined, paragraphs kept."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    return "\n".join(" ".join(part.split()) for part in paragraphs)


def _without_titles(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: {name: _without_titles(row) for name, row in item.items()}
            if key == "properties"
            else _without_titles(item)
            for key, item in value.items()
            if key != "title"
        }
    return [_without_titles(item) for item in value] if isinstance(value, list) else value
