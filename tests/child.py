"""Processes that tests start: with this checkout's code first on the path, and Ctrl-C as a terminal gives it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

ROOT = Path(__file__).parents[1]


def environment(**more: str) -> dict[str, str]:
    """This process's environment, with the `passnet` and `tests` that are tested before what else was on the path."""
    known = os.environ.get("PYTHONPATH")
    path = [str(ROOT / "src"), str(ROOT), *([known] if known else [])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(path)} | more


def hear_ctrl_c() -> None:
    """As `preexec_fn`: whoever starts the tests in the background has SIGINT ignored, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
