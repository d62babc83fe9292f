"""`passnet docs`: a list, a page, a path; plain Markdown in a pipe, rendered in a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from passnet import pages
from passnet.errors import InfrastructureError
from tests.cli.cli_runner import assert_one_clear_line, run


def test_the_list_has_every_page_with_its_title() -> None:
    shown = run("docs").out
    told = run("docs", "--json").document
    assert (told["schema"], told["directory"]) == (1, str(pages.home()))
    assert {path.stem for path in (pages.home() / "docs").glob("*.md")} | set(pages.OTHERS) == {
        row["page"] for row in told["pages"]
    }
    lines = {line.split()[0]: line for line in shown.splitlines() if line}
    assert all(lines[row["page"]].endswith(row["title"]) for row in told["pages"])


@pytest.mark.parametrize("name", ["passes", "passes.md", "docs/passes.md"])
def test_a_page_in_a_pipe_is_the_file(name: str) -> None:
    assert run("docs", name).out == (pages.home() / "docs" / "passes.md").read_text(encoding="utf-8")


def test_a_page_as_json() -> None:
    found = run("docs", "index", "--json").document
    assert (found["page"], found["title"]) == ("index", "PassNet")
    assert found["text"] == Path(found["path"]).read_text(encoding="utf-8")


def test_where_they_lie() -> None:
    assert run("docs", "--dir").out.strip() == str(pages.home())
    assert run("docs", "bundled", "--dir").out.strip() == str(pages.home() / "data" / "README.md")


def test_an_unknown_page_is_one_clear_line_with_the_known() -> None:
    assert_one_clear_line(run("docs", "pases"), "'pases'", "did you mean passes?", *(p.name for p in pages.all_pages()))
    assert_one_clear_line(run("docs", "../setup", "--json"), "../setup")


def test_a_terminal_gets_a_rendered_page_through_a_pager() -> None:
    ours, theirs = pty.openpty()
    shown = {**os.environ, "PAGER": "tr a-z A-Z", "TERM": "xterm", "COLUMNS": "80"}
    command = [sys.executable, "-m", "passnet", "docs", "install"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=shown) as process:
        os.close(theirs)
        text = b""
        while part := _read(ours):
            text += part
    os.close(ours)
    assert process.returncode == 0, text
    assert b"INSTALLING" in text and b"# INSTALLING" not in text


def _read(terminal: int) -> bytes:
    """What comes next from a terminal. Nothing once its other side is closed, which Linux tells as an error."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def test_a_package_without_pages_says_so(monkeypatch, tmp_path) -> None:
    (tmp_path / "package" / "passnet").mkdir(parents=True)
    monkeypatch.setattr(pages, "__file__", str(tmp_path / "package" / "passnet" / "pages.py"))
    with pytest.raises(InfrastructureError, match="install the package again"):
        pages.home()
    assert pages.tested("torch") is None
