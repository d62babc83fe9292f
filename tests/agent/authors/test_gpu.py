"""The tools on a CUDA device: kernels in the profile, Triton as source, a bundled Triton pass from check to submit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from passnet.agent.authors.distill import recipes
from passnet.agent.authors.distill.plan import parse
from passnet.agent.authors.distill.rules import TRITON, RuleVariant, manifest, pass_files
from passnet.agent.env.env import PassEnv
from passnet.agent.lowering.inductor import generate
from passnet.agent.lowering.pieces import LoweredPiece
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
    ],
    ids=["y", "y onto z", "softmax in parts", "half softmax in parts", "places", "places in parts", "joined"],
)
def test_kernels_of_rare_kinds_compute_what_the_graph_does(graph: Graph, tmp_path: Path) -> None:
    piece, plan = LoweredPiece.whole(graph), parse(generate(graph, "cuda"))
    module, inputs = graph.module("cuda"), graph.inputs(1, "cuda")
    with torch.no_grad():
        wanted = module(*inputs)
    for number, recipe in enumerate(recipes.recipes("cuda")):
        directory = tmp_path / str(number)
        directory.mkdir()
        files = manifest(pass_files([RuleVariant(piece, plan, recipe.make(piece, plan, number))], TRITON))
        for name, text in files.items():
            (directory / name).write_text(text)
        loaded = load_rules(read_pass_set(directory), device="cuda")
        assert not loaded.failed
        rewritten = rewrite(graph.module("cuda"), loaded.rules)
        assert rewritten.total == 1, rewritten.near_misses
        with torch.no_grad():
            found = rewritten.gm(*inputs)
        torch.testing.assert_close(found, wanted)
