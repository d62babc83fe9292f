"""What a message tells a user to do, the command can do: no option that it lacks. Every option has a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from passnet.bench.record.run import RECORDS, SETTINGS
from passnet.cli.main import app
from tests.cli.cli_runner import Done, run
from tests.report.recorded_runs import record, write_run


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    children = getattr(command, "commands", None)
    if children is not None:
        for name, child in children.items():
            yield from commands(child, (*words, name))
    else:
        yield words, command


ALL = dict(commands(typer.main.get_command(app)))


def options(words: tuple[str, ...]) -> set[str]:
    found = [name for parameter in ALL[words].params for name in (*parameter.opts, *parameter.secondary_opts)]
    return {name for name in found if name.startswith("--")}


def assert_it_has_what_it_names(words: tuple[str, ...], done: Done) -> None:
    assert done.code in (1, 2), done.err
    plain = re.sub(r"`passnet [^`]*`", "", done.err)  # another command, named as one
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", plain))
    assert named <= options(words), (words, done.err)


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_option_has_a_sentence(words: tuple[str, ...]) -> None:
    for parameter in ALL[words].params:
        assert getattr(parameter, "help", None), (words, parameter.name)


@pytest.mark.parametrize(
    "settings", ["{", "[]", '{"schema": 999}', None, "several records", "no records", "a broken line"], ids=str
)
def test_commands_that_read_runs_name_options_that_they_have(settings: str | None, tmp_path: Path) -> None:
    good, bad = (write_run(tmp_path / name, [record(pass_set_hash=name)]) for name in ("good", "bad"))
    if settings is None:
        (bad / SETTINGS).unlink()
    elif settings == "several records":
        with (bad / RECORDS).open("a") as lines:
            lines.write((good / RECORDS).read_text())
    elif settings == "no records":
        (bad / RECORDS).write_text("")
    elif settings == "a broken line":
        (bad / RECORDS).write_text("{}\n{}\n")
    else:
        (bad / SETTINGS).write_text(settings)
    for words, rest in (
        (("score",), [bad]),
        (("compare",), [good, bad]),
        (("report",), [bad, "--out", tmp_path / "r.html"]),
        (("leaderboard",), [bad, "--out", tmp_path / "site"]),
        (("submit", "check"), [bad]),
        (("export",), [bad, "--out", tmp_path / "exported"]),
        (("library", "add"), [tmp_path / "library", bad]),
    ):
        done = run(*words, *rest)
        if settings == "several records" and done.code == 0:  # a score or a report counts them, and says so
            assert words in (("score",), ("report",))
        elif not (settings == "a broken line" and words == ("report",) and done.code == 0):
            assert_it_has_what_it_names(words, done)
