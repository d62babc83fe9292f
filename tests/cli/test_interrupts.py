"""Ctrl-C and SIGTERM while modules are imported: no import is broken, and the command ends with one line and 130."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.child import environment, hear_ctrl_c

# Sends a signal inside the import of one module. As torch does, the import goes on without what was interrupted.
_BREAKS = """
import importlib.abc, os, runpy, sys, time
class Breaks(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            try:
                os.kill(os.getpid(), {number})
                time.sleep(0.2)
            except BaseException:
                print("the import was broken", file=sys.stderr)
        return None
sys.meta_path.insert(0, Breaks())
sys.argv[1:] = {arguments!r}
runpy.run_module("passnet", run_name="__main__")
"""
# The first module beyond Python's own, one of the commands, and one that a command imports when it runs.
_MODULES = ("typer", "passnet.cli.check", "passnet.pages")


def broken(module: str, number: int) -> subprocess.CompletedProcess[str]:
    code = _BREAKS.format(module=module, number=int(number), arguments=["docs"])
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=False, env=environment(), preexec_fn=hear_ctrl_c,
    )  # fmt: skip


@pytest.mark.parametrize("module", _MODULES)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_inside_an_import_ends_the_command_after_it(module: str, number: int) -> None:
    done = broken(module, number)
    assert (done.returncode, done.stderr) == (130, "passnet: stopped\n")


def test_an_import_that_never_ends_is_broken_after_all(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys, time; from passnet.cli import interrupts\n"
        "interrupts._LONGEST_S = 0.3; interrupts.listen(); sys.path.insert(0, sys.argv[1])\n"
        "try:\n    import endless\nexcept KeyboardInterrupt:\n    print('broken')"
    )
    (tmp_path / "endless.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGTERM)\ntime.sleep(600)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False, env=environment()
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "broken\n", "")


def test_a_signal_that_is_ignored_stays_so() -> None:
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); from passnet.cli import interrupts\n"
        "interrupts.listen(); signal.raise_signal(signal.SIGINT); print('went on')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    assert done.stdout == "went on\n"
