"""Episodes in the Agent Trajectory Interchange Format (ATIF 1.7), which viewers and trainers read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from passnet import __version__
from passnet.agent.record.exports.turns import SYSTEM, Turn, start_of, turns
from passnet.agent.record.records import End, EpisodeRecord, EpisodeStep, Message, Start

VERSION = "ATIF-v1.7"


def atif_document(records: Sequence[EpisodeRecord], session: str) -> dict[str, object]:
    """The trajectory of one episode. `session` names the run. Unknown fields are left out."""
    start = start_of(records)
    told = any(isinstance(record, Message) and record.role == "system" for record in records)
    steps: list[dict[str, object]] = (
        [] if told else [_said("system", SYSTEM, start.at), _said("user", start.opening, start.at)]
    )
    steps += [_step(turn) for turn in turns(records)]
    return _known(
        {
            "schema_version": VERSION,
            "session_id": session,
            "trajectory_id": f"{session}/{start.task}/{start.attempt}",
            "agent": _agent(start, records),
            "steps": [{"step_id": number, **step} for number, step in enumerate(steps, 1)],
            "final_metrics": _final(records, len(steps)),
            "extra": _extra(start, records),
        }
    )


def _agent(start: Start, records: Sequence[EpisodeRecord]) -> dict[str, object]:
    models = [record.extra.get("model") for record in records if isinstance(record, Message)]
    return _known(
        {
            "name": f"passnet-{start.author}",
            "version": __version__,
            "model_name": next((model for model in models if model), None),
            "tool_definitions": start.tools,
            "extra": {"settings": start.author_settings},
        }
    )


def _step(turn: Turn) -> dict[str, object]:
    message = turn.message
    at = message.at if message is not None else turn.steps[0].at
    source = "agent" if message is None or message.role == "assistant" else message.role
    # Calls without an earlier answer of a model are the author's own.
    row: dict[str, object] = _said(source, message.content if message is not None else "", at)
    calls = [step for step in turn.steps if step.tool]
    if source == "agent":
        row["llm_call_count"] = int(message is not None and (message.usage is not None or "model" in message.extra))
        row["metrics"] = _metrics(message)
        row["tool_calls"] = [_call(step) for step in calls] or None
    if turn.steps:
        row["observation"] = {"results": [_result(step, linked=source == "agent") for step in turn.steps]}
    return _known(row)


def _said(source: str, text: str, at: float) -> dict[str, object]:
    return {"timestamp": datetime.fromtimestamp(at, UTC).isoformat(), "source": source, "message": text}


def _call(step: EpisodeStep) -> dict[str, object]:
    extra = {"malformed": step.malformed} if step.malformed is not None else None
    return _known(
        {"tool_call_id": step.call_id, "function_name": step.tool, "arguments": step.arguments, "extra": extra}
    )


def _result(step: EpisodeStep, *, linked: bool) -> dict[str, object]:
    extra = {"ok": step.observation.ok, "score": step.observation.score, "files_hash": step.files_hash}
    call = step.call_id if linked and step.tool else None
    return _known({"source_call_id": call, "content": step.observation.text, "extra": _known(extra)})


def _metrics(message: Message | None) -> dict[str, object] | None:
    return None if message is None or message.usage is None else _known(message.usage.model_dump()) or None


def _final(records: Sequence[EpisodeRecord], steps: int) -> dict[str, object]:
    usages = [record.usage for record in records if isinstance(record, Message) and record.usage is not None]
    totals: dict[str, object] = {
        f"total_{name}": sum(values)
        for name in ("prompt_tokens", "completion_tokens", "cached_tokens")
        if (values := [value for usage in usages if (value := getattr(usage, name)) is not None])
    }
    costs = [usage.cost_usd for usage in usages]
    known = [cost for cost in costs if cost is not None]
    cost = sum(known) if len(known) == len(costs) else None
    return _known({**totals, "total_cost_usd": cost, "total_steps": steps})


def _extra(start: Start, records: Sequence[EpisodeRecord]) -> dict[str, object]:
    names = ("task", "task_hash", "attempt", "seed", "device", "protocol_hash", "policy")
    extra = {name: getattr(start, name) for name in names} | {"budget": start.budget.model_dump()}
    last = records[-1]
    if isinstance(last, End):
        extra |= last.model_dump(mode="json", include={"exit_reason", "score", "best_step", "pass_set_hash"})
    return extra


def _known(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}
