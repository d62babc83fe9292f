"""Messages in logs: whatever others wrote in one is a part of one line, and no terminal obeys it."""

from __future__ import annotations

import ast
import json
import logging
import random
import subprocess
import sys
from pathlib import Path

import pytest

import passnet
from passnet.agent.authors.model.faults import Fault, FaultKind
from passnet.agent.authors.model.retries import RetryPolicy
from passnet.errors import UsageError
from passnet.logs import logger
from tests.child import ROOT, environment
from tests.cli.test_console import HOSTILE, SHOWN

SOURCES = sorted(Path(passnet.__file__).parent.rglob("*.py"))


def test_a_message_is_one_line_whatever_is_in_it(caplog: pytest.LogCaptureFixture) -> None:
    logger("passnet.tests").warning("%s of %d: %s", HOSTILE, 3, UsageError(HOSTILE))
    logger("passnet.tests").warning(HOSTILE.replace("%", ""))
    assert caplog.messages == [f"{SHOWN} of 3: {SHOWN}", SHOWN]


def test_a_message_with_a_sign_of_percent_stays_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    logger("passnet.tests").warning("%s", "100 %s")
    assert caplog.messages == ["100 %s"]


def test_an_error_that_cannot_say_what_it_is_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    class Silent(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    logger("passnet.tests").warning("a kernel raised: %s", Silent())
    assert caplog.messages == ["a kernel raised: a Silent whose message cannot be written"]


def test_a_name_without_escapes_is_a_logger_as_any_other(caplog: pytest.LogCaptureFixture) -> None:
    assert logger("passnet.tests") is logger("passnet.tests") is logging.getLogger("passnet.tests")
    logger("passnet.tests").warning("Größe/模型")
    assert caplog.messages == ["Größe/模型"]


def test_words_of_an_endpoint_are_written_out(caplog: pytest.LogCaptureFixture) -> None:
    answers = iter([Fault(FaultKind.TRANSIENT, f"the endpoint says {HOSTILE}")])

    def request() -> str:
        for fault in answers:
            raise fault
        return "there"

    assert RetryPolicy(1, random.Random(0), lambda _: None, lambda: None, known=True).ask(request) == ("there", 1)
    assert caplog.messages[0].startswith(f"the endpoint says {SHOWN}; trying again")


def test_a_bundle_writes_nothing_to_the_terminal_but_lines(tmp_path: Path) -> None:
    document = {
        "schema_version": 1, "model": "m:f", "graph_hash": None, "before": "eager", "compiler": "passes",
        "device": "cpu", "policy": "strict", "form": {"engine": "torch.compile"}, "best": None, "forms": [],
        "minutes": None, "whole": None, "kept": [], "left": [], "notes": [], "snippet": [], "protocol": {},
        "environment": {"torch": HOSTILE},
    }  # fmt: skip
    (tmp_path / "bundle.json").write_text(json.dumps(document))
    code = f"import passnet; passnet.load_passes({str(tmp_path)!r})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT, env=environment()
    )
    assert f"was measured with torch {SHOWN}, this is" in done.stderr, done
    assert not {character for character in done.stderr if not character.isprintable()} - {"\n"}


@pytest.mark.parametrize("part", ["path", "field", "found"])
def test_what_an_error_found_is_written_out(part: str) -> None:
    error = UsageError("is wrong", **{part: HOSTILE})  # type: ignore[arg-type]
    assert SHOWN in str(error) and str(error).isprintable()


# --- no other way --------------------------------------------------------------------------------------------------


def test_modules_have_no_other_loggers() -> None:
    """Loggers of libraries are made quieter by their names, which are no `__name__`."""
    found = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="getLogger"), args=[ast.Name(id="__name__")] | []):
                    found.append(f"{path}:{node.lineno}")
                case ast.Call(func=ast.Attribute(value=ast.Name(id="logging"), attr="warning" | "error" | "info")):
                    found.append(f"{path}:{node.lineno}")
                case ast.ImportFrom(module="logging"):
                    found.append(f"{path}:{node.lineno}")
    assert found == []
