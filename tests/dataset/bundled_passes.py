"""Checks of bundled passes against eager, shared by the tests and by the process that interprets Triton kernels."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import torch

from passnet.graph import Graph, fake_inputs, propagate
from passnet.rewrite import load_rules, read_pass_set, rewrite

DATA = Path(__file__).parents[2] / "data" / "tasks"
TASKS = sorted(path.parent.name for path in DATA.glob("*/graph_list.txt"))
# Eager rounds after every operator and a pass once, so they may differ by a few units of rounding of large values.
UNITS = 16


def is_small(graph: Graph) -> bool:
    return graph.name.split("/")[1] == "0"


def rewritten_module(name: str, graph: Graph, *, device: str, rules: str) -> torch.fx.GraphModule:
    """The graph on `device` with the pass set's rules for the device `rules` applied, each of which must match."""
    loaded = load_rules(read_pass_set(DATA / name / "pass_dir"), rules)
    assert not loaded.failed
    module = graph.module(device)
    propagate(module, fake_inputs(graph.specs, device))
    rewritten = rewrite(module, loaded.rules)
    assert rewritten.total == 1, rewritten.near_misses
    return rewritten.gm


def check_pass(name: str, graphs: Iterable[Graph], *, device: str = "cpu", rules: str = "cpu") -> None:
    """The rewritten graphs give eager's outputs for two draws of inputs, and leave the inputs as they were."""
    for graph in graphs:
        module, candidate = graph.module(device), rewritten_module(name, graph, device=device, rules=rules)
        for seed in (1, 2):
            inputs = graph.inputs(seed, device)
            before = [value.clone() for value in inputs]
            with torch.no_grad():
                expected, got = module(*[value.clone() for value in inputs]), candidate(*inputs)
            assert all(torch.equal(a, b) for a, b in zip(inputs, before, strict=True))
            compare(graph.name, expected, got if isinstance(got, tuple) else (got,))


def compare(name: str, expected: tuple[torch.Tensor, ...], got: tuple[torch.Tensor, ...]) -> None:
    """Same types, and values within a few units of rounding of the largest: zeros or a constant are far outside."""
    assert len(expected) == len(got)
    for one, two in zip(expected, got, strict=True):
        assert (one.dtype, one.shape, one.stride()) == (two.dtype, two.shape, two.stride())
        limit = UNITS * torch.finfo(one.dtype).eps * float(one.abs().max())
        assert float((one.double() - two.double()).abs().max()) <= limit, name
