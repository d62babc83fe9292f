"""Episodes as OpenAI chat messages with tools, one JSON object a line, as trainers read them."""

from __future__ import annotations

from collections.abc import Sequence

from passnet.agent.record.exports.turns import SYSTEM, Turn, start_of, turns
from passnet.agent.record.records import End, EpisodeRecord, EpisodeStep, Message


def messages_document(records: Sequence[EpisodeRecord]) -> dict[str, object]:
    """`messages` and `tools` of one episode. `metadata` has the data for a choice among episodes."""
    start = start_of(records)
    last = records[-1]
    end = last if isinstance(last, End) else None
    told = any(isinstance(record, Message) and record.role == "system" for record in records)
    history: list[dict[str, object]] = [] if told else [_text("system", SYSTEM), _text("user", start.opening)]
    for turn in turns(records):
        history += _turn(turn)
    return {
        "messages": history,
        "tools": start.tools,
        "metadata": {
            "task": start.task,
            "task_hash": start.task_hash,
            "attempt": start.attempt,
            "author": start.author,
            "device": start.device,
            "protocol_hash": start.protocol_hash,
            "pass_set_hash": end.pass_set_hash if end is not None else None,
            "AS": end.score if end is not None else None,
            "exit_reason": end.exit_reason.value if end is not None else None,
        },
    }


def _turn(turn: Turn) -> list[dict[str, object]]:
    message = turn.message
    if message is not None and message.role != "assistant":
        return [_text(message.role, message.content), *[row for step in turn.steps for row in _acted(None, [step])]]
    return _acted(message, turn.steps)


def _acted(message: Message | None, steps: Sequence[EpisodeStep]) -> list[dict[str, object]]:
    """An assistant's message with its calls, then the answers.

    After an answer without a call, the model is told its problem.
    """
    calls = [step for step in steps if step.tool]
    rows: list[dict[str, object]] = [_text("assistant", message.content if message is not None else "")]
    if calls:
        rows[0]["tool_calls"] = [_call(step) for step in calls]
    rows += [{"role": "tool", "tool_call_id": s.call_id, "content": s.observation.text} for s in calls]
    return rows + [_text("user", step.observation.text) for step in steps if not step.tool]


def _call(step: EpisodeStep) -> dict[str, object]:
    """A call. Its arguments are an object, since chat templates encode them; of a malformed call the text is kept."""
    function: dict[str, object] = {"name": step.tool, "arguments": step.arguments if step.malformed is None else {}}
    if step.malformed is not None:
        function["malformed"] = step.malformed
    return {"id": step.call_id, "type": "function", "function": function}


def _text(role: str, content: str) -> dict[str, object]:
    return {"role": role, "content": content}
