"""Runs `passnet ...` in this process as a shell would see it: exit code, standard output, standard error."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from dataclasses import dataclass
from typing import Any
from unittest import mock

from passnet.cli.main import main

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        return json.loads(self.out)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(*arguments: object, terminal: int | None = None) -> Done:
    """`terminal`: standard output is a terminal of so many columns. Its colours are left out of the answer."""
    out, err = io.StringIO() if terminal is None else _Terminal(), io.StringIO()
    argv = ["passnet", *map(str, arguments)]
    environment = {} if terminal is None else {"COLUMNS": str(terminal), "TERM": "xterm"}
    with (
        mock.patch.dict(os.environ, environment),
        mock.patch.object(sys, "argv", argv),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
    shown = out.getvalue() if terminal is None else _COLOUR.sub("", out.getvalue())
    return Done(code, shown, err.getvalue())


def assert_one_clear_line(done: Done, *words: str) -> None:
    """Bad input: exit code 2, one line on standard error that holds the words, and with `--json` a document of it."""
    assert done.code == 2, done
    if done.out:
        error = done.document["error"]
        assert (error["kind"], error["exit_code"]) == ("usage", 2)
        assert error["message"] in done.err
    lines = done.err.strip().splitlines()
    assert len(lines) == 1, done.err
    assert lines[0].startswith("passnet: ")
    for word in words:
        assert word in lines[0]
