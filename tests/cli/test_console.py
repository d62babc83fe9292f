"""Lines of the command line: no text in them controls the terminal, makes a line of its own, or is markup."""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import passnet.cli
from passnet.agent.record.budget import Used
from passnet.agent.record.observation import Observation
from passnet.agent.record.records import EpisodeStep
from passnet.agent.run.progress import RunProgress
from passnet.cli import agent, dataset
from passnet.cli.console import print_table, quoted, say, say_text
from passnet.cli.progress import progress
from passnet.dataset.pipeline.settings import BuildStep
from tests.cli.cli_runner import run

# A title of the window, a colour, a C1 sequence, a mark of direction, and a line that looks like ours.
HOSTILE = "a\x1b]0;owned\x07\x1b[31m\x9b2K\u202eb\r\nok"
SHOWN = r"a\x1b]0;owned\x07\x1b[31m\x9b2K\u202eb\r\nok"
FILES = sorted(Path(passnet.cli.__file__).parent.glob("*.py"))
# Where lines are printed, and pages of this package are drawn. `rich.cells` only counts.
PRINTERS = {"console.py"}
DRAWERS = {"console.py", "progress.py", "docs.py", "agent.py", "dataset.py"}
MARKUP = {"print", "TextColumn", "from_markup", "render_markup", "Table", "Panel", "Prompt"}


def controls(text: str) -> set[str]:
    return {character for character in text if not character.isprintable()} - {"\n"}


def test_a_line_is_one_line_whatever_is_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    say(f"graph {HOSTILE}", "next")
    say(f"graph {HOSTILE}", err=True)
    found = capsys.readouterr()
    assert found.out == f"graph {SHOWN}\nnext\n"
    assert found.err == f"graph {SHOWN}\n"


def test_ordinary_names_stay_readable(capsys: pytest.CaptureFixture[str]) -> None:
    say("Größe/模型/модель [x] ½ é")
    say()
    assert capsys.readouterr().out == "Größe/模型/модель [x] ½ é\n\n"


def test_a_text_keeps_its_own_lines_and_tabs_only(capsys: pytest.CaptureFixture[str]) -> None:
    say_text("+\tx = 1\n-\x1b[2Ky\u2066\r\n")
    assert capsys.readouterr().out == "+\tx = 1\n-\\x1b[2Ky\\u2066\\r\n"


def test_further_lines_of_a_detail_are_indented(capsys: pytest.CaptureFixture[str]) -> None:
    say(*quoted("t/g: ", "first\nok\x1b[2K"))
    say(*quoted("t/g: ", ""))
    assert capsys.readouterr().out == "t/g: first\n    ok\\x1b[2K\nt/g: \n"


def test_headings_of_a_table_are_texts_too(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(HOSTILE, (HOSTILE, "figure"), [("[/b]", "1")])
    out = capsys.readouterr().out
    assert not controls(out)
    assert out.count(SHOWN) == 2
    assert "[/b]" in out


@dataclass(frozen=True)
class Step:
    done: int = 1
    total: int = 2


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_name_is_no_markup_beside_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress("starting", lambda _: f"x[/y] [bold]b {HOSTILE}", lambda _: "") as report:
        report(Step())
    shown = sys.stderr.getvalue()
    assert f"x[/y] [bold]b {SHOWN}" in shown
    assert not {"\x07", "\x9b", "\u202e"} & set(shown)
    assert "\x1b]" not in shown


def test_the_bars_of_agents_and_datasets_show_names_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "stderr", Terminal())
    tool = "x[/b]\x1b]0;owned\x07"
    step = EpisodeStep(at=0.0, number=1, tool=tool, arguments={}, call_id="1", used=Used(), seconds=0.0, files_hash="",
                       observation=Observation(tool=tool, ok=False, text=""))  # fmt: skip
    with agent._progress(enabled=True) as report:
        report(RunProgress(0, 1, "[/t]", 1, step, None, None, 0, None))
    with dataset._Progress() as bar:
        bar.report(BuildStep("[/stage]", 1, 2, "[/key]", None, 0))
    shown = sys.stderr.getvalue()
    assert r"[/t] #1: step 1 x[/b]\x1b]0;owned\x07" in shown
    assert "[/stage]" in shown
    assert "\x07" not in shown


def test_a_line_without_a_bar_shows_names_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress("starting", lambda _: "", lambda _: HOSTILE) as report:
        report(Step())
    assert sys.stderr.getvalue().startswith(f"[1/2] {SHOWN}")
    assert sys.stderr.getvalue().count("\n") == 1


def test_an_option_that_is_the_name_of_a_file_is_shown_as_one_line() -> None:
    done = run("report", "--x\x1b]0;owned\x07\nok")
    assert done.code == 2
    assert not controls(done.err)
    assert "\nok" not in done.err


# --- no other way --------------------------------------------------------------------------------------------------


def other_ways(tree: ast.AST, file: str) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="print")):
                yield f"{file}:{node.lineno}: print"
            case ast.Attribute(attr="echo" | "secho" | "echo_via_pager" | "print_exception") if file not in PRINTERS:
                yield f"{file}:{node.lineno}: {node.attr}"
            case ast.Call(func=ast.Attribute(attr="print" | "log" | "out")) if file not in {*PRINTERS, "docs.py"}:
                yield f"{file}:{node.lineno}: call of a console"
            case ast.Attribute(value=ast.Attribute(attr="stdout" | "stderr"), attr="write" | "writelines" | "buffer"):
                yield f"{file}:{node.lineno}: {node.attr}"
            case ast.ImportFrom(module=str(module)) if module.split(".")[0] == "rich" and module != "rich.cells":
                if file not in DRAWERS or MARKUP.intersection(alias.name for alias in node.names):
                    yield f"{file}:{node.lineno}: {module}"
            case ast.ImportFrom(module="typer" | "click") | ast.Import(names=[ast.alias(name="rich" | "click")]):
                yield f"{file}:{node.lineno}: import"
            case ast.Attribute(attr="from_markup"):
                yield f"{file}:{node.lineno}: {node.attr}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_line_goes_one_way(path: Path) -> None:
    assert not list(other_ways(ast.parse(path.read_text(encoding="utf-8")), path.name))


@pytest.mark.parametrize(
    "code",
    ["print(x)", "typer.echo(x)", "typer.secho(x)", "sys.stderr.write(x)", "say2 = typer.echo", "bar.console.print(x)",
     "from rich.progress import TextColumn", "from typer import echo", "from rich import print"],
)  # fmt: skip
def test_another_way_is_seen(code: str) -> None:
    assert list(other_ways(ast.parse(code), "agent.py"))
