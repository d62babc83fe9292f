"""The settings of kernels are those of Inductor's own heuristics, for kernels of real graphs."""

import os
from pathlib import Path

import pytest
import torch

from passnet.agent.authors.distill import triton
from passnet.agent.authors.distill.plan import parse
from passnet.agent.lowering.inductor import NotGenerated, generate
from passnet.agent.lowering.launch_model import LaunchSettings
from passnet.agent.lowering.launches import heuristics
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

TASKS = Path(__file__).resolve().parents[3] / "data" / "tasks"
NAMES = sorted(path.name for path in TASKS.iterdir())


def graphs_of(task, dtype):
    return [Graph.read(file.parent) for file in sorted((TASKS / task / "graphs" / dtype).rglob("model.py"))]


def as_inductor_would(text, monkeypatch):
    """The configurations that the kernel's decorator gives to Inductor's autotuner."""
    from torch._inductor.runtime import triton_helpers, triton_heuristics

    seen = []

    class Autotuner(triton_heuristics.CachingAutotuner):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            seen.extend(self.configs)

    with monkeypatch.context() as patch:
        patch.setenv("TRITON_CACHE_DIR", "")
        patch.setattr(torch.cuda, "is_available", lambda: True)
        patch.setattr(triton_helpers, "set_driver_to_gpu", lambda: None)
        patch.setattr(triton_heuristics, "CachingAutotuner", Autotuner)
        # A newer torch binds the class of the autotuner where the function is defined.
        defaults = triton_heuristics.cached_autotune.__defaults__
        swapped = tuple(Autotuner if value is Autotuner.__base__ else value for value in defaults)
        patch.setattr(triton_heuristics.cached_autotune, "__defaults__", swapped)
        from torch._inductor.codecache import PyCodeCache

        PyCodeCache.load(text)
    return [(tuple(config.kwargs.items()), config.num_warps, config.num_stages) for config in seen]


@pytest.mark.parametrize("task", NAMES)
def test_kernels_of_real_graphs_have_inductors_own_settings(task, monkeypatch):
    for dtype in ("float16", "float32"):
        for graph in graphs_of(task, dtype):
            for kernel in parse(generate(graph, "cuda")).kernels:
                answer = heuristics(kernel.text)
                found = [(row.values, row.warps, row.stages) for row in answer.settings]
                assert found == list(dict.fromkeys(as_inductor_would(kernel.text, monkeypatch)))


@pytest.mark.parametrize("task", NAMES)
def test_a_draft_launches_what_is_likely_the_fastest(task):
    for graph in graphs_of(task, "float16"):
        plan = parse(generate(graph, "cuda"))
        text = triton.source(plan, suffix="_0")
        known = {kernel.name: heuristics(kernel.text) for kernel in plan.kernels}
        lines = [line for line in text.launch.splitlines() if "num_warps" in line]
        assert len(lines) == len(plan.calls)
        for line, call in zip(lines, plan.calls, strict=True):
            first = known[call.kernel].likely[0]
            told = [*first.values, ("num_warps", first.warps), ("num_stages", first.stages), ("enable_fp_fusion", True)]
            assert line.endswith(", ".join(f"{name}={value}" for name, value in told) + ")")


def test_a_reduction_over_rows_keeps_neighbouring_columns_in_a_program():
    graph = graph_of([spec("x", 4096, 2048)], "a = x.sum(dim = 0)", "return (a,)")
    for kernel in parse(generate(graph, "cuda")).kernels:
        assert dict(heuristics(kernel.text).likely[0].values).get("XBLOCK", 1) >= 8


@pytest.mark.parametrize(
    ("rows", "columns", "least"), [(4_194_304, 9, 8), (65_536, 33, 4), (8192, 9, 8), (16, 9, 1), (4096, 1024, 1)]
)
def test_a_reduction_of_short_rows_has_many_of_them_in_a_program(rows, columns, least):
    graph = graph_of([spec("x", rows, columns)], "a = x.softmax(dim = -1)", "return (a,)")
    (kernel,) = parse(generate(graph, "cuda")).kernels
    assert least <= dict(heuristics(kernel.text).likely[0].values)["XBLOCK"] <= 256


def test_neighbours_differ_by_one_step_and_stay_in_bounds():
    (kernel,) = parse(generate(graphs_of("efficientnet_bn_silu_mean", "float32")[0], "cuda")).kernels
    known = heuristics(kernel.text)
    first = known.settings[0]
    near = list(known.neighbours(first))
    assert near and first not in near
    for settings in near:
        pairs = [*zip(settings.values, first.values, strict=True), ((0, settings.warps), (0, first.warps))]
        changed = [(new, old) for (_, new), (_, old) in pairs if new != old]
        assert len(changed) == 1 and changed[0][0] in (changed[0][1] * 2, changed[0][1] // 2)
    limits = {name.rstrip("_"): size for name, size in known.facts.sizes}
    for settings in near:
        for name, value in settings.values:
            assert value <= limits[name.removesuffix("_BLOCK").removesuffix("BLOCK").lower()]


def test_asking_leaves_the_process_as_it_was():
    (kernel,) = parse(generate(graphs_of("bloom_gelu", "float32")[0], "cuda")).kernels
    before, there = os.environ.get("TRITON_CACHE_DIR"), torch.cuda.is_available()
    heuristics.cache_clear()
    heuristics(kernel.text)
    assert os.environ.get("TRITON_CACHE_DIR") == before and torch.cuda.is_available() == there


def test_a_kernel_whose_grid_needs_more_is_not_generated():
    (kernel,) = parse(generate(graphs_of("bloom_gelu", "float32")[0], "cuda")).kernels
    known = heuristics(kernel.text)
    with pytest.raises(NotGenerated, match="grid"):
        known.grid(LaunchSettings((("XBLOCK", 64),), 4, 1), {})


def test_memory_is_used_again_on_a_gpu_and_not_in_cpp():
    statements = ["a = x.softmax(-1)", "b = a.relu()", "c = b.softmax(0)", "d = c + b", "return (d,)"]
    graph = graph_of([spec("x", 640, 400)], *statements)
    large = [buffer for buffer in parse(generate(graph, "cuda")).buffers if buffer.elements == 640 * 400]
    assert len(large) == 1
    assert sum(buffer.elements == 640 * 400 for buffer in parse(generate(graph, "cpu")).buffers) > 1
