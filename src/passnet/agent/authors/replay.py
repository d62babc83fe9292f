"""The replay author: plays the calls of a recorded episode, or of a list of actions written by hand."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from passnet import authored
from passnet.agent.record.budget import Usage
from passnet.agent.record.journal import read_episode
from passnet.agent.record.names import ExitReason
from passnet.agent.record.records import EpisodeRecord, EpisodeStep, Message
from passnet.errors import UsageError

if TYPE_CHECKING:
    from passnet.agent.env.env import PassEnv


class ReplayedCall(BaseModel):
    """Call a tool. `arguments` may be anything, so malformed calls can be played too."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: str
    arguments: object = None
    call_id: str | None = None


class Say(BaseModel):
    """A message that a model sent or received, with its tokens, cost and time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    say: str
    role: Literal["system", "user", "assistant"] = "assistant"
    usage: Usage | None = None
    extra: dict[str, object] = {}


class Malformed(BaseModel):
    """An answer without a proper call."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    malformed: str
    reason: str = "no tool call in the answer"
    tool: str = ""
    call_id: str | None = None


class Wait(BaseModel):
    """Let time pass."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    wait_s: float


class Stop(BaseModel):
    """Stop playing for a reason."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stop: ExitReason


class Fail(BaseModel):
    """Fail as an author with a fault would."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fail: str


Action = ReplayedCall | Say | Malformed | Wait | Stop | Fail
_ACTIONS: TypeAdapter[list[Action]] = TypeAdapter(list[Action])


class ReplayAuthor:
    """Plays actions in order, and goes on where it was stopped.

    The actions are the same for every task, unless they are given by task.
    """

    name = "replay"
    default_steps = 0
    concurrent = True
    resumes = True

    def __init__(self, actions: Sequence[Action] | dict[str, Sequence[Action]], source: str = "") -> None:
        self.actions, self.source = actions, source

    @classmethod
    def from_file(cls, path: Path) -> ReplayAuthor:
        """Read `episode.jsonl` or JSON. The JSON is a list of actions, or an object with a list for each task."""
        if path.suffix == ".jsonl":
            return cls(actions_of(read_episode(path)), _digest(path))
        try:
            found = authored.parse_json(authored.read_bytes(path))
            if isinstance(found, dict):
                return cls({task: _ACTIONS.validate_python(rows) for task, rows in found.items()}, _digest(path))
            return cls(_ACTIONS.validate_python(found), _digest(path))
        except OSError as error:
            raise UsageError(f"cannot be read: {error.strerror}", path=path, expected="actions to replay") from error
        except ValidationError as error:
            where = ".".join(str(part) for part in error.errors()[0]["loc"])
            raise UsageError("not a list of actions", path=path, field=where, hint=_FORM) from error
        except ValueError as error:
            raise UsageError(f"not JSON: {error}", path=path) from error

    def settings(self) -> dict[str, object]:
        return {"actions": self.source}

    def play(self, env: PassEnv) -> ExitReason | None:
        actions = self.actions.get(env.task.name, ()) if isinstance(self.actions, dict) else self.actions
        before = sum(isinstance(record, EpisodeStep | Message) for record in env.records)
        # Only actions that leave a record show how far an interrupted episode came.
        left = [action for action in actions if not isinstance(action, Wait)] if before else list(actions)
        for action in left[before:]:
            reason = _act(env, action)
            if reason is not None or env.done:
                return reason
        return None


def _act(env: PassEnv, action: Action) -> ExitReason | None:
    match action:
        case ReplayedCall():
            env.call(action.tool, action.arguments, action.call_id)
        case Say():
            env.message(action.role, action.say, action.usage, **action.extra)
        case Malformed():
            env.malformed(action.tool, action.reason, action.call_id, action.malformed)
        case Wait():
            time.sleep(action.wait_s)
        case Stop():
            return action.stop
        case Fail():
            raise RuntimeError(action.fail)
    return None


def actions_of(records: Sequence[EpisodeRecord]) -> list[Action]:
    """The actions of a recorded episode, ready to be played again."""
    actions: list[Action] = []
    for record in records:
        if isinstance(record, Message):
            actions.append(Say(say=record.content, role=record.role, usage=record.usage, extra=record.extra))
        elif isinstance(record, EpisodeStep) and record.malformed is not None:
            reason = record.observation.text
            actions.append(Malformed(malformed=record.malformed, reason=reason, tool=record.tool, call_id=_id(record)))
        elif isinstance(record, EpisodeStep):
            actions.append(ReplayedCall(tool=record.tool, arguments=record.arguments, call_id=_id(record)))
    return actions


def _id(step: EpisodeStep) -> str | None:
    """The model's own id of the call. None for a call by a program."""
    return step.call_id if step.said and step.tool else None


def _digest(path: Path) -> str:
    with authored.opened(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_FORM = 'each is one of {"tool", "arguments"}, {"say"}, {"malformed"}, {"wait_s"}, {"stop"}'
