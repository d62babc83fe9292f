"""Passes inside Inductor: the custom pass on graphs, the backend, the applied model; right, or said why not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch

import passnet
from passnet.errors import UsageError
from passnet.rewrite import as_operators
from passnet.rewrite.inductor.compile import InductorPass, settings
from tests.use.use_models import PASSES, Broken, Plain, example, network


@pytest.fixture(autouse=True)
def forget():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.fixture(scope="module")
def passes():
    return passnet.load_passes(PASSES)


def close(found, expected):
    for name in expected:
        torch.testing.assert_close(found[name], expected[name], rtol=1e-5, atol=1e-5)


def rewritten_by(made, model, *inputs, **how):
    """The graphs of a model after the pass has been at them, run as they are."""
    graphs = []

    def backend(module, _):
        made(module.graph)
        module.recompile()
        graphs.append(module)
        return module.forward

    outputs = torch.compile(model, backend=backend, dynamic=how.get("dynamic", False))(*inputs)
    return graphs, outputs


def operators(graph):
    return [node for node in graph.graph.nodes if str(node.target).startswith("passnet.")]


@torch.no_grad()
def test_the_custom_pass_puts_operators_in_place(passes):
    made = InductorPass(passes.rules, passes.content_hash)
    model = network()
    (graph,), outputs = rewritten_by(made, model, example())
    assert len(operators(graph)) == 2
    assert made.replacements == {"bloom_gelu_cpp": 2}
    close(outputs, model(example()))
    placeholders = [node for node in graph.graph.nodes if node.op == "placeholder"]
    assert all(hasattr(node, "_dynamo_source") for node in placeholders)


@torch.no_grad()
def test_the_custom_pass_leaves_other_graphs_alone(passes):
    made = InductorPass(passes.rules, passes.content_hash)
    (graph,), _ = rewritten_by(made, Plain(), example())
    assert operators(graph) == []
    torch._dynamo.reset()
    (graph,), _ = rewritten_by(made, network(), example(), dynamic=True)
    assert operators(graph) == []
    assert made.replacements == {}


def test_the_custom_pass_leaves_training_and_autocast_alone(passes):
    made = InductorPass(passes.rules, passes.content_hash)
    (graph,), outputs = rewritten_by(made, network(), example())
    assert operators(graph) == []
    outputs["logits"].sum().backward()
    torch._dynamo.reset()
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        (graph,), _ = rewritten_by(made, network(), example())
    assert operators(graph) == []


def test_the_custom_pass_is_known_by_its_content(passes, tmp_path):
    made = passes.inductor_settings()["pre_grad_custom_pass"]
    assert isinstance(made, torch._inductor.custom_graph_pass.CustomGraphPass)
    assert made.uuid() == passes.content_hash
    for file in PASSES.iterdir():
        text = file.read_text()
        (tmp_path / file.name).write_text(text + ("\n" if file.suffix == ".py" else ""))
    assert passnet.load_passes(tmp_path).content_hash != passes.content_hash
    assert settings(made).get("pre_grad_pass_timing", "early") == "early"


@pytest.mark.parametrize(
    ("options", "words"), [({"inductor": "yes"}, "wrong option"), ({"inductor": 1}, "wrong option")]
)
def test_wrong_options_are_told(passes, options, words):
    with pytest.raises(Exception, match=words) as raised, torch.no_grad():
        torch.compile(network(), backend="passnet", options={"passes": passes, **options})(example())
    chain = [raised.value, raised.value.__cause__, getattr(raised.value, "inner_exception", None)]
    assert any(isinstance(error, UsageError) for error in chain)


# --- compiled for real: the first compilation on a machine takes ten seconds and more -----------------------------


def compiled(model, passes, **more):
    decisions = []
    options = {"passes": passes, "inductor": True, "report": decisions.append, **more}
    return torch.compile(model, backend="passnet", options=options), decisions


@pytest.mark.slow
@torch.no_grad()
def test_the_backend_inside_inductor(passes):
    model = network()
    fast, decisions = compiled(model, passes)
    close(fast(example()), model(example()))
    assert [decision.replaced for decision in decisions] == [2]
    fast, decisions = compiled(Broken(), passes)
    torch.testing.assert_close(fast(example()), Broken()(example()), rtol=1e-5, atol=1e-5)
    assert [decision.replaced for decision in decisions] == [1, 1]
    fast, decisions = compiled(Plain(), passes)
    torch.testing.assert_close(fast(example()), Plain()(example()))
    assert decisions[0].reason == "no pass matches"


@pytest.mark.slow
def test_what_passes_must_not_touch_is_inductors(passes):
    model = network()
    fast, decisions = compiled(model, passes)
    fast(example())["logits"].sum().backward()
    assert model.first.weight.grad is not None
    assert "gradient" in decisions[0].reason
    torch._dynamo.reset()
    with torch.no_grad():
        fast, decisions = compiled(model, passes)
        for rows in (4, 6, 9):
            close(fast(example(rows)), model(example(rows)))
    assert decisions[0].replaced == 2
    assert "dynamic=False" in decisions[-1].reason


@pytest.mark.slow
@torch.no_grad()
def test_an_applied_model_inside_inductor(passes):
    model = network()
    made = passes.apply(model, (example(),), inductor=True)
    assert made.replaced == 2
    close(made(example()), model(example()))
    model.second.weight.mul_(2)
    close(made(example()), model(example()))
    close(made(example(7)), model(example(7)))
    plain = passes.apply(Plain(), (example(),), inductor={"max_fusion_size": 1})
    assert plain.replaced == 0
    torch.testing.assert_close(plain(example()), Plain()(example()))


@pytest.mark.slow
@torch.no_grad()
def test_launches_are_frozen_inside_inductor(passes, tmp_path):
    for file in PASSES.iterdir():  # operators are known by their content: these are new ones
        (tmp_path / file.name).write_text(file.read_text() + ("# frozen\n" if file.suffix == ".py" else ""))
    passes, model = passnet.load_passes(tmp_path), network()
    ordinary = passes.apply(model, (example(),), inductor=True, freeze=False)
    assert ordinary.calls == ()
    expected = ordinary(example())
    frozen = passes.apply(model, (example(),), inductor=True)
    assert [call.frozen for call in frozen.calls] == [True, True]
    assert frozen.calls[0].rule == "bloom_gelu_cpp"
    assert frozen.calls[0].kernels
    found = frozen(example())
    assert all(torch.equal(found[name], expected[name]) for name in expected)
    with torch.inference_mode():
        assert torch.equal(frozen(example())["logits"], expected["logits"])


@pytest.mark.slow
@torch.no_grad()
def test_the_backend_freezes_in_its_first_call(tmp_path):
    for file in PASSES.iterdir():
        (tmp_path / file.name).write_text(file.read_text() + ("# by the backend\n" if file.suffix == ".py" else ""))
    passes, model = passnet.load_passes(tmp_path), network()
    fast, decisions = compiled(model, passes)
    first, second = fast(example()), fast(example())
    close(first, model(example()))
    assert all(torch.equal(first[name], second[name]) for name in first)
    made = as_operators(decisions[0].result, passes.rules("cpu"))
    assert all(operator.replay is not None for operator in made.operators)


@pytest.mark.slow
def test_cached_code_serves_another_process(tmp_path):
    """Plain Inductor with the custom pass, twice: the second process finds its code in the cache, and its operators."""
    script = tmp_path / "script.py"
    script.write_text(
        "import torch, passnet\n"
        "from tests.use.use_models import PASSES, example, network\n"
        "from torch._dynamo.utils import counters\n"
        "passes, model = passnet.load_passes(PASSES), network()\n"
        "with torch.no_grad():\n"
        "    fast = torch.compile(model, options=passes.inductor_settings())\n"
        "    torch.testing.assert_close(fast(example())['logits'], model(example())['logits'], rtol=1e-5, atol=1e-5)\n"
        "print(counters['inductor']['fxgraph_cache_hit'], counters['inductor']['fxgraph_cache_miss'])\n"
    )
    here = Path(__file__).parents[3]
    environment = {"TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(here), "PATH": "/usr/bin:/bin"}
    said = [
        subprocess.run(
            [sys.executable, str(script)], env=environment, capture_output=True, text=True, check=True, timeout=280
        ).stdout.split()
        for _ in range(2)
    ]
    assert said == [["0", "1"], ["1", "0"]]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@torch.no_grad()
def test_triton_passes_inside_inductor(passes):
    model, x = network().cuda(), example().cuda()
    expected = model(x)
    fast, decisions = compiled(model, passes)
    close(fast(x), expected)
    assert decisions[0].result.replacements["bloom_gelu_triton"] == 2
    made = passes.apply(model, (x,), inductor=True)
    assert made.replaced == 2
    for _ in range(3):
        close(made(x), expected)
