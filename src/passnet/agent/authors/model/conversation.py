"""The conversation of an episode, made of its records alone. It says what to send, what to do, and when to give up.

The conversation is linear. A request has everything that was said before, word by word, and only grows. Nothing is left
out of a long conversation. Leaving out early results would spoil the endpoint's cache of the beginning. It would also
spoil the record, which is used for training. The record would show answers to a conversation that never happened. So an
episode whose window is full ends with its best pass set.
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
# The fewest characters of English or code in one token. The estimate tends to count too many tokens.
_CHARACTERS = 3.0


@dataclass(frozen=True)
class ToolCall:
    """A call that is still to be made.

    `problem` is the reason why it is no call. `raw` is its text as it was written.
    """

    tool: str
    arguments: object = None
    call_id: str | None = None
    problem: str | None = None
    raw: str = ""


class Conversation:
    """A view of an episode's records. Make a new one after each new record."""

    def __init__(self, records: Sequence[EpisodeRecord]) -> None:
        self._turns = [turn for turn in turns(records) if turn.message is not None]
        self._steps = steps_of(list(records))
        self._said = [m for turn in self._turns if (m := turn.message) is not None]

    @property
    def said(self) -> int:
        """The number of all messages."""
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
        """The messages in OpenAI's form.

        Neighbouring messages of the user's role are joined, because many models require strict turns.
        """
        rows: list[dict[str, object]] = []
        for row in (row for turn in self._turns for row in _rows(turn)):
            if rows and row["role"] == rows[-1]["role"] == "user":
                rows[-1] = {"role": "user", "content": f"{rows[-1]['content']}\n\n{row['content']}"}
            else:
                rows.append(row)
        return rows

    def expected_tokens(self) -> int:
        """The estimated tokens of the next request.

        They are the tokens of the last request, as the endpoint counts, and an estimate of what came since.
        """
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
        """Calls of the last answer that were not made yet. An answer without any call is one call with a problem."""
        last = self._turns[-1] if self._turns else None
        if last is None or last.message is None or last.message.role != "assistant":
            return []
        asked = _asked(last.message)
        return asked[len(last.steps) :]

    def without_call(self) -> int:
        """The number of answers in a row, up to the last, that had no call."""
        count = 0
        for turn in reversed(self._turns):
            if turn.message is not None and turn.message.role == "assistant":
                if any(call.tool for call in _asked(turn.message)):
                    break
                count += 1
        return count

    def idle(self) -> int:
        """The number of steps in a row, up to the last, that repeated an earlier step with the same files."""
        seen: set[str] = set()
        count = 0
        for step in self._steps:
            key = _key(step)
            count = count + 1 if key in seen else 0
            seen.add(key)
        return count

    def told_of_loop(self) -> bool:
        """The model was told that it repeats itself, and has made no new step since."""
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
    """The text that the model is told after an answer without a call."""
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
    """The call as it was made.

    Arguments that are no JSON object stop many endpoints, so such arguments are put into an object.
    """
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
