"""Fixtures of the graph tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import torch

from passnet.graph import TensorSpec
from tests.graph.graph_helpers import META


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Path]:
    """Writes a graph directory file by file, so that any of them can be wrong."""

    def write(source: str, weights: str | Sequence[TensorSpec], meta: str | None = None, name: str = "sample") -> Path:
        path = tmp_path / name
        path.mkdir()
        (path / "model.py").write_text(source, encoding="utf-8")
        text = weights if isinstance(weights, str) else "\n\n".join(item.text() for item in weights)
        (path / "weight_meta.py").write_text(text, encoding="utf-8")
        (path / "graph_net.json").write_text(json.dumps(META) if meta is None else meta, encoding="utf-8")
        return path

    return write
