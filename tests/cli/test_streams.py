"""Closed standard streams, and readers that leave: no traceback, no word in a file, and the command's own exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.child import ROOT, environment

PASSNET = f"{sys.executable} -m passnet.cli.main"
# A document, a table, and a usage error.
COMMANDS = {"tasks list --json": 0, "tasks list": 0, "--nowhere": 2}


def shell(line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, check=False, cwd=ROOT, env=environment() | variables
    )


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_failure(command: str, closed: str) -> None:
    done = shell(f"{PASSNET} {command} {closed}")
    assert done.returncode == COMMANDS[command], done
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr
    if COMMANDS[command] == 0:
        assert not done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_that_leaves_is_no_failure(command: str, unbuffered: str) -> None:
    done = shell(f"{PASSNET} {command} | true; echo ${{PIPESTATUS[0]}}", PYTHONUNBUFFERED=unbuffered)
    assert done.stdout == f"{COMMANDS[command]}\n", done
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


def test_the_lines_that_a_reader_takes_are_whole() -> None:
    whole = shell(f"{PASSNET} tasks list --json").stdout
    done = shell(f"{PASSNET} tasks list --json | head -3")
    assert (done.returncode, done.stdout, done.stderr) == (0, "".join(whole.splitlines(keepends=True)[:3]), "")


def test_a_file_never_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """Words for standard error would go into it."""
    (tmp_path / "opens.py").write_text(
        "import os, sys; from passnet.cli import streams; streams.hold()\n"
        "file = open(sys.argv[1], 'w'); assert file.fileno() > 2, file.fileno()\n"
        "os.write(1, b'x'); os.write(2, b'x'); assert os.read(0, 1) == b''\n"
        "assert all(map(os.get_inheritable, range(3))); streams.hold()\n"
        "print('x'); print('x', file=sys.stderr)\n"
    )
    status = tmp_path / "status"
    shell(f"{sys.executable} {tmp_path}/opens.py {tmp_path}/records <&- >&- 2>&-; echo $? > {status}")
    assert status.read_text() == "0\n"
    assert (tmp_path / "records").read_bytes() == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_standard_error_that_takes_nothing_changes_no_exit_code(unbuffered: str) -> None:
    assert shell(f"{PASSNET} score nowhere 2> /dev/full", PYTHONUNBUFFERED=unbuffered).returncode == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["tasks list", "tasks list --json", "--help"])
def test_a_full_disk_is_told_once(command: str, unbuffered: str) -> None:
    done = shell(f"{PASSNET} {command} > /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 3
    assert done.stderr.startswith("passnet: standard output") and done.stderr.count("\n") == 1
