"""The server against the real client library of mcp: a subprocess on standard input and output, and killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs mcp, the extra `mcp`")
from mcp import ClientSession, StdioServerParameters, stdio_client

from passnet.agent.env.env import TOOLS
from passnet.agent.record.journal import read_episode
from passnet.agent.record.records import EpisodeStep, Start
from passnet.cli import main as cli
from tests.agent.agent_helpers import BUNDLED, MANIFEST, rule, task_copy
from tests.child import ROOT, environment


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return task_copy(tmp_path)


def fake(task: Path) -> list[str]:
    return ["-m", "tests.mcp.fake_server", str(task), str(task.parent)]


def real(task: Path, *options: str) -> list[str]:
    return ["-m", "passnet.cli.main", "mcp", str(task), "--runs", str(task.parent / "runs"), "--run", "one", *options]


def talk(arguments: list[str], conversation: Callable[[ClientSession], Awaitable[Any]]) -> Any:
    """Start a server, initialise, hold the conversation, leave."""

    async def held() -> Any:
        tested = {"PYTHONPATH": environment()["PYTHONPATH"]}
        server = StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT, env=tested)
        async with stdio_client(server) as (incoming, outgoing), ClientSession(incoming, outgoing) as session:
            await session.initialize()
            return await conversation(session)

    return asyncio.run(asyncio.wait_for(held(), 240))


async def call(session: ClientSession, name: str, **arguments: Any) -> tuple[bool, str]:
    found = await session.call_tool(name, arguments)
    return not found.is_error, "".join(part.text for part in found.content)


async def write(session: ClientSession, text: str) -> None:
    assert (await call(session, "create", path="A.py", text=text))[0]
    assert (await call(session, "create", path=MANIFEST, text='["A"]'))[0]


def test_an_episode_over_the_protocol(task: Path) -> None:
    async def work(session: ClientSession) -> tuple[Any, list[tuple[bool, str]]]:
        tools = await session.list_tools()
        assert not (task.parent / "run").exists()
        replies = [await call(session, "nonsense", x=1), await call(session, "view", lines=3)]
        replies.append(await call(session, "open_task"))
        await write(session, rule(1.5))
        return tools, replies + [await call(session, name) for name in ("check", "evaluate", "submit", "view")]

    found, replies = talk(fake(task), work)
    assert [ok for ok, _ in replies] == [False, False, True, True, True, True, False]
    said = [
        "no tool 'nonsense'",
        "bad arguments of view: lines",
        "Task bloom_gelu on cpu",
        "",
        "best so far",
        "is over",
    ]
    assert all(part in text for part, (_, text) in zip(said, replies, strict=False))

    tools = {tool.name: tool for tool in found.tools}
    assert list(tools) == ["open_task", *TOOLS]
    for name, entry in TOOLS.items():
        assert tools[name].input_schema == entry.schema["function"]["parameters"]
        assert tools[name].description == entry.description
    assert tools["check"].annotations.read_only_hint
    assert not tools["create"].annotations.read_only_hint

    records = read_episode(task.parent / "run" / "tasks" / "bloom_gelu" / "attempt-0" / "episode.jsonl")
    assert isinstance(records[0], Start)
    assert records[0].author.startswith("mcp:")
    assert json.loads((task.parent / "run" / "summary.json").read_text())["tasks_done"] == 1


UNREADABLE = [
    ('{"method": "tools/call", "params": {"text": "\\udcff"}, "id": 9}', 9, -32700, "surrogate"),
    ('{"method": "x", "id": "a", "params": ' + '{"a":' * 300 + "1" + "}" * 300 + "}", "a", -32700, "recursion limit"),
    ('{"id": 3, "meth', None, -32700, "Invalid JSON"),
    ("[" * 5000, None, -32700, "Invalid JSON"),
    ("[]", None, -32600, "no message of JSON-RPC 2.0"),
    ('{"jsonrpc": "1.0", "id": 14, "method": "tools/list"}', 14, -32600, "no message of JSON-RPC 2.0"),
]


def test_what_cannot_be_read_is_answered(task: Path) -> None:
    """A client that asked with half a character in a text waited for ever."""
    server = Raw(fake(task))
    server.initialise()
    for line, asked, code, words in UNREADABLE:
        server.process.stdin.write(line.encode() + b"\n")
        server.process.stdin.flush()
        answer = json.loads(server.process.stdout.readline())
        assert (answer["id"], answer["error"]["code"]) == (asked, code)
        assert words in answer["error"]["message"]
    assert server.ask("tools/list", {})["tools"]
    server.process.kill()
    server.process.wait()


@pytest.mark.slow
def test_killed_in_the_middle_the_episode_goes_on_and_only_the_protocol_is_printed(task: Path) -> None:
    server = Raw(fake(task))
    server.initialise()
    for name, arguments in (("create", {"path": "A.py", "text": rule(1.5)}), ("view", {})):
        assert not server.ask("tools/call", {"name": name, "arguments": arguments})["isError"]
    server.process.kill()
    server.process.wait()

    server = Raw(fake(task))
    assert "Call open_task first" in server.initialise()["instructions"]
    opened, seen = (
        server.ask("tools/call", {"name": name, "arguments": arguments})["content"][0]["text"]
        for name, arguments in (("open_task", {}), ("view", {"path": "A.py"}))
    )
    assert "open, 2 steps, nothing evaluated" in opened
    assert "speed 1.5" in seen
    server.process.stdin.close()
    assert server.process.wait(30) == 0
    assert server.process.stdout.read() == b""
    file = task.parent / "run" / "tasks" / "bloom_gelu" / "attempt-0" / "episode.jsonl"
    assert read_episode(file)[-1].exit_reason == "interrupted"


class Raw:
    """A server that is spoken to line by line: every line that it prints must be JSON-RPC."""

    def __init__(self, arguments: list[str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.count = 0

    def say(self, method: str, params: dict[str, Any], **more: Any) -> None:
        line = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.count += 1
        self.say(method, params, id=self.count)
        reply = json.loads(self.process.stdout.readline())
        assert (reply["jsonrpc"], reply["id"]) == ("2.0", self.count)
        result: dict[str, Any] = reply["result"]
        return result

    def initialise(self) -> dict[str, Any]:
        client = {"name": "raw", "version": "1"}
        found = self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        assert found["serverInfo"]["name"] == "passnet"
        self.say("notifications/initialized", {})
        return found


@pytest.mark.slow
def test_a_real_pass_is_checked_measured_and_submitted(tmp_path: Path) -> None:
    task = task_copy(tmp_path, variants=1)
    text = (BUNDLED / "bloom_gelu" / "pass_dir" / "bloom_gelu_cpp.py").read_text()

    async def work(session: ClientSession) -> list[tuple[bool, str]]:
        await write(session, text)
        names = ("inspect_graph", "check", "evaluate", "submit")
        return [await call(session, name) for name in names]

    replies = talk(real(task), work)
    assert all(ok for ok, _ in replies), replies
    records = read_episode(tmp_path / "runs" / "one" / "tasks" / "bloom_gelu" / "attempt-0" / "episode.jsonl")
    (scored,) = [r.observation for r in records if isinstance(r, EpisodeStep) and r.observation.score is not None]
    assert scored.score is not None
    assert scored.score > 1.0


@pytest.mark.slow
def test_sigterm_while_measuring_closes_the_records(tmp_path: Path) -> None:
    task = task_copy(tmp_path)
    server = Raw(real(task))
    server.initialise()
    text = (BUNDLED / "bloom_gelu" / "pass_dir" / "bloom_gelu_cpp.py").read_text()
    for path, content in (("A.py", text), (MANIFEST, '["A"]')):
        server.ask("tools/call", {"name": "create", "arguments": {"path": path, "text": content}})
    server.ask("tools/call", {"name": "check", "arguments": {}})
    server.say("tools/call", {"name": "evaluate", "arguments": {}}, id=99)
    log = tmp_path / "runs" / "one" / "logs"
    assert log.exists()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(60) == 130
    records = read_episode(tmp_path / "runs" / "one" / "tasks" / "bloom_gelu" / "attempt-0" / "episode.jsonl")
    assert records[-1].exit_reason == "interrupted"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["nowhere"], "no such directory"),
        (["no\nwhere\x1b[31m"], "no such directory"),
        (["data/tasks/bloom_gelu", "--device", "tpu"], "unknown device 'tpu'"),
        (["data/tasks/bloom_gelu", "--policy", "lax"], "unknown policy 'lax'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(options: list[str], said: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "passnet.cli.main", "mcp", *options, "--runs", str(tmp_path / "runs")]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, input="", env=os.environ)
    assert done.returncode == 2
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if not line.startswith("passnet: serving")]
    assert len(lines) == 1
    assert said in lines[0]
    assert not (tmp_path / "runs").exists()


def test_without_the_library_it_says_which_extra_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "passnet.mcp.server", raising=False)
    for name in [name for name in sys.modules if name == "mcp" or name.startswith("mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setattr(sys, "argv", ["passnet", "mcp", "data/tasks/bloom_gelu"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert "pip install 'passnet[mcp]'" in capsys.readouterr().err
