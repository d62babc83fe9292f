"""A bench leaves nothing behind, also when it cannot start."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from passnet.bench.engine import bench as module
from passnet.bench.engine.bench import Bench
from passnet.bench.record.protocol import Protocol


def test_a_bench_whose_drawer_cannot_start_leaves_no_scratch_and_no_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ended: list[object] = []
    real = tempfile.mkdtemp  # a library that nobody has built yet is built meanwhile, in a directory of the cache

    def made(*, prefix: str, dir: Path | None = None) -> str:
        return real(prefix=prefix, dir=dir) if dir is not None else str(_made(tmp_path / "scratch"))

    monkeypatch.setattr(tempfile, "mkdtemp", made)
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
