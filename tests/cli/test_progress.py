"""Progress of long commands: lines where nobody watches, a bar without a thread of its own on a terminal."""

from __future__ import annotations

import io
import re
import sys
import threading
from dataclasses import dataclass

import pytest

from passnet.bench.record.records import Timing
from passnet.cli.console import AT_LEAST, print_table, speedup_text, together
from passnet.cli.progress import Tally, TimeLeft, in_words, progress


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
    assert re.fullmatch(r"\[1/2\] line of 1 \(about 10 s left\)\n\[2/2\] line of 2\n", sys.stderr.getvalue())


def test_kept_units_promise_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress("starting", words, line, lambda _: True) as report:
        report(Step(1, 2))
    assert sys.stderr.getvalue() == "[1/2] line of 1\n"


def test_the_time_left_counts_only_what_this_command_did() -> None:
    now = [0.0]
    left = TimeLeft(lambda: now[0])
    assert left.after(Step(5, 10), kept=True) is None
    now[0] = 30.0
    assert left.after(Step(6, 10), kept=False) == pytest.approx(120.0)
    now[0] = 40.0
    assert left.after(Step(7, 10), kept=False) == pytest.approx(60.0)
    assert left.after(Step(10, 10), kept=False) == 0.0


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(None, ""), (0.0, ""), (3.0, "about 10 s left"), (44.0, "about 40 s left"), (130.0, "about 2 min left"),
     (3 * 3600.0, "about 3.0 h left")],
)  # fmt: skip
def test_an_estimate_is_told_no_more_exactly_than_it_is(seconds: float | None, said: str) -> None:
    assert in_words(seconds) == said


def test_a_tally_says_what_was_found_so_far() -> None:
    tally = Tally()
    for word in ("timeout", "faster", "faster"):
        said = tally.add(word)
    assert said == "2 faster, 1 timeout"


def test_a_text_is_told_once_with_the_number_of_names() -> None:
    found = together([("a", "broken"), ("b", "other"), ("c", "broken"), ("d", "broken")])
    assert found == [("a (and 2 more)", "broken"), ("b", "other")]


def test_a_speedup_at_the_lower_end_says_so() -> None:
    timing = Timing(speedup=1.782, speedup_ci=(1.782, 3.421), eager_us=37.8, compiled_us=18.4, control_ratio=1.0,
                    processes=())  # fmt: skip
    assert speedup_text(timing) == "1.782"
    assert speedup_text(timing.model_copy(update={"scored_at": "low"})) == f"{AT_LEAST}1.782"
    assert speedup_text(None) == "-"


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
