"""Tables in a terminal: at 80, 100 and 120 columns every figure is there that a pipe gets."""

from __future__ import annotations

import os
import pty
import re
import struct
import subprocess
import sys
from collections import Counter
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

import pytest

from passnet.agent.run import session
from passnet.bench import evaluate
from passnet.cli.console import print_table
from passnet.cli.tables import lay_out, shorter_names
from passnet.graph import Graph, Task, TensorSpec
from tests.agent.agent_helpers import EPISODE, FakeWorkbench, actions_file, task_copy
from tests.cli.cli_runner import run
from tests.report.recorded_runs import altered, record, slower, write_run

WIDTHS = pytest.mark.parametrize("width", [80, 100, 120])
LONG = "float32/{}/samples/transformers/Bloom/_decomposed/Bloom_start{}_end60_0"
_FIGURE = re.compile(r"(?<![\w/.])-?\d+(?:\.\d+)?%?(?![\w/.])")


def figures(text: str) -> Counter[str]:
    """The figures of a text: numbers that are no part of a name."""
    return Counter(_FIGURE.findall(text))


def lines_of_table(columns: tuple[str, ...], rows: list[tuple[str, ...]], width: int | None) -> list[str]:
    laid = lay_out(columns, rows, width)
    return laid.head + laid.body


def assert_same_figures(piped: str, shown: str, *words: str) -> None:
    assert figures(piped) - figures(shown) == Counter()
    for word in words:
        assert shown.count(word) == piped.count(word) > 0, word


@WIDTHS
def test_eval_shows_every_outcome_and_speedup(width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [
        record("bloom_gelu", LONG.format(0, 51), 6.402),
        record("bloom_gelu", LONG.format(1, 51), 0.987),
        record("bloom_gelu", LONG.format(2, 51), outcome="reference_error"),
    ]
    monkeypatch.setattr(evaluate, "evaluate", lambda *_: [evaluate.score_task("bloom_gelu", records)])
    command = ("eval", "bloom_gelu", "--runs", tmp_path, "--run", "one")
    piped, shown = run(*command), run(*command, terminal=width)
    assert shown.code == piped.code == 0, shown
    assert_same_figures(piped.out, shown.out, "reference_error", "6.402")
    assert shown.out.count("bloom_gelu/float32/") == 3


@WIDTHS
def test_compare_shows_verdict_both_runs_and_their_ratio(width: int, tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", [record("bloom_gelu", LONG.format(n, 51)) for n in range(3)])
    b = altered(a, tmp_path / "b", slower(1.3, lambda _: True))
    piped, shown = run("compare", a, b), run("compare", a, b, terminal=width)
    assert_same_figures(piped.out, shown.out, "slower", "1.200", "0.923", "0.769")


@WIDTHS
def test_tasks_list_shows_every_figure(width: int) -> None:
    piped, shown = run("tasks", "list"), run("tasks", "list", terminal=width)
    assert_same_figures(piped.out, shown.out)
    rows = [line.split() for line in piped.out.splitlines()[1:-2]]
    assert all(piece in shown.out for row in rows for cell in row[1:] for piece in cell.split("/"))


@WIDTHS
def test_inspect_shows_every_figure(width: int, tmp_path: Path) -> None:
    source = "import torch\n\n\nclass GraphModule(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n"
    source += "        double = x + x\n        cat = torch.cat([double, x, double], 1)\n        return (cat,)\n"
    graphs = [
        Graph(LONG.format(n, 51), source, (TensorSpec("x", (256 << n, 128), "float32", mean=0.0, std=1.0),))
        for n in range(2)
    ]
    Task.write(tmp_path / "bloom", graphs)
    piped, shown = run("inspect", tmp_path / "bloom"), run("inspect", tmp_path / "bloom", terminal=width)
    assert piped.code == shown.code == 0, shown
    assert_same_figures(piped.out, shown.out, "f32[256x384]", "KiB", "memory")


@WIDTHS
def test_agent_shows_every_figure(width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "LiveWorkbench", lambda *_: FakeWorkbench())
    tasks = task_copy(tmp_path / "tasks", "gpt2_gelu_new").parent
    task_copy(tasks)
    command = ("agent", tasks, "--author", f"replay:{actions_file(tmp_path / 'actions.json', EPISODE)}")
    command += ("--runs", tmp_path / "runs", "--run", "one")
    run(*command)
    piped, shown = run(*command), run(*command, terminal=width)
    assert_same_figures(piped.out, shown.out, "submitted", "gpt2_gelu_new", "1.500")


def test_headings_are_whole_at_any_width() -> None:
    columns = ("graph", "outcome", "95 % interval", "% of bound", "correct at t")
    rows = [("task/" + LONG.format(0, 51), "reference_error", "0.987-1.234", "33 -> 66", "-10")]
    for width in range(30, 161):
        found = lines_of_table(columns, rows, width)
        assert max(map(len, found)) <= width
        words = " ".join(found).split()
        assert {"outcome", "reference_error", "0.987-1.234", "33", "->", "66", "95", "%", "-10"} <= {
            word.rstrip(",") for word in words
        }, width


def test_names_stay_distinct_or_get_a_line_of_their_own() -> None:
    names = [f"float32/0/samples/timm/{middle}/Bloom_start51_end60_0" for middle in ("aaaaaaaa", "aaaabaaa")]
    assert shorter_names(names, 40) == ["float32/0/aaaaaaaa", "float32/0/aaaabaaa"]
    assert shorter_names(["a" * 20 + "b" + "a" * 20, "a" * 20 + "c" + "a" * 20], 24) is None
    assert shorter_names(["one/" + "a" * 40 + "z"], 24) == ["one/aaaaaaaa…aaaaaaaaaaz"]
    alike = ["a" * 30 + "b" + "a" * 30, "a" * 30 + "c" + "a" * 30]
    found = lines_of_table(("graph", "outcome"), [(name, "reference_error") for name in alike], 70)
    assert [line for line in found if "a" * 30 in line] == alike


def test_the_task_stays_in_the_name_of_a_single_row() -> None:
    found = lines_of_table(("graph", "what"), [("bloom_gelu/" + LONG.format(0, 51), "slower")], 60)
    assert found[1].split() == ["bloom_gelu/float32/0", "slower"]


def test_a_reason_is_folded_between_words() -> None:
    reason = "the form was not measured since the time of this command was over before it could be built"
    found = lines_of_table(("form", "us", "why not"), [("inductor", "-", reason), ("eager", "1.0", "")], 60)
    assert len(found) > 4 and max(map(len, found)) <= 60
    assert " ".join(" ".join(found).split()).replace("inductor - ", "").count("this command") == 1


def test_a_real_terminal_gets_all_figures() -> None:
    main, side = pty.openpty()
    ioctl(side, TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    code = "from passnet.cli.console import print_table; print_table('', ('graph', 'outcome', 'speedup'), [('x' * 90, "
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    subprocess.run([sys.executable, "-c", code + "'correct', '6.402')])"], stdout=side, check=True,
                   env=environment | {"TERM": "xterm"})  # fmt: skip
    os.close(side)
    shown = os.read(main, 65536).decode()
    os.close(main)
    assert "correct" in shown and "6.402" in shown and "…" in shown


def test_a_cell_gives_a_terminal_no_orders(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("", ["device"], [["cpu\x1b[2J\x07"], ["[bold]"]])
    shown = capsys.readouterr().out
    assert "\x1b" not in shown and "\x07" not in shown and "\\x1b[2J" in shown and "[bold]" in shown
