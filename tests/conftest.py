"""What every test may rely on, whatever the shell that started them has set."""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import settings

# How wide a terminal is and whether it shows colours: tests read what is written for people.
for _name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "TTY_COMPATIBLE"):
    os.environ.pop(_name, None)

# How long one example takes says how busy the machine is.
settings.register_profile("passnet", deadline=None)
settings.load_profile("passnet")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Random tensors are the same in every run: what a test finds it finds again."""
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)
