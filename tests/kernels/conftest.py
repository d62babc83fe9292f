"""Fixtures of the kernel tests: one cache of compiled kernels for the whole session, and a fresh one on demand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from passnet.kernels.compilation import compile


@pytest.fixture(autouse=True, scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Nothing that a test compiles lands in the user's cache."""
    before = compile.settings()
    path = tmp_path_factory.mktemp("kernels")
    compile.configure(cache_dir=path)
    torch.set_num_threads(1)
    yield path
    compile.restore(before)


@pytest.fixture
def fresh_cache(tmp_path: Path) -> Iterator[Path]:
    """An empty cache, and settings that may be changed."""
    before = compile.settings()
    path = tmp_path / "cache"
    compile.configure(cache_dir=path)
    yield path
    compile.restore(before)
