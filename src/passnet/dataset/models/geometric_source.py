"""Layers and models of torch-geometric on a small random graph, built from the names of their own arguments."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from passnet.dataset.models import families
from passnet.dataset.models.building import Call, ModelRecipe, NoInputs, first_working
from passnet.dataset.models.source import Case, Domain, Method
from passnet.errors import MissingExtra
from passnet.op_classes import word_set

NODES, EDGES, FEATURES, HIDDEN, EDGE_FEATURES, RELATIONS = 24, 72, 16, 32, 8, 3
_PSEUDO = 2

# Required constructor argument -> value.
_ARGUMENTS: Mapping[str, object] = {
    "in_channels": FEATURES, "out_channels": HIDDEN, "hidden_channels": HIDDEN, "channels": FEATURES,
    "num_layers": 2, "num_relations": RELATIONS, "num_nodes": NODES, "embedding_dim": HIDDEN, "K": 2, "k": 6,
    "alpha": 0.1, "dim": _PSEUDO, "kernel_size": 3, "depth": 2, "edge_dim": EDGE_FEATURES, "filter_size": 2,
    "space_dimensions": 3, "propagate_dimensions": 8, "first_aggr": True, "num_timesteps": 2, "mode": "max",
    "num_node_types": RELATIONS, "num_edge_types": RELATIONS, "edge_type_emb_dim": 4, "edge_attr_emb_dim": 4,
    "num_blocks": 2, "num_bilinear": 4, "num_spherical": 3, "num_radial": 4, "int_emb_size": 8, "basis_emb_size": 4,
    "out_emb_channels": 16, "hidden_node_channels": HIDDEN, "hidden_edge_channels": HIDDEN, "num_classes": RELATIONS,
    "aggregators": ["mean", "max", "std"], "scalers": ["identity", "amplification"],
}  # fmt: skip
# Class -> further constructor arguments, beyond the required ones or instead of the values above.
_OPTIONS: Mapping[str, Mapping[str, object]] = {
    "APPNP": {"K": 3},
    "AntiSymmetricConv": {"in_channels": FEATURES},
    "CGConv": {"dim": EDGE_FEATURES},
    "GATConv": {"heads": 2, "edge_dim": EDGE_FEATURES},
    "GATv2Conv": {"heads": 2, "edge_dim": EDGE_FEATURES},
    "TransformerConv": {"heads": 2, "edge_dim": EDGE_FEATURES, "beta": True},
    "GENConv": {"edge_dim": EDGE_FEATURES},
    "MaskLabel": {"out_channels": FEATURES},
    "RGATConv": {"heads": 2, "edge_dim": EDGE_FEATURES},
    "RGCNConv": {"num_bases": 2},
    "PNAConv": {"edge_dim": EDGE_FEATURES},
    "PNA": {"aggregators": ["mean", "max"], "scalers": ["identity"], "out_channels": HIDDEN},
    "GAT": {"heads": 2, "v2": True, "out_channels": HIDDEN},
    "GeneralConv": {"in_edge_channels": EDGE_FEATURES, "attention": True},
    "SuperGATConv": {"heads": 2},
    "EGConv": {"num_heads": 4, "num_bases": 2},
    "XConv": {"dim": 3},
    "NeuralFingerprint": {"num_layers": 2},
    "MLP": {"channel_list": [FEATURES, HIDDEN, HIDDEN]},
    "LabelPropagation": {"num_layers": 3},
    "SchNet": {"num_interactions": 2, "num_filters": 32, "num_gaussians": 16, "hidden_channels": HIDDEN},
    "ViSNet": {"num_layers": 2, "hidden_channels": HIDDEN, "num_rbf": 8},
}
# Class -> arguments that it hands on to its layers, which require them.
_HANDED_ON: Mapping[str, tuple[str, ...]] = {"PNA": ("deg",)}
# Class -> optional arguments of `forward` that are given too.
_GIVEN: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("GATConv", "GATv2Conv", "TransformerConv", "GINEConv", "NNConv", "CGConv", "PNAConv", "GENConv", "PDNConv",
         "GeneralConv", "HEATConv"), ("edge_attr",),
    ),
    **dict.fromkeys(
        ("GCNConv", "GraphConv", "ChebConv", "TAGConv", "ARMAConv", "GatedGraphConv", "GCN", "LEConv", "MixHopConv",
         "GCN2Conv", "SGConv", "APPNP"), ("edge_weight",),
    ),
    **dict.fromkeys(("GMMConv", "SplineConv"), ("pseudo",)),
    **dict.fromkeys(("RGCNConv", "FastRGCNConv", "FiLMConv"), ("edge_type",)),
    "RGATConv": ("edge_type", "edge_attr"),
    "PMLP": ("edge_index",),
}  # fmt: skip
# These need other libraries, a sampler or a dataset, or are no models.
_LEFT_OUT = word_set("""
MessagePassing CuGraphSAGEConv CuGraphGATConv CuGraphRGCNConv FusedGATConv HeteroConv HGTConv HANConv MeshCNNConv
HeteroJumpingKnowledge MetaLayer Node2Vec MetaPath2Vec DeepGraphInfomax GAE VGAE ARGA ARGVA RENet GPSE GPSENodeEncoder
DeepGCNLayer TGNMemory CorrectAndSmooth GroupAddRev LPFormer ARLinkPredictor WLConv WLConvContinuous HypergraphConv
""")


class GeometricSource:
    """Adapter of torch-geometric: convolutions (`conv.GCNConv`) and models (`models.GCN`)."""

    library = "torch-geometric"

    def names(self) -> Sequence[str]:
        """All that can be built here, sorted. Errors: UsageError when torch-geometric cannot be imported."""
        nn = _geometric().nn
        return sorted(
            f"{room}.{name}"
            for room in ("conv", "models")
            for name in getattr(nn, room).__all__
            if name not in _LEFT_OUT and inspect.isclass(getattr(getattr(nn, room), name))
        )

    def family(self, name: str) -> str:
        """The class without "Conv": a layer and the model built from it are one family."""
        return families.normalise(name.rpartition(".")[2].removesuffix("Conv"))

    def domain(self, name: str) -> Domain:
        """All work on graphs."""
        return "graph"

    def methods(self, name: str) -> Sequence[Method]:
        """Real alone: they are small, and their indices are values."""
        return ("real",)

    def build(self, name: str, method: Method) -> Case:
        """The class with its required arguments, and a random graph of 24 nodes and 72 edges."""
        room, _, short = name.partition(".")
        cls = getattr(getattr(_geometric().nn, room), short)
        return first_working(name, method, [ModelRecipe(lambda: _model(cls, short), lambda: _call(cls, short))])


def _model(cls: type[torch.nn.Module], name: str) -> torch.nn.Module:
    keys = [*_required(cls.__init__), *_HANDED_ON.get(name, ())]
    options = {**{key: _argument(key, name) for key in keys}, **_OPTIONS.get(name, {})}
    return cls(**options)


def _argument(key: str, name: str) -> Any:
    makers: Mapping[str, Callable[[], Any]] = {
        "nn": lambda: _perceptron(*_NETWORKS.get(name, (FEATURES, HIDDEN))),
        "conv": lambda: _geometric().nn.GCNConv(FEATURES, FEATURES),
        "deg": lambda: torch.bincount(torch.arange(EDGES) % 5),
        "mlp_h": lambda: _perceptron(FEATURES, 3),
        "mlp_f": lambda: _perceptron(FEATURES + 3, HIDDEN),
        "mlp_g": lambda: _perceptron(HIDDEN, FEATURES),
    }
    if key in makers:
        return makers[key]()
    if key not in _ARGUMENTS:
        raise TypeError(f"{name} needs an argument {key!r} for which no value is known")
    return _ARGUMENTS[key]


# Class -> sizes of the network that its layer is built around.
_NETWORKS: Mapping[str, tuple[int, int]] = {
    "GINEConv": (FEATURES, HIDDEN),
    "NNConv": (EDGE_FEATURES, FEATURES * HIDDEN),
    "EdgeConv": (2 * FEATURES, HIDDEN),
    "DynamicEdgeConv": (2 * FEATURES, HIDDEN),
}


def _perceptron(inside: int, outside: int) -> torch.nn.Module:
    return torch.nn.Sequential(torch.nn.Linear(inside, 24), torch.nn.ReLU(), torch.nn.Linear(24, outside))


def _call(cls: type[torch.nn.Module], name: str) -> Call:
    wanted = [*_required(cls.forward), *_GIVEN.get(name, ())]
    if not wanted:
        raise NoInputs(f"{name}.forward names no inputs")
    made = {("edge_attr" if key == "pseudo" else key): _input(key, name) for key in wanted}
    return (), made


def _input(key: str, name: str) -> object:
    if name == "GINEConv" and key == "edge_attr":
        return torch.randn(EDGES, FEATURES)  # It adds them to the nodes' features.
    if name == "DNAConv" and key == "x":
        return torch.randn(NODES, 3, FEATURES)  # One slice per earlier layer.
    makers: Mapping[str, Callable[[], object]] = {
        "x": lambda: torch.randn(NODES, FEATURES),
        "x_0": lambda: torch.randn(NODES, FEATURES),
        "xs": lambda: [torch.randn(NODES, FEATURES) for _ in range(3)],
        "edge_index": _edges,
        "pos_edge_index": _edges,
        "neg_edge_index": _edges,
        "edge_attr": lambda: torch.randn(EDGES, EDGE_FEATURES),
        "edge_weight": lambda: torch.rand(EDGES) + 0.1,
        "edge_type": lambda: torch.randint(0, RELATIONS, (EDGES,)),
        "node_type": lambda: torch.randint(0, RELATIONS, (NODES,)),
        "pseudo": lambda: torch.rand(EDGES, _PSEUDO),
        "pos": lambda: torch.randn(NODES, 3),
        "normal": lambda: torch.nn.functional.normalize(torch.randn(NODES, 3), dim=1),
        "z": lambda: torch.randn(NODES, FEATURES) if name == "InnerProductDecoder" else torch.randint(1, 9, (NODES,)),
        "batch": lambda: torch.arange(NODES) * 2 // NODES,
        "y": lambda: torch.randint(0, RELATIONS, (NODES,)),
        "mask": lambda: torch.arange(NODES) % 2 == 0,
    }
    if key not in makers:
        raise NoInputs(f"{name}.forward needs an input {key!r} for which no value is known")
    return makers[key]()


def _edges() -> torch.Tensor:
    """Edges [2, E]: a ring, so that every node has a neighbour, and random ones."""
    ring = torch.stack([torch.arange(NODES), (torch.arange(NODES) + 1) % NODES])
    return torch.cat([ring, torch.randint(0, NODES, (2, EDGES - NODES))], dim=1)


def _required(function: Callable[..., object]) -> list[str]:
    """Names of the parameters without defaults, self left out."""
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.KEYWORD_ONLY)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return [one.name for one in parameters if one.default is one.empty and one.kind in plain]


@functools.cache
def _geometric() -> Any:
    try:
        geometric = importlib.import_module("torch_geometric")
        importlib.import_module("torch_geometric.nn")
    except ImportError as error:
        raise MissingExtra("the source", "torch_geometric", reason=str(error)) from error
    return geometric
