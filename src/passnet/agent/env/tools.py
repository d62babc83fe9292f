"""Tools: a decorator declares each once.

Signature and docstring describe it, and arguments are checked against both.
"""

from __future__ import annotations

import functools
import inspect
import json
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model
from pydantic_core import ErrorDetails

from passnet import authored
from passnet.agent.env.files import FileError
from passnet.agent.record.figures import EvaluationReport
from passnet.agent.record.names import ExitReason
from passnet.agent.record.observation import Observation
from passnet.errors import InfrastructureError, PassNetError, UsageError

if TYPE_CHECKING:
    from passnet.agent.env.env import PassEnv

P = ParamSpec("P")
Q = ParamSpec("Q")
_ARGS = re.compile(r"^Args:\s*$", re.MULTILINE)
_SECTION = re.compile(r"^(Returns|Raises):\s*$", re.MULTILINE)
_ENTRY = re.compile(r"^    (\w+): (.*(?:\n {6,}.*)*)", re.MULTILINE)


class Effect(StrEnum):
    """The effect of a call. Only calls that edit or end can change anything that the author could lose."""

    READS = "reads"
    EDITS = "edits"
    MEASURES = "measures"
    ENDS = "ends"


class BadArguments(Exception):
    """Arguments that do not fit a tool. The message names each of them."""


@dataclass(frozen=True)
class ToolAnswer:
    """The answer of a tool. The environment makes an observation of it.

    `ok`: the tool could do its work. `counted`: it was a measurement of its own.
    """

    text: str
    data: Mapping[str, object] = field(default_factory=dict)
    ok: bool = True
    score: float | None = None
    counted: bool = False
    ends: ExitReason | None = None
    evaluation: EvaluationReport | None = None


def _no_truth_value(value: object) -> object:
    """The value. ValueError for true and false, which Python takes for 1 and 0."""
    if isinstance(value, bool):
        raise ValueError("Input should be a valid integer")
    return value


def _number_as_text(value: object) -> object:
    return str(value) if type(value) is int else value


# A variant of a task by its name or its number.
VariantName = Annotated[str, BeforeValidator(_number_as_text)]


@dataclass(frozen=True)
class Tool:
    """One tool: a method whose docstring has a description and a section `Args:` with one entry per parameter.

    `overwrites`: it may remove earlier content.
    """

    function: Callable[..., Any]
    effect: Effect
    overwrites: bool = False

    @property
    def name(self) -> str:
        return self.function.__name__

    @cached_property
    def description(self) -> str:
        return _unwrapped(_sections(self.function)[0])

    @cached_property
    def model(self) -> type[BaseModel]:
        """The arguments as a model. An undocumented or untyped parameter is an error of passnet."""
        hints = typing.get_type_hints(self.function, include_extras=True)
        texts = dict(_ENTRY.findall(_sections(self.function)[1]))
        fields: dict[str, Any] = {}
        for name, parameter in list(inspect.signature(self.function).parameters.items())[1:]:
            assert name in texts and name in hints, f"tool {self.name}: parameter {name} has no type or no text"
            default = ... if parameter.default is parameter.empty else parameter.default
            kind = Annotated[int, BeforeValidator(_no_truth_value)] if hints[name] is int else hints[name]
            fields[name] = (kind, Field(default, description=_unwrapped(texts[name])))
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

    def arguments(self, given: object) -> dict[str, object]:
        """Checked arguments from an object or from JSON text. Raises BadArguments for anything else."""
        try:
            value: object = authored.parse_json(given) if isinstance(given, str) else given
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
        return dict(model)

    def bound(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> dict[str, object]:
        """Arguments of a call by name, defaults filled in."""
        bound = inspect.signature(self.function).bind(None, *args, **kwargs)
        bound.apply_defaults()
        return dict(list(bound.arguments.items())[1:])


DECLARED: dict[str, Tool] = {}
"""The tools by name, in the order in which they are declared. `env.TOOLS` is complete; this fills up as `env` loads."""


def tool(
    effect: Effect, *, overwrites: bool = False
) -> Callable[[Callable[Concatenate[PassEnv, P], ToolAnswer]], Callable[Concatenate[PassEnv, P], Observation]]:
    """Declares a method as a tool. Every call of it is a step, which is recorded and answered by an observation."""

    def declare(
        function: Callable[Concatenate[PassEnv, P], ToolAnswer],
    ) -> Callable[Concatenate[PassEnv, P], Observation]:
        declared = Tool(function, effect, overwrites)
        DECLARED[declared.name] = declared

        @functools.wraps(function)
        def recorded(self: PassEnv, /, *args: P.args, **kwargs: P.kwargs) -> Observation:
            arguments, began = declared.bound(args, kwargs), self.state.begin_step()
            answer = answered(function, self, *args, **kwargs)
            return self.state.end_step(declared.name, arguments, answer, began)

        return recorded

    return declare


def answered(function: Callable[Q, ToolAnswer], *args: Q.args, **kwargs: Q.kwargs) -> ToolAnswer:
    """The answer of a tool, or the problem with its arguments. An InfrastructureError goes to the caller."""
    try:
        return function(*args, **kwargs)
    except InfrastructureError:
        raise
    except (FileError, UsageError) as error:
        return ToolAnswer(str(error), ok=False)
    except PassNetError as error:  # a part of passnet could not work with its input
        return ToolAnswer(f"{type(error).__name__}: {error}", ok=False)


def as_written(raw: object) -> str:
    """The text in place of a call, as far as it can be recorded."""
    if isinstance(raw, str):
        return authored.as_text(raw)
    problem = authored.refusal(raw)
    return json.dumps(raw) if problem is None else f"<{problem}>"


def _where(row: ErrorDetails) -> str:
    return ".".join(str(part) for part in row["loc"]) or "arguments"


def _sections(function: Callable[..., object]) -> tuple[str, str]:
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


def _without_titles(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without the titles that pydantic makes of names. A parameter may still be called `title`."""
    found = {key: value for key, value in schema.items() if key != "title"}
    if "properties" in found:
        found["properties"] = {name: _without_titles(row) for name, row in found["properties"].items()}
    return found
