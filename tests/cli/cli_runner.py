"""Runs `passnet ...` in this process as a shell would see it: exit code, standard output, standard error."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from dataclasses import dataclass
from typing import Any
from unittest import mock

from passnet.cli.main import main


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        return json.loads(self.out)


def run(*arguments: object) -> Done:
    out, err = io.StringIO(), io.StringIO()
    argv = ["passnet", *map(str, arguments)]
    with mock.patch.object(sys, "argv", argv), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
    return Done(code, out.getvalue(), err.getvalue())


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
