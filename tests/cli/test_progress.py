"""Progress of long commands: lines where nobody watches, a bar without a thread of its own on a terminal."""

from __future__ import annotations

import io
import sys
import threading
from dataclasses import dataclass

import pytest

from passnet.cli.console import print_table
from passnet.cli.progress import progress


@dataclass(frozen=True)
class Step:
    done: int
    total: int


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def words(step: Step) -> str:
    return f"words of {step.done}"


def line(step: Step) -> str:
    return f"line of {step.done}"


def test_a_line_per_step_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress("starting", words, line) as report:
        report(Step(1, 2))
        report(Step(2, 2))
    assert sys.stderr.getvalue() == "[1/2] line of 1\n[2/2] line of 2\n"


def test_a_bar_on_a_terminal_starts_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())
    threads = threading.active_count()
    with progress("starting", words, line) as report:
        assert "starting" in sys.stderr.getvalue()
        report(Step(1, 2))
        assert "words of 1" in sys.stderr.getvalue()
        assert "1/2" in sys.stderr.getvalue()
        assert threading.active_count() == threads
    assert "line of" not in sys.stderr.getvalue()


def test_a_table_is_whole_in_a_pipe_whatever_the_shell_has_set(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    print_table("", ("task", "outcome"), [("a" * 60, "b" * 60)])
    out = capsys.readouterr().out
    assert "a" * 60 in out
    assert "b" * 60 in out
