"""The models of `whole_model.py` as one Parquet file of graphs, so that they run where no model library is installed.

    python benchmarks/whole_models.py [benchmarks/models.parquet]

Each row is one whole forward call of a model of timm or transformers, captured with random weights. The language models
have fewer layers than published ones and a small vocabulary. A graph holds no weights, only shapes and statistics. The
entry "arguments" of its metadata names the inputs that the caller gives.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from passnet.dataset.tables.rows import Row
from passnet.dataset.tables.store import read_rows, write_rows
from passnet.graph import Graph

MODELS = Path(__file__).resolve().parent / "models.parquet"
SEED = 3
_TEXT = {"vocab_size": 1024, "attn_implementation": "eager", "use_cache": False, "initializer_range": 0.05}
_TOKENS = {"bos_token_id": 1, "eos_token_id": 2}
# Name -> (library, model, options, shape of one call: images (batch, pixels), text (batch, tokens)).
_SOURCES: dict[str, tuple[str, str, dict[str, Any], tuple[int, int]]] = {
    "resnet18": ("timm", "resnet18", {}, (1, 224)),
    "convnext_atto": ("timm", "convnext_atto", {}, (1, 224)),
    "poolformer_s12": ("timm", "poolformer_s12", {}, (1, 224)),
    "gpt2": ("transformers", "GPT2", {**_TEXT, **_TOKENS, "n_embd": 768, "n_layer": 4, "n_head": 12}, (1, 128)),
    "bloom": ("transformers", "Bloom", {**_TEXT, "hidden_size": 1024, "n_layer": 4, "n_head": 16}, (1, 128)),
    "llama": (
        "transformers",
        "Llama",
        {
            **_TEXT,
            "hidden_size": 1024,
            "intermediate_size": 2816,
            "num_hidden_layers": 4,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
        },
        (1, 128),
    ),
}
DTYPES = {"float32": torch.float32, "float16": torch.float16}


class WholeModel(nn.Module):
    """A captured graph as the model that it was: parameters belong to it, the rest is given in every call."""

    def __init__(self, graph: Graph, device: str) -> None:
        super().__init__()
        self.graph_module = graph.module(device, propagated=False)
        values = graph.inputs(SEED, device)
        given = graph.meta["arguments"]
        assert isinstance(given, list)
        self.order: list[str | None] = []
        self.arguments: list[torch.Tensor] = []
        for spec, value in zip(graph.specs, values, strict=True):
            if spec.name in given:
                self.order.append(None)
                self.arguments.append(value)
            else:
                self.register_buffer(spec.name, value)
                self.order.append(spec.name)

    def forward(self, *given: torch.Tensor) -> Any:
        rest = iter(given)
        values = [next(rest) if name is None else getattr(self, name) for name in self.order]
        return self.graph_module(*values)


def graphs(file: Path) -> list[Graph]:
    """The graphs of a Parquet file of models, by name."""
    return sorted((row.graph() for row in read_rows(file)), key=lambda graph: graph.name)


def load(graph: Graph, device: str) -> tuple[WholeModel, tuple[torch.Tensor, ...]]:
    """A graph as a model, and the inputs of one call."""
    model = WholeModel(graph, device).eval()
    return model, tuple(model.arguments)


def captured() -> Iterator[Graph]:
    """Every model in every dtype. Needs timm and transformers."""
    from passnet.dataset.bundle.sources import BundleSource
    from passnet.dataset.capture.dynamo import trace
    from passnet.dataset.capture.model import About, full_graph

    for name, (library, model, options, shape) in _SOURCES.items():
        for dtype_name, dtype in DTYPES.items():
            source = BundleSource(library, model, options)
            arguments = source.arguments(shape, dtype)
            found = trace(source.build(dtype, image=shape[1]), (), arguments)
            assert len(found.graphs) == 1, found.breaks
            whole = found.graphs[0]
            graph = full_graph(whole, About(library, name, "benchmark", name, "real"))
            given = [
                spec.name
                for spec, value in zip(graph.specs, whole.inputs, strict=True)
                if any(value.shape == other.shape and torch.equal(value, other) for other in arguments.values())
            ]
            graph = replace(graph, name=f"{name}-{dtype_name}", meta={**graph.meta, "arguments": given})
            print(f"{graph.name}: {len(graph.statements())} operations, {graph.nbytes >> 20} MiB, given {given}")
            yield graph


if __name__ == "__main__":
    torch.set_num_threads(1)
    write_rows(Path(sys.argv[1]) if len(sys.argv) > 1 else MODELS, map(Row.from_graph, captured()))
