"""Reads an endpoint's answer: text, calls and tokens. Everything else about the answer is kept beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from passnet.agent.authors.model.endpoint import ModelReply, amount
from passnet.agent.authors.model.faults import garbled
from passnet.agent.authors.model.options import Price
from passnet.agent.record.budget import Usage

_NAMELESS = "unnamed"
# The calls of one answer that are made. Each is a step.
MOST_CALLS = 128
# More is a mistake of the endpoint. Records hold sums of it.
_MOST_TOKENS = 10**9


@dataclass(frozen=True)
class Answer:
    """A model's answer.

    `calls` are as the endpoint gave them, each with an id. `about` has the model, the reason for the end, and more.
    """

    text: str
    calls: tuple[dict[str, object], ...]
    usage: Usage
    about: dict[str, object] = field(default_factory=dict)


def read(reply: ModelReply, price: Price | None, taken: Collection[str]) -> Answer:
    """Read an answer. `taken` are ids that calls of the episode already have.

    Raises Fault when the answer has no message.
    """
    choice = reply.data["choices"][0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise garbled(reply.data)
    about = {
        "model": reply.data.get("model"),
        "finish_reason": choice.get("finish_reason"),
        "system_fingerprint": reply.data.get("system_fingerprint"),
        "reasoning": message.get("reasoning_content") or message.get("reasoning"),
        "refusal": message.get("refusal"),
    }
    return Answer(
        text=_text(message.get("content")),
        calls=_calls(message.get("tool_calls"), taken),
        usage=_usage(reply, price),
        about={name: value for name, value in about.items() if value},
    )


def _text(content: object) -> str:
    """Content as text. Some endpoints give a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _calls(found: object, taken: Collection[str]) -> tuple[dict[str, object], ...]:
    """The first calls in order.

    An id that is missing or used before gets a number, so that each answer finds its call.
    """
    calls: list[dict[str, object]] = []
    used, tried = set(taken), Counter[str]()
    for row in found if isinstance(found, list) else []:
        function = row.get("function") if isinstance(row, dict) else None
        if not isinstance(function, dict):
            continue
        name = _unused(str(row.get("id") or "call"), used, tried)
        used.add(name)
        whole = {"name": function.get("name") or _NAMELESS, "arguments": function.get("arguments") or ""}
        calls.append({**row, "id": name, "type": "function", "function": {**function, **whole}})
        if len(calls) == MOST_CALLS:
            break
    return tuple(calls)


def _unused(name: str, used: Collection[str], tried: Counter[str]) -> str:
    """The id with a number where it is in use. `tried`: the last number of each id."""
    free = name
    while free in used or free == "call":
        tried[name] += 1
        free = f"{name}-{tried[name]}"
    return free


def _usage(reply: ModelReply, price: Price | None) -> Usage:
    """Tokens as the endpoint counts them, and their cost.

    The cost is by the given price if there is one. Otherwise it is the cost of the endpoint or the library, or None.
    """
    found = reply.data.get("usage")
    told: Mapping[str, object] = found if isinstance(found, dict) else {}
    details = told.get("prompt_tokens_details")
    usage = Usage(
        prompt_tokens=_count(told.get("prompt_tokens")),
        completion_tokens=_count(told.get("completion_tokens")),
        cached_tokens=_count(details.get("cached_tokens")) if isinstance(details, dict) else None,
    )
    cost = price.cost_usd(usage) if price is not None else amount(told.get("cost"))
    return usage.model_copy(update={"cost_usd": reply.cost_usd if cost is None and price is None else cost})


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value <= _MOST_TOKENS else None
