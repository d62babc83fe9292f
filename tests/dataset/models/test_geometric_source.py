"""The torch-geometric adapter: layers and models are built from their own signatures and run on a small graph."""

from importlib.util import find_spec

import pytest

from passnet.dataset.capture.model import capture_model
from passnet.dataset.models.geometric_source import GeometricSource

pytestmark = pytest.mark.skipif(find_spec("torch_geometric") is None, reason="torch_geometric is not installed")
SOURCE = GeometricSource()


def test_names_and_families():
    names = SOURCE.names()
    assert {"conv.GCNConv", "models.GCN"} <= set(names)
    assert SOURCE.family("conv.GCNConv") == SOURCE.family("models.GCN") == "gcn"
    assert SOURCE.domain("conv.GCNConv") == "graph"


@pytest.mark.parametrize("name", ["conv.SAGEConv", "conv.GATv2Conv", "conv.GINConv", "models.GraphSAGE"])
def test_layers_are_captured_whole_and_pass_every_gate(name):
    record, _ = capture_model(SOURCE, name)
    assert record.complete
    assert all(count.failed == 0 for count in record.gates.values()), record.gates


def test_indices_stay_within_the_graph():
    case = SOURCE.build("conv.GCNConv", "real")
    edges = case.kwargs["edge_index"]
    assert edges.shape[0] == 2
    assert int(edges.max()) < len(case.kwargs["x"])
