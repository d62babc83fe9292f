"""Whatever an author calls with whatever arguments is a step of the episode, on record, and raises nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passnet.agent.authors.model.text_calls import text_calls
from passnet.agent.env.env import TOOLS, PassEnv
from passnet.agent.record.records import EpisodeRecord
from tests.agent.agent_helpers import MANIFEST
from tests.hostile_texts import TEXTS

_WORDS = (
    "9" * 5000,
    "\ud800",
    "\0",
    "a\0b",
    "[" * 50_000,
    "../x",
    "\u0663",
    "²",
    "-1",
    "0 ",
    "x" * 300_000,
    "\x1b[31m",
)
_VALUES = (*_WORDS, 10**5000, -(10**5000), 2**70, 1e308, float("nan"), None, True, b"x", [], {}, ["x"] * 9, object())
_CIRCULAR: list[object] = []
_CIRCULAR.append(_CIRCULAR)
_RAW = (*_VALUES, _CIRCULAR, {"path": _CIRCULAR}, {1: 2}, {"\ud800": 1}, '{"path": "\\ud800"}', '{"path": NaN}')


@pytest.fixture
def env(make_env: Callable[..., PassEnv], task: Path) -> tuple[PassEnv, list[EpisodeRecord]]:
    kept: list[EpisodeRecord] = []

    def sink(record: EpisodeRecord) -> None:
        record.model_dump_json()
        kept.append(record)

    made = make_env(sink=sink)
    made.reset(task)
    made.state.budget = made.state.budget.model_copy(update=dict.fromkeys(type(made.budget).model_fields))
    return made, kept


@pytest.mark.parametrize("tool", [name for name in TOOLS if name not in {"check", "submit"}])
def test_no_argument_of_a_tool_raises(tool: str, env: tuple[PassEnv, list[EpisodeRecord]]) -> None:
    made, kept = env
    parameters = TOOLS[tool].model.model_fields
    made.call("create", {"path": "A.py", "text": "x = 1\n"})
    good = {name: {"path": "A.py", "text": "y", "old": "x", "new": "y", "line": 0}.get(name, "") for name in parameters}
    for name in parameters:
        for value in _VALUES:
            before = len(kept)
            seen = made.call(tool, good | {name: value})
            assert len(kept) == before + 1
            assert len(seen.text) < 60_000
    for raw in _RAW:
        made.call(tool, raw)
    for text in TEXTS.values():
        made.call(tool, text.decode("utf-8", "replace"))


def test_no_name_of_a_tool_raises(env: tuple[PassEnv, list[EpisodeRecord]]) -> None:
    made, _ = env
    for name in _RAW:
        assert not made.call(name, {}).ok
        assert not made.malformed("", "no call", raw=name).ok


def test_a_number_of_a_variant_is_one_that_there_is(env: tuple[PassEnv, list[EpisodeRecord]]) -> None:
    made, _ = env
    seen = made.call("inspect_graph", {"graph": "9" * 5000})
    assert not seen.ok
    assert "give a number from 0 to 1" in seen.text
    assert not made.call("inspect_graph", {"graph": "\u0661"}).ok


def test_what_a_model_says_is_on_record_whatever_it_is(env: tuple[PassEnv, list[EpisodeRecord]]) -> None:
    made, kept = env
    for number, text in enumerate(_WORDS, start=len(kept) + 1):
        made.message("assistant", text, deep=_CIRCULAR)
        assert len(kept) == number


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_files_are_written_and_judged_as_steps(name: str, env: tuple[PassEnv, list[EpisodeRecord]]) -> None:
    made, _ = env
    text = TEXTS[name].decode("utf-8", "replace")
    for path in ("A.py", MANIFEST):
        made.call("create", {"path": path, "text": text})
        made.call("view", {"path": path})


def test_a_pipe_in_the_directory_blocks_nothing(env: tuple[PassEnv, list[EpisodeRecord]]) -> None:
    made, _ = env
    os.mkfifo(made.state.folder.path / "pipe.py")
    assert not made.call("view", {"path": "pipe.py"}).ok
    seen = made.call("create", {"path": "pipe.py", "text": "x"})
    assert not seen.ok and "not a plain file" in seen.text
    assert "pipe.py" not in made.files()


@given(st.text(), st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.lists(inner), max_leaves=5))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_arguments_are_a_step(env: tuple[PassEnv, list[EpisodeRecord]], text: str, value: object) -> None:
    made, kept = env
    for arguments in (text, {"path": text}, {"path": value}, json.dumps({"path": text, "text": value})):
        before = len(kept)
        made.call("create", arguments)
        made.call("view", arguments)
        assert len(kept) == before + 2


@given(st.text() | st.sampled_from([text.decode("utf-8", "replace") for text in TEXTS.values()]))
@settings(max_examples=80, deadline=None)
def test_calls_in_plain_text_are_read_or_have_a_problem(text: str) -> None:
    for call in text_calls(f"```call\ncreate {text}\n```\n{text}"):
        assert call.problem is None or call.problem
