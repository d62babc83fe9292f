"""The tools on a CUDA device: kernels in the profile, Triton as source, a bundled Triton pass from check to submit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
import torch
from torch._inductor import config as inductor_config

from passnet.agent.authors.distill import recipes
from passnet.agent.authors.distill.author import DistillAuthor
from passnet.agent.authors.distill.candidates import Candidates
from passnet.agent.authors.distill.plan import parse
from passnet.agent.authors.distill.tuning import Tuner, with_fewer_launches
from passnet.agent.env.env import PassEnv
from passnet.agent.lowering.inductor import generate
from passnet.agent.lowering.launches import heuristics
from passnet.agent.record.budget import Budget
from passnet.agent.workbench.live import LiveWorkbench
from passnet.graph import Graph
from passnet.rewrite import load_rules, read_pass_set, rewrite
from tests.agent.agent_helpers import BUNDLED, MANIFEST, SHORT
from tests.graph.graph_helpers import graph_of, spec

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
]
PASS = "bloom_gelu_triton"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveWorkbench]:
    rules = SHORT.model_copy(update={"first_call_s": 60.0, "build_s": 120.0})
    with LiveWorkbench("cuda", rules, tmp_path_factory.mktemp("run")) as bench:
        yield bench


@pytest.fixture
def env(bench: LiveWorkbench, task: Path, tmp_path: Path) -> PassEnv:
    env = PassEnv(bench, tmp_path / "episode", budget=Budget(steps=0))
    env.reset(task)
    return env


def test_the_profile_names_kernels_and_their_statements(env: PassEnv) -> None:
    seen = env.profile("0")
    assert [row["index"] for row in seen.data["statements"]] == list(range(9))
    assert all(row["us"] > 0 for row in seen.data["statements"])
    assert sum(kernel["count"] for kernel in seen.data["kernels"]) == 9
    assert any("tanh" in kernel["name"] for kernel in seen.data["kernels"])
    assert seen.data["total_us"] > 0
    for kernel in seen.data["kernels"]:
        assert kernel["registers"] > 0 and kernel["block"][0] > 0 and 0 <= kernel["occupancy_percent"] <= 100
    assert "registers" in seen.text


def test_the_source_is_triton(env: PassEnv) -> None:
    assert "tl.store(" in env.kernel_source().text


def test_a_bundled_pass_is_checked_measured_and_submitted(env: PassEnv) -> None:
    text = (BUNDLED / "bloom_gelu" / "pass_dir" / f"{PASS}.py").read_text()
    env.create(f"{PASS}.py", text)
    env.create(MANIFEST, f'["{PASS}"]')
    checked = env.check()
    assert checked.data["ok"], checked.text
    seen = env.evaluate()
    assert [row["outcome"] for row in seen.data["graphs"]] == ["correct", "correct"], seen.text
    assert seen.score is not None
    assert seen.score > 1.0
    assert env.submit().done


TURNED = ("a = x.transpose(1, 2)", "b = a.contiguous()", "c = b.relu()", "return (c,)")
SOFTMAX = ("a = torch.softmax(x, dim = -1)", "return (a,)")
PLACES = (
    "a = x.round()",
    "b = a.argmax(dim = -1)",
    "c = a.argmin(dim = 0)",
    "d = a.min(dim = -1)",
    "e = d[1]",
    "return (b, c, e)",
)
MANY = (f"a = torch.cat([{', '.join(f'x{n}' for n in range(10))}], dim = -1)", "return (a,)")
APART = ("a = x.relu()", "b = y.sigmoid()", "c = z.tanh()", "return (a, b, c)")
JOINED = ("a = x * 2", "b = x.relu()", "c = torch.cat([a, b, x], dim = -1)", "return (c,)")


@pytest.mark.parametrize(
    "graph",
    [
        graph_of([spec("x", 2_500, 32, 33)], *TURNED),
        graph_of([spec("x", 100_000, 32, 33, dtype="float16")], *TURNED),
        graph_of([spec("x", 4, 300_000)], *SOFTMAX),
        graph_of([spec("x", 4, 300_000, dtype="bfloat16")], *SOFTMAX),
        graph_of([spec("x", 70, 90)], *PLACES),
        graph_of([spec("x", 300, 40_000)], *PLACES),
        graph_of([spec("x", 64, 400)], *JOINED),
        graph_of([spec(f"x{n}", 64, 40 + n) for n in range(10)], *MANY),
        graph_of([spec("x", 64, 16), spec("y", 64, 16)], "a = x.add_(y)", "b = y * 2", "return (a, b)"),
        graph_of([spec("x", 64, 16), spec("y", 64, 8)], "x[:, :8] = y", "a = x + 1", "return (a,)"),
        graph_of([spec("x", 4096, 300)], "a = x.sum(dim = 0)", "return (a,)"),
        graph_of([spec(name, 512, 512) for name in "xyz"], *APART),
    ],
    ids=[
        "y",
        "y onto z",
        "softmax in parts",
        "half softmax in parts",
        "places",
        "places in parts",
        "joined",
        "many joined",
        "in place",
        "an item",
        "down the rows",
        "side by side",
    ],
)
def test_kernels_of_rare_kinds_compute_what_the_graph_does(graph: Graph, tmp_path: Path) -> None:
    for number, program in enumerate(programs(graph, tmp_path)):
        inputs, others = graph.inputs(number, "cuda"), graph.inputs(number, "cuda")
        with torch.no_grad():
            results, expected = program(*inputs), graph.module("cuda")(*others)
        for result, one in zip(results, expected, strict=True):
            largest = float(one.abs().max())  # a sum near 0 of large terms is as far off as any other
            rtol, atol = torch.testing._comparison.default_tolerances(one)
            torch.testing.assert_close(result, one, rtol=rtol, atol=max(atol, 1e-6 * largest) if rtol else 0.0)


def programs(graph: Graph, directory: Path, tries: int = 4) -> Iterator[torch.fx.GraphModule]:
    """The graph with the first draft, with further launch settings, and with joined launches."""
    candidates = Candidates([graph], "cuda")
    (first,) = recipes.recipes("cuda")
    tuner = Tuner(candidates, first, {0: 0})
    found = [first]
    for descent in tuner.descents.values():
        descent.times[descent.known.likely[0]] = 1000.0
    while len(found) < tries and (other := tuner.next()) is not None:
        found.append(other)
        for key, descent in tuner.descents.items():  # the descent goes on as if each was better than the one before
            descent.times[tuner.tried[key]] = 1000.0 * 0.9 ** len(found)
    for number, recipe in enumerate([*found, *with_fewer_launches(candidates, first)]):
        yield rewritten(graph, candidates.files(dict.fromkeys(candidates.plans, recipe)), directory / str(number))


def rewritten(graph: Graph, files: Mapping[str, str], directory: Path) -> torch.fx.GraphModule:
    directory.mkdir()
    for name, text in files.items():
        (directory / name).write_text(text)
    loaded = load_rules(read_pass_set(directory), device="cuda")
    assert not loaded.failed
    made = rewrite(graph.module("cuda"), loaded.rules)
    assert made.total == 1, made.near_misses
    return made.gm


BOTH_WAYS = ("a = x.softmax(-1)", "b = a.relu()", "c = b.softmax(0)", "d = c + b", "return (d,)")
NORM = ("a = x + y", "b = torch.nn.functional.layer_norm(a, (1024,), w, v)", "return (b,)")
ALIKE = [
    graph_of([spec("x", 4096, 4096, dtype="float16")], "a = x.sum(dim = 0)", "return (a,)"),
    graph_of([spec("x", 64, 256, 56, 56, dtype="float16")], "a = x.mean(dim = (2, 3))", "return (a,)"),
    graph_of(
        [
            spec("x", 4096, 1024, dtype="float16"),
            spec("y", 4096, 1024, dtype="float16"),
            spec("w", 1024, dtype="float16"),
            spec("v", 1024, dtype="float16"),
        ],
        *NORM,
    ),
    graph_of([spec("x", 4096, 512, dtype="float16")], *SOFTMAX),
    graph_of([spec("x", 2048, 20_000)], *SOFTMAX),
    graph_of([spec("x", 5_000, 32, 33)], *TURNED),
    graph_of([spec("x", 8192, 4096, dtype="float16")], "a = torch.nn.functional.gelu(x)", "return (a,)"),
    graph_of([spec("x", 8192, 2048), spec("y", 8192, 2048)], "a = x.add_(y)", "b = a.clamp_(0, 1)", "return (b,)"),
    graph_of([spec(name, 512, 512) for name in "xyz"], *APART),
    graph_of(
        [
            spec("x", 16, 64, 4, 4, dtype="float16"),
            spec("w", 128, 64, 1, 1, dtype="float16"),
            spec("b", 128, dtype="float16"),
        ],
        "a = torch.conv2d(x, w, b)",
        "c = torch.nn.functional.hardswish(a)",
        "return (c,)",
    ),
    graph_of(
        [spec("x", 4096, 4096)], "a = x.softmax(-1)", "b = a.relu()", "c = b.softmax(0)", "d = c + b", "return (d,)"
    ),
]


@pytest.mark.parametrize("graph", ALIKE, ids=lambda graph: graph.statements()[-1].leaf)
def test_a_first_draft_takes_no_longer_on_the_device_than_inductor(
    graph: Graph, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    candidates = Candidates([graph], "cuda")
    (first,) = recipes.recipes("cuda")
    ours = rewritten(graph, candidates.files(dict.fromkeys(candidates.plans, first)), tmp_path / "passes")
    compiled = torch.compile(graph.module("cuda"), fullgraph=True)
    inputs = graph.inputs(0, "cuda")
    calls = [captured(lambda call=call: call(*inputs)) for call in (ours, compiled)]
    mine, theirs = least_us(calls)
    record_property("device_us", {"draft": round(mine, 2), "inductor": round(theirs, 2)})
    assert mine <= 1.05 * theirs + 0.2, f"{mine:.2f} us, and Inductor takes {theirs:.2f} us"


def captured(call: Callable[[], object], repeats: int = 10) -> torch.cuda.CUDAGraph:
    """Some calls as one CUDA graph, so that nothing but the device's own time counts."""
    with torch.no_grad():
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            for _ in range(3):
                call()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(repeats):
                call()
    return graph


def least_us(graphs: Sequence[torch.cuda.CUDAGraph], rounds: int = 30, repeats: int = 10) -> list[float]:
    """The least microseconds of one call of each graph. The rounds take turns."""
    least = [float("inf")] * len(graphs)
    for _ in range(rounds):
        for number, graph in enumerate(graphs):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            graph.replay()
            end.record()
            torch.cuda.synchronize()
            least[number] = min(least[number], begin.elapsed_time(end) * 1000 / repeats)
    return least


@pytest.mark.parametrize("task", ["convnextv2_gelu_grn", "swin_masked_softmax", "efficientnet_bn_silu_mean"])
def test_the_settings_are_those_that_inductor_compiles_here(task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    seen: dict[str, object] = {}
    compile_all = CachingAutotuner.precompile

    def precompile(tuner: CachingAutotuner, *args: object, **kwargs: object) -> object:
        if tuner.configs:
            name = str(tuner.inductor_meta["kernel_name"])
            seen[name] = [(tuple(row.kwargs.items()), row.num_warps, row.num_stages) for row in tuner.configs]
        return compile_all(tuner, *args, **kwargs)

    monkeypatch.setattr(CachingAutotuner, "precompile", precompile)
    directory = next((BUNDLED / task / "graphs").rglob("float16/1/**/model.py")).parent
    graph = Graph.read(directory)
    plan = parse(generate(graph, "cuda"))
    with torch.no_grad(), inductor_config.patch(compile_threads=1, force_disable_caches=True):
        torch._dynamo.reset()
        torch.compile(graph.module("cuda"), fullgraph=True)(*graph.inputs(0, "cuda"))
    assert len(seen) == len(plan.kernels)
    found = [[(row.values, row.warps, row.stages) for row in heuristics(k.text).settings] for k in plan.kernels]
    assert sorted(map(repr, found)) == sorted(map(repr, seen.values()))


def test_a_look_has_the_device_time_of_each_kernel(env: PassEnv) -> None:
    text = (BUNDLED / "bloom_gelu" / "pass_dir" / f"{PASS}.py").read_text()
    env.create(f"{PASS}.py", text)
    env.create(MANIFEST, f'["{PASS}"]')
    (row,) = env.evaluate("0", quick=True).evaluation.graphs
    assert row.kernel_us and all(0.5 < us < 1000 for us in row.kernel_us.values()), row


def test_the_author_tunes_by_device_time(bench: LiveWorkbench, tmp_path: Path) -> None:
    env = PassEnv(bench, tmp_path / "author", budget=Budget(steps=0))
    env.reset(BUNDLED / "efficientnet_bn_silu_mean")
    DistillAuthor().play(env)
    assert env.best is not None and all(row.outcome == "correct" for row in env.best.graphs)
    looks = [record for record in env.records if getattr(record, "tool", "") == "evaluate"]
    assert len(looks) > 3
