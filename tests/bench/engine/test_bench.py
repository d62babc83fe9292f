"""A bench leaves nothing behind, also when it cannot start."""

from __future__ import annotations

from pathlib import Path

import pytest

from passnet.bench.engine import bench as module
from passnet.bench.engine.bench import Bench
from passnet.bench.record.protocol import Protocol


def test_a_bench_whose_drawer_cannot_start_leaves_no_scratch_and_no_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ended: list[object] = []
    monkeypatch.setattr(module.tempfile, "mkdtemp", lambda prefix: str(_made(tmp_path / "scratch")))
    close = module.ForkServer.close
    monkeypatch.setattr(module.ForkServer, "close", lambda server: (ended.append(server), close(server)))

    def broken(*_: object) -> None:
        raise OSError("no process can be started")

    monkeypatch.setattr(Bench, "_started_drawer", broken)
    with pytest.raises(OSError, match="no process"):
        Bench("cpu", "eager", Protocol(), tmp_path / "logs")
    assert not (tmp_path / "scratch").exists()
    assert ended


def _made(path: Path) -> Path:
    path.mkdir()
    return path
