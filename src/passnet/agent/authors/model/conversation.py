"""The conversation of an episode, made of its records alone: what is sent, what is still to be done, when to give up.

It is linear: a request has everything that was said before, word by word, and only grows. Nothing is left out of a
long one. Leaving out early results would spoil the endpoint's cache of the beginning, and the record, which is trained
on, would show answers to a conversation that was never held; so an episode whose window is full ends, with the best it
has.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from passnet import authored
from passnet.agent.authors.model import prompts
from passnet.agent.authors.model.text_calls import text_calls
from passnet.agent.record.exports.turns import Turn, turns
from passnet.agent.record.records import EpisodeRecord, EpisodeStep, Message, steps_of

TEXT, TOOLS = "text", "tools"
# Characters of English or code that make a token at the least: an estimate that rather counts too many.
_CHARACTERS = 3.0


@dataclass(frozen=True)
class ToolCall:
    """A call still to be made. `problem`: it is none, for this reason; `raw`: as it was written."""

    tool: str
    arguments: object = None
    call_id: str | None = None
    problem: str | None = None
    raw: str = ""


class Conversation:
    """A view of an episode's records; ask for a new one after anything was recorded."""

    def __init__(self, records: Sequence[EpisodeRecord]) -> None:
        self._turns = [turn for turn in turns(records) if turn.message is not None]
        self._steps = steps_of(list(records))
        self._said = [m for turn in self._turns if (m := turn.message) is not None]

    @property
    def said(self) -> int:
        """How many messages there are, whoever said them."""
        return len(self._said)

    @property
    def answered(self) -> bool:
        """The endpoint has answered in this episode."""
        return any(message.role == "assistant" for message in self._said)

    @property
    def text_tools(self) -> bool:
        """Calls are written as text, from the beginning or since the endpoint refused tools."""
        return any(message.extra.get("format") == TEXT for message in self._said)

    @property
    def call_ids(self) -> set[str]:
        return {str(call["id"]) for message in self._said for call in message.extra.get("calls", ())}

    # --- what is sent ----------------------------------------------------------------------------------------

    def messages(self) -> list[dict[str, object]]:
        """In OpenAI's form. Neighbours of the user's role are joined, since many models take turns strictly."""
        rows: list[dict[str, object]] = []
        for row in (row for turn in self._turns for row in _rows(turn)):
            if rows and row["role"] == rows[-1]["role"] == "user":
                rows[-1] = {"role": "user", "content": f"{rows[-1]['content']}\n\n{row['content']}"}
            else:
                rows.append(row)
        return rows

    def expected_tokens(self) -> int:
        """About how long the next request is: what the last one was, as the endpoint counts, and what came since."""
        known, since = 0, 0
        for turn in self._turns:
            message = turn.message
            usage = message.usage if message is not None else None
            if usage is not None and usage.prompt_tokens is not None:
                known, since = usage.tokens, 0
            elif message is not None:
                since += len(message.content) + len(json.dumps(message.extra.get("calls", ())))
            since += sum(len(step.observation.text) for step in turn.steps)
        return known + int(since / _CHARACTERS)

    # --- what is to be done ----------------------------------------------------------------------------------

    def pending(self) -> list[ToolCall]:
        """Calls of the last answer that were not made yet; an answer without any is one call with a problem."""
        last = self._turns[-1] if self._turns else None
        if last is None or last.message is None or last.message.role != "assistant":
            return []
        asked = _asked(last.message)
        return asked[len(last.steps) :]

    def without_call(self) -> int:
        """How many answers in a row, up to the last, had no call in them."""
        count = 0
        for turn in reversed(self._turns):
            if turn.message is not None and turn.message.role == "assistant":
                if any(call.tool for call in _asked(turn.message)):
                    break
                count += 1
        return count

    def idle(self) -> int:
        """How many steps in a row, up to the last, did what an earlier step had done with the same files."""
        seen: set[str] = set()
        count = 0
        for step in self._steps:
            key = _key(step)
            count = count + 1 if key in seen else 0
            seen.add(key)
        return count

    def told_of_loop(self) -> bool:
        """The model was told since its last new step that it repeats itself."""
        idle = self.idle()
        first = self._steps[-idle] if idle else None
        return any(
            message.extra.get("about") == "loop" and (first is None or message.at >= first.at) for message in self._said
        )


def _asked(message: Message) -> list[ToolCall]:
    if message.extra.get("format") == TEXT:
        found = [
            ToolCall(call.tool, call.arguments, None, call.problem, call.raw) for call in text_calls(message.content)
        ]
    else:
        found = [
            ToolCall(call["function"]["name"], call["function"]["arguments"], call["id"])
            for call in message.extra.get("calls", ())
        ]
    return found or [_none(message)]


def _none(message: Message) -> ToolCall:
    """What is said of an answer without a call."""
    text = prompts.render(
        "no_call",
        text_tools=message.extra.get("format") == TEXT,
        cut_off=message.extra.get("finish_reason") == "length",
    )
    return ToolCall("", problem=text, raw=message.content)


def _key(step: EpisodeStep) -> str:
    asked = step.malformed if step.malformed is not None else json.dumps(step.arguments, sort_keys=True)
    return f"{step.tool}\0{asked}\0{step.files_hash}"


def _rows(turn: Turn) -> Iterator[dict[str, object]]:
    message = turn.message
    assert message is not None, "the calls of a model follow from what it said"
    if message.role != "assistant":
        yield {"role": message.role, "content": message.content}
    elif message.extra.get("format") == TEXT:
        yield {"role": "assistant", "content": message.content or "(nothing)"}
        if turn.steps:
            rows = [(step.tool, step.observation.text) for step in turn.steps]
            yield {"role": "user", "content": prompts.render("results", results=rows)}
    else:
        yield from _with_tools(message, turn.steps)


def _with_tools(message: Message, steps: Sequence[EpisodeStep]) -> Iterator[dict[str, object]]:
    calls = message.extra.get("calls", ())
    if not calls:
        yield {"role": "assistant", "content": message.content or "(nothing)"}
        for step in steps:
            yield {"role": "user", "content": step.observation.text}
        return
    yield {"role": "assistant", "content": message.content or None, "tool_calls": [_sendable(call) for call in calls]}
    for call, step in zip(calls, steps, strict=False):
        yield {"role": "tool", "tool_call_id": call["id"], "content": step.observation.text}


def _sendable(call: dict[str, Any]) -> dict[str, object]:
    """The call as it was made. Arguments that are no JSON object stop many endpoints, so those are sent within one."""
    arguments = call["function"]["arguments"]
    if isinstance(arguments, dict):
        text = json.dumps(arguments)
    elif _is_object(arguments):
        text = arguments
    else:
        text = json.dumps({"malformed": arguments}) if arguments else "{}"
    return {**call, "function": {**call["function"], "arguments": text}}


def _is_object(text: object) -> bool:
    try:
        return isinstance(text, str) and isinstance(authored.parse_json(text), dict)
    except ValueError:
        return False
