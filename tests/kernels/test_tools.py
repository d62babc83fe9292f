"""The report of what works here names every language, with a next step where one is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from passnet.kernels import toolchain, tools


def test_every_language_is_reported() -> None:
    found = {status.language: status for status in tools()}
    assert list(found) == ["C++", "CUDA C++", "Triton", "numba"]
    assert found["C++"].usable
    assert all(status.detail for status in found.values())


def test_a_missing_compiler_comes_with_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    toolchain.find_toolchain.cache_clear()
    monkeypatch.setattr(toolchain.shutil, "which", lambda name: None)
    status = tools()[0]
    toolchain.find_toolchain.cache_clear()
    assert not status.usable
    assert "apt install g++" in status.detail


def test_the_report_does_not_import_torch() -> None:
    script = "import sys; from passnet.kernels import tools; tools(); assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)
