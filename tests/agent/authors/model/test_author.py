"""The model author against an endpoint on loopback: what it sends, what it does with answers, what it records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from passnet.agent.authors.base import GivesUp, Unusable
from passnet.agent.authors.model import prompts
from passnet.agent.authors.model.author import ModelAuthor
from passnet.agent.authors.registry import make_author
from passnet.agent.authors.replay import ReplayAuthor, actions_of
from passnet.agent.env.env import TOOLS, EpisodeOver, PassEnv
from passnet.agent.record.budget import Budget
from passnet.agent.record.exports.atif import atif_document
from passnet.agent.record.exports.messages import messages_document
from passnet.agent.record.names import ExitReason
from passnet.agent.record.records import Message, steps_of
from passnet.errors import UsageError
from tests.agent.agent_helpers import MANIFEST, rule, substance
from tests.agent.model_server import KEY, ModelServer, Status, calls, free_url, says

pytest.importorskip("openai", reason="the openai package is not installed")
Play = Callable[..., PassEnv]


def wrote(speed: float | str) -> dict[str, Any]:
    """An answer that writes a pass set and evaluates it: three calls at once."""
    return calls(
        ("create", {"path": "A.py", "text": rule(speed)}),
        ("create", {"path": MANIFEST, "text": '["A"]'}),
        ("evaluate", {}),
        text=f"I try {speed}.",
    )


SUBMITS = calls(("submit", {}))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(SUBMITS) as one:
        yield one


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def author_of(server: ModelServer, **options: Any) -> ModelAuthor:
    made = make_author("openai:scripted", {"base_url": server.url, **options})
    assert isinstance(made, ModelAuthor)
    made._sleep = lambda seconds: None
    return made


@pytest.fixture
def play(server: ModelServer, make_env: Callable[..., PassEnv], task: Path) -> Play:
    """Play one episode by a script; the environment, closed, with the reason in its last record."""

    def play(*script: Any, options: dict | None = None, env: PassEnv | None = None, **fields: Any) -> PassEnv:
        if script:
            server.script = list(script)
        author = author_of(server, **(options or {}))
        if env is None:
            env = make_env(author=author.name, author_settings=author.settings(), **fields)
            env.reset(task)
        finish(author, env)
        return env

    return play


def finish(author: ModelAuthor, env: PassEnv) -> None:
    """As the runner does it."""
    try:
        reason, detail = author.play(env), None
    except GivesUp as end:
        reason, detail = end.reason, end.detail
    except EpisodeOver as over:
        reason, detail = over.reason, None
    env.state.close(env.state.exit_reason or reason or ExitReason.AUTHOR_STOPPED, detail)


def answers(env: PassEnv) -> list[Message]:
    return [record for record in env.records if isinstance(record, Message) and record.role == "assistant"]


# --- an improving episode ----------------------------------------------------------------------------------------


def test_an_episode_from_the_first_look_to_the_best(play: Play, server: ModelServer) -> None:
    env = play(calls(("inspect_graph", {}), text="I look."), wrote(0.8), wrote("accuracy"), wrote(1.5), SUBMITS)
    assert [step.tool for step in steps_of(env.records)] == [
        "inspect_graph",
        *["create", "create", "evaluate"] * 3,
        "submit",
    ]
    assert env.best is not None
    assert env.best.score == pytest.approx(1.5)
    assert env.records[-1].exit_reason is ExitReason.SUBMITTED
    assert (env.used.tokens, env.used.steps) == (550, 11)


def test_what_is_sent_grows_by_what_was_said_and_nothing_else(play: Play, server: ModelServer) -> None:
    play(calls(("inspect_graph", {}), text="I look."), wrote(0.8), wrote(1.5), SUBMITS)
    for before, after in zip(server.asked, server.asked[1:], strict=False):
        assert after["messages"][: len(before["messages"])] == before["messages"]
        assert after["tools"] == before["tools"]
    last = server.asked[-1]["messages"]
    assert [row["role"] for row in last[:4]] == ["system", "user", "assistant", "tool"]
    assert last[2]["content"] == "I look."
    for at, row in enumerate(last):
        asked = [call["id"] for call in row.get("tool_calls", [])]
        assert [one["tool_call_id"] for one in last[at + 1 : at + 1 + len(asked)]] == asked


def test_the_request_has_model_tools_temperature_seed_and_key(play: Play, server: ModelServer) -> None:
    env = play(
        SUBMITS, calls(("view", {})), options={"body": {"top_p": 0.5, "max_tokens": 64}}, budget=Budget(steps=2), seed=7
    )
    body = server.asked[0]
    assert (body["model"], body["temperature"], body["seed"]) == ("scripted", 0.0, 7)
    assert (body["top_p"], body["max_tokens"]) == (0.5, 64)
    assert body["tools"] == [tool.schema for tool in TOOLS.values()]
    assert server.paths[0] == "/v1/chat/completions"
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert "Task bloom_gelu" in body["messages"][1]["content"]
    said = answers(env)[0]
    drawn = {"format": "tools", "temperature": 0.0, "seed": 7}
    assert said.extra == drawn | {
        "model": "scripted-1",
        "finish_reason": "tool_calls",
        "calls": SUBMITS["choices"][0]["message"]["tool_calls"],
    }


def test_fields_that_an_endpoint_refuses_are_left_out_and_not_recorded(play: Play, server: ModelServer) -> None:
    env = play(SUBMITS, calls(("view", {})), options={"omit": ["seed", "temperature"]}, budget=Budget(steps=1))
    assert not {"seed", "temperature"} & server.asked[0].keys()
    assert not {"seed", "temperature"} & answers(env)[0].extra.keys()


def test_the_key_is_in_no_record(play: Play, server: ModelServer) -> None:
    refused = Status(400, f"you sent {KEY}, and that is bad")
    env = play(wrote(1.2), refused)
    assert env.records[-1].exit_reason is ExitReason.ENDPOINT
    assert "you sent ..., and that is bad" in env.records[-1].detail
    text = "".join(record.model_dump_json() for record in env.records)
    assert KEY not in text


# --- answers of every kind ---------------------------------------------------------------------------------------


def test_ids_that_repeat_or_are_missing_are_told_apart(play: Play, server: ModelServer) -> None:
    env = play(
        calls(("view", {}), ("check", {}), ids=["", ""]),
        calls(("view", {}), ids=["x"]),
        calls(("check", {}), ids=["x"]),
        SUBMITS,
        budget=Budget(steps=5),
    )
    made = [step.call_id for step in steps_of(env.records)]
    assert len(set(made)) == len(made)
    assert "x" in made
    rows = [row for row in server.asked[-1]["messages"] if row["role"] == "tool"]
    assert [row["tool_call_id"] for row in rows] == made[: len(rows)]


def test_what_an_endpoint_adds_to_its_calls_is_sent_back(play: Play, server: ModelServer) -> None:
    answer = calls(("view", {}))
    answer["choices"][0]["message"]["tool_calls"][0]["extra_content"] = {"signature": "abc"}
    play(answer, SUBMITS, budget=Budget(steps=2))
    assert server.asked[1]["messages"][2]["tool_calls"][0]["extra_content"] == {"signature": "abc"}


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (("create", '{"path": "A.py", "text": "import'), "not JSON"),
        (("create", "[1]"), "must be a JSON object"),
        (("create", {"path": "A.py"}), "text: Field required"),
        (("evaluate", {"quick": "perhaps", "more": 1}), "more: Extra inputs"),
        (("run_shell", {"command": "ls"}), "no tool 'run_shell'; there are: view"),
        (("", {}), "no tool 'unnamed'"),
    ],
    ids=["json", "list", "missing", "extra", "unknown", "nameless"],
)
def test_a_malformed_call_is_a_step_with_a_clear_answer(
    play: Play, server: ModelServer, made: tuple, told: str
) -> None:
    env = play(calls(made), wrote(1.5), SUBMITS)
    first = steps_of(env.records)[0]
    assert not first.observation.ok
    assert told in first.observation.text
    assert env.records[-1].exit_reason is ExitReason.SUBMITTED
    row = server.asked[1]["messages"][2]["tool_calls"][0]
    assert isinstance(json.loads(row["function"]["arguments"]), dict)
    assert first.malformed in (made[1], json.dumps(made[1]))


def test_a_model_that_calls_nothing_is_told_three_times_and_then_given_up(play: Play, server: ModelServer) -> None:
    env = play(wrote(1.3), says("I think about it."))
    end = env.records[-1]
    assert end.exit_reason is ExitReason.NO_TOOL_CALL
    assert "4 answers in a row without a tool call; if it writes calls as text, use --text-tools" in end.detail
    assert end.score == pytest.approx(1.3)
    assert len(server.asked) == 5
    last = server.asked[-1]["messages"]
    assert [row["role"] for row in last[-4:]] == ["assistant", "user", "assistant", "user"]
    assert "no tool call in your answer" in last[-1]["content"]


def test_an_answer_with_a_call_starts_the_count_anew(play: Play) -> None:
    silent = [says("Hm."), says("Hm."), says("Hm.")]
    env = play(*silent, calls(("view", {})), *silent, wrote(1.1), SUBMITS)
    assert env.records[-1].exit_reason is ExitReason.SUBMITTED


def test_an_answer_that_was_cut_off_is_told_so(play: Play, server: ModelServer) -> None:
    play(says("I will", finish="length"), SUBMITS, budget=Budget(steps=2))
    assert "cut off at its limit" in server.asked[1]["messages"][-1]["content"]


def test_an_empty_answer_can_be_sent_back(play: Play, server: ModelServer) -> None:
    play(says(""), SUBMITS, budget=Budget(steps=2))
    assert server.asked[1]["messages"][2] == {"role": "assistant", "content": "(nothing)"}


def test_a_model_that_does_the_same_for_ever_is_told_and_then_stopped(play: Play, server: ModelServer) -> None:
    env = play(wrote(1.3), calls(("view", {"path": "A.py"})), budget=Budget(steps=50))
    end = env.records[-1]
    assert end.exit_reason is ExitReason.LOOP
    assert end.score == pytest.approx(1.3)
    assert env.used.steps == 3 + 1 + 10
    told = [record for record in env.records if isinstance(record, Message) and record.extra.get("about") == "loop"]
    assert len(told) == 1
    assert "repeat what you did before" in told[0].content


def test_a_cycle_of_calls_is_a_loop_too_but_new_edits_are_none(play: Play) -> None:
    cycle = [calls(("view", {"path": "A.py"})), calls(("inspect_graph", {})), calls(("check", {}))] * 9
    assert play(wrote(1.3), *cycle).records[-1].exit_reason is ExitReason.LOOP
    edits = [answer for n in range(12) for answer in (wrote(1 + n / 100), calls(("check", {})))]
    assert play(*edits, SUBMITS, budget=Budget(steps=0)).records[-1].exit_reason is ExitReason.SUBMITTED


def test_calls_after_the_end_are_not_made(play: Play) -> None:
    env = play(wrote(1.2), calls(("submit", {}), ("view", {}), ("create", {"path": "B.py", "text": ""})))
    assert [step.tool for step in steps_of(env.records)][-1] == "submit"
    env = play(calls(*[("view", {})] * 9), budget=Budget(steps=4))
    assert env.records[-1].exit_reason is ExitReason.STEPS
    assert len(steps_of(env.records)) == 4


# --- budgets -----------------------------------------------------------------------------------------------------


def test_tokens_and_cost_are_counted_by_the_given_price(play: Play) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 400}}
    env = play({**wrote(1.4), "usage": usage}, {**SUBMITS, "usage": usage}, options={"price": "2,10,0.5"})
    cost = (600 * 2 + 400 * 0.5 + 100 * 10) / 1e6
    assert [answer.usage.cost_usd for answer in answers(env)] == [pytest.approx(cost)] * 2
    assert env.records[-1].used.cost_usd == pytest.approx(2 * cost)
    assert env.records[-1].used.tokens == 2200


def test_a_limit_of_cost_ends_the_episode_with_the_best(play: Play) -> None:
    usage = {"prompt_tokens": 1_000_000, "completion_tokens": 0}
    env = play(
        {**wrote(1.4), "usage": usage},
        calls(("view", {}), usage=usage),
        options={"price": "1,1"},
        budget=Budget(cost_usd=2),
    )
    assert env.records[-1].exit_reason is ExitReason.COST
    assert env.records[-1].score == pytest.approx(1.4)
    assert env.records[-1].used.cost_usd == pytest.approx(2.0)


def test_a_limit_of_tokens_ends_the_episode(play: Play) -> None:
    env = play(wrote(1.4), calls(("view", {})), budget=Budget(tokens=300))
    assert env.records[-1].exit_reason is ExitReason.TOKENS
    assert env.used.tokens == 330


def test_a_cost_that_nobody_tells_is_unknown_and_not_nothing(play: Play) -> None:
    env = play(wrote(1.4), SUBMITS)
    assert answers(env)[0].usage.cost_usd is None
    assert env.records[-1].used.cost_usd is None
    assert "total_cost_usd" not in atif_document(env.records, "run")["final_metrics"]


def test_a_cost_that_the_endpoint_tells_is_taken(play: Play) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 1, "cost": 0.25}
    env = play({**wrote(1.4), "usage": usage}, {**SUBMITS, "usage": usage})
    assert env.records[-1].used.cost_usd == pytest.approx(0.5)


def test_a_limit_that_cannot_be_kept_is_refused(play: Play, make_env: Callable, task: Path) -> None:
    with pytest.raises(Unusable, match=r"--max-cost.*does not tell what an answer costs.*--price"):
        play(wrote(1.4), budget=Budget(cost_usd=1))
    with pytest.raises(Unusable, match=r"--max-tokens"):
        play({**wrote(1.4), "usage": None}, budget=Budget(tokens=1))


def test_an_answer_that_came_too_late_is_still_put_down(play: Play, server: ModelServer, clock: Any) -> None:
    def late(body: dict[str, Any]) -> dict[str, Any]:
        clock.now += 100
        return calls(("view", {}))

    env = play(wrote(1.4), late, budget=Budget(wall_s=60))
    assert env.records[-1].exit_reason is ExitReason.TIME
    assert env.used.tokens == 220


def test_the_window_ends_an_episode_before_it_overflows(play: Play, server: ModelServer) -> None:
    usage = {"prompt_tokens": 7000, "completion_tokens": 500}
    env = play(wrote(1.4), calls(("view", {}), usage=usage), options={"context_tokens": 9000})
    end = env.records[-1]
    assert end.exit_reason is ExitReason.CONTEXT
    assert "do not fit into 9000" in end.detail
    assert end.score == pytest.approx(1.4)
    assert len(server.asked) == 2


# --- calls as text -----------------------------------------------------------------------------------------------

WRITES = f"""I write both files.

```call
create {{"path": "A.py"}}
--- text
{rule(1.5)}```

```call
create {{"path": "{MANIFEST}", "text": "[\\"A\\"]"}}
```
```call
evaluate
```
"""


def test_a_text_only_model_plays_through_fenced_blocks(play: Play, server: ModelServer) -> None:
    env = play(says(WRITES), says("```call\nsubmit\n```"), options={"text_tools": True})
    assert env.records[-1].exit_reason is ExitReason.SUBMITTED
    assert env.records[-1].score == pytest.approx(1.5)
    assert env.files()["A.py"] == rule(1.5)
    assert "tools" not in server.asked[0]
    assert "```call" in server.asked[0]["messages"][0]["content"]
    roles = [row["role"] for row in server.asked[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert server.asked[1]["messages"][2]["content"] == WRITES
    results = server.asked[1]["messages"][3]["content"]
    assert results.count("Result of create:") == 2
    assert "Result of evaluate:\nAS 1.500" in results


def test_text_that_is_no_call_is_answered(play: Play, server: ModelServer) -> None:
    script = ['```call\ncreate {"path": }\n```', "```call\nview", WRITES, "```call\nsubmit\n```"]
    env = play(*[says(text) for text in script], options={"text_tools": True})
    first, second = steps_of(env.records)[:2]
    assert "the arguments of create are not JSON" in first.observation.text
    assert "not closed" in second.observation.text
    assert env.records[-1].exit_reason is ExitReason.SUBMITTED


@pytest.mark.parametrize(
    "refusal",
    [
        Status(400, "scripted does not support tools"),
        Status(400, '"auto" tool choice requires --enable-auto-tool-choice'),
        Status(404, "No endpoints found that support tool use"),
        Status(500, "tools param requires --jinja flag"),
    ],
    ids=lambda status: str(status.status),
)
def test_an_endpoint_that_refuses_tools_gets_text(play: Play, server: ModelServer, refusal: Status) -> None:
    env = play(refusal, says(WRITES), says("```call\nsubmit\n```"))
    assert env.records[-1].exit_reason is ExitReason.SUBMITTED
    assert ["tools" in body for body in server.asked] == [True, False, False]
    assert [row["role"] for row in server.asked[1]["messages"]] == ["system", "user"]
    assert server.asked[1]["messages"][1]["content"].endswith(prompts.text_format())


# --- the record --------------------------------------------------------------------------------------------------

TALKS = [
    calls(("inspect_graph", {}), text="I look."),
    calls(("create", "{")),
    says("Hm."),
    wrote(0.8),
    wrote(1.5),
    SUBMITS,
]


def test_an_episode_goes_on_after_any_record(play: Play, server: ModelServer, make_env: Callable, task: Path) -> None:
    """Cut anywhere, it asks what it would have asked, repeats no call, and comes to the same records."""
    whole = play(*TALKS)
    asked = list(server.asked)
    kept = whole.records[:-1]
    author = author_of(server)
    for cut in range(1, len(kept)):
        server.asked.clear()
        said = sum(isinstance(record, Message) and record.role == "assistant" for record in kept[:cut])
        server.script = TALKS[said:] or [SUBMITS]
        env = make_env()
        env.restore(task, kept[:cut])
        if env.done:
            continue
        env.state.resume(cut)
        finish(author, env)
        assert [body["messages"] for body in server.asked] == [body["messages"] for body in asked[said:]], cut
        again = [row for row in substance(env.records) if row["kind"] != "resume"]
        for row, other in zip(again, substance(whole.records), strict=True):
            assert row == other, cut


def test_an_episode_replays_to_the_same_records(play: Play, make_env: Callable, task: Path) -> None:
    first = play(*TALKS)
    again = make_env(author=first.author, author_settings=first.author_settings)
    again.reset(task)
    ReplayAuthor(actions_of(first.records)).play(again)
    assert substance(again.records) == substance(first.records[:-1])


def test_the_exports_have_what_was_said_and_done(play: Play) -> None:
    env = play(*TALKS)
    messages = messages_document(env.records)["messages"]
    assert messages[0] == {"role": "system", "content": prompts.system("cpu", "strict", text_tools=False)}
    assert [row["role"] for row in messages].count("tool") == 9
    document = json.loads(json.dumps(atif_document(env.records, "run")))
    assert document["agent"]["model_name"] == "scripted-1"
    assert document["final_metrics"]["total_prompt_tokens"] == 600
    assert [step["source"] for step in document["steps"][:3]] == ["system", "user", "agent"]
    ids = [call["tool_call_id"] for step in document["steps"] for call in step.get("tool_calls", [])]
    assert len(set(ids)) == len(ids)


# --- settings ----------------------------------------------------------------------------------------------------


def test_settings_have_what_changes_answers_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "other-secret")
    options = {"base_url": "http://me:pass@host:1/v1", "key_env": "MY_KEY", "price": "1,2", "timeout_s": 5}
    settings = make_author("openai:big/model:free", options).settings()
    assert settings["model"] == "big/model:free"
    assert settings["endpoint"] == "http://host:1/v1"
    assert settings["price"] == {"prompt": 1.0, "completion": 2.0, "cached": None}
    text = json.dumps(settings)
    assert not any(word in text for word in ("secret", "pass@", "timeout", "retries"))
    assert settings != make_author("openai:big/model:free", options | {"temperature": 1.0}).settings()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"base_url": "localhost:8000"}, "--base-url.*not an address"),
        ({"temperature": 3.0}, "--temperature.*less than or equal to 2"),
        ({"price": "1"}, "--price.*PROMPT,COMPLETION"),
        ({"price": "a,b"}, "--price.*not a price"),
        ({"price": "-1,1"}, "--price.*not a price"),
        ({"body": "{"}, "--body.*not JSON"),
        ({"body": "[]"}, "--body.*expected a JSON object"),
        ({"body": '{"messages": []}'}, "--body.*author's own field"),
        ({"body": '{"api_key": "x"}'}, "--body.*looks like a secret"),
        ({"omit": ["tools"]}, "--omit.*tools cannot be left out; expected seed or temperature"),
        ({"timeout_s": 0}, "--timeout.*greater than 0"),
        ({"retries": -1}, "--retries.*greater than or equal to 0"),
        ({"context_tokens": -1}, "--context-tokens"),
        ({"key_env": "NO_SUCH_VARIABLE"}, "no key: NO_SUCH_VARIABLE is not set"),
    ],
)
def test_bad_options_are_named(options: dict, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make_author("openai:m", options)


def test_no_model_no_key_and_no_package_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="openai:MODEL"):
        make_author("openai")
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(Unusable, match=r"no key: OPENAI_API_KEY is not set.*--base-url"):
        make_author("openai:gpt")
    assert make_author("openai:local", {"base_url": free_url()}).settings()["endpoint"].startswith("http://127.0.0.1")
    monkeypatch.setattr("passnet.agent.authors.model.endpoint.find_spec", lambda name: None)
    with pytest.raises(Unusable, match=r"openai is not installed.*passnet\[model\]"):
        make_author("openai:gpt")
    with pytest.raises(Unusable, match=r"litellm is not installed.*passnet\[litellm\]"):
        make_author("litellm:openai/gpt")


def test_a_server_without_keys_is_asked_with_a_word_for_one(
    play: Play, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    server.script = [SUBMITS, calls(("view", {}))]
    play(options={"base_url": None}, budget=Budget(steps=1))
    assert server.headers[0]["authorization"] == "Bearer none"
