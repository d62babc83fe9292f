"""The planted package, importable in workers too, and a device that nobody else waits for."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from passnet.diagnose import search_judge
from tests.planted_compilers import install


@pytest.fixture
def planted(tmp_path, monkeypatch):
    place = tmp_path / "site"
    place.mkdir()
    monkeypatch.syspath_prepend(place)
    monkeypatch.setattr(search_judge, "device_lock", lambda device: nullcontext())
    return install(place)
