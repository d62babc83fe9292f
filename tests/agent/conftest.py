"""A task of two variants, an environment without a device, and a run directory for each test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from passnet.agent.env.env import PassEnv
from tests.agent.agent_helpers import Clock, FakeWorkbench, task_copy


@pytest.fixture(scope="session")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return task_copy(tmp_path_factory.mktemp("tasks"))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make_env(tmp_path: Path, clock: Clock) -> Callable[..., PassEnv]:
    """An environment in a directory of its own; it is not reset."""
    made: list[PassEnv] = []

    def make(**fields: Any) -> PassEnv:
        directory = tmp_path / f"episode-{len(made)}"
        made.append(PassEnv(fields.pop("workbench", None) or FakeWorkbench(), directory, clock=clock, **fields))
        return made[-1]

    return make
