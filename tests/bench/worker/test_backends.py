"""Compilers of other packages: found by name, called in both conventions, and told apart from ours when they fail."""

from __future__ import annotations

import sys

import pytest
import torch

from passnet.bench.worker.compilers import BuildFailure, make
from tests.graph.graph_helpers import graph_of, spec
from tests.planted_compilers import install

GRAPH = graph_of([spec("x", 4, 8)], "a = torch.tanh(x)", "b = a + 1", "return (b,)")


@pytest.fixture(autouse=True)
def planted(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    yield install(tmp_path)
    sys.modules.pop("planted_here", None)
    torch._dynamo.reset()


def built(name):
    with torch.no_grad():
        return make(name, None).build(GRAPH.module("cpu"), GRAPH.inputs(3))


@pytest.mark.parametrize("name", ["planted-right", "dynamo:eager", "dynamo:aot_eager"])
def test_both_conventions_give_what_eager_gives(name):
    program, inputs = built(name), GRAPH.inputs(5)
    expected = GRAPH.module("cpu").forward(*inputs)[0]
    for call in (program.call, program.deployed):
        torch.testing.assert_close(call(*inputs)[0], expected)
    assert program.guard is None and program.freeze is None


def test_openvino_gives_what_eager_gives():
    pytest.importorskip("openvino")
    program, inputs = built("dynamo:openvino"), GRAPH.inputs(5)
    torch.testing.assert_close(program.call(*inputs)[0], GRAPH.module("cpu").forward(*inputs)[0], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "graphs"),
    [("inductor-cudagraphs", True), ("inductor-max-autotune", True), ("inductor-max-autotune-no-cudagraphs", False)],
)
def test_modes_with_cuda_graphs_are_torchs_own(name, graphs):
    options = torch._inductor.list_mode_options(make(name, None).mode)
    assert options.get("triton.cudagraphs", False) is graphs
    assert options.get("max_autotune", False) is ("autotune" in name)


def test_the_given_module_is_not_changed():
    module, inputs = GRAPH.module("cpu"), GRAPH.inputs(5)
    before = module.forward(*inputs)[0]
    with torch.no_grad():
        program = make("planted-wrong-tanh", None).build(module, GRAPH.inputs(3))
    assert torch.equal(module.forward(*inputs)[0], before)
    assert not torch.allclose(program.call(*inputs)[0], before)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("planted-raises", "planted-raises: ValueError: no such target"),
        ("planted-leaves", "planted-leaves: SystemExit: goodbye"),
        ("planted-gives-no-callable", "must return a callable, got int"),
        ("planted-constant", "is no function: int"),
        ("planted-gone", "no_such"),
        ("planted-nobody", "no package brings a compiler"),
        ("dynamo:nobody", "nobody"),
    ],
)
def test_a_failure_is_a_failed_build_with_the_compilers_name(name, words):
    with pytest.raises(BuildFailure, match=words) as caught:
        built(name)
    assert caught.value.kind == "compile"
