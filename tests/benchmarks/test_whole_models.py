"""The models of `benchmarks/whole_model.py`: one Parquet file of graphs, which load and run without a model library."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
import torch

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import whole_models

    return whole_models


def test_every_model_is_there_in_every_dtype(script: ModuleType) -> None:
    names = [graph.name for graph in script.graphs(script.MODELS)]
    assert names == sorted(f"{model}-{dtype}" for model in script._SOURCES for dtype in script.DTYPES)


def test_a_graph_is_whole_and_runs_as_a_model(script: ModuleType) -> None:
    graph = script.graphs(script.MODELS)[-1]
    assert graph.name == "resnet18-float32"
    assert graph.stored_hash is not None
    model, inputs = script.load(graph, "cpu")
    with torch.no_grad():
        outputs = model(*inputs)
    assert [tuple(value.shape) for value in inputs] == [(1, 3, 224, 224)]
    assert tuple((outputs[0] if isinstance(outputs, tuple) else outputs).shape) == (1, 1000)
