"""Right forms of a graph: each is the graph, a wrong one is refused, and what raises is told and judged by nobody."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest
import torch
from torch import fx
from torch.nn import functional

from passnet.graph import Graph
from tests.integrity import corpus

ROOT = Path(__file__).resolve().parents[2]
GELU = ROOT / "data" / "tasks" / "bloom_gelu"


@pytest.fixture
def right_forms(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import right_forms

    return right_forms


@pytest.fixture
def other_forms(right_forms: ModuleType) -> ModuleType:
    import other_forms

    return other_forms


def many(x, weight, bias):
    a = functional.layer_norm(x, (16,), weight, bias).softmax(-1) / 3.0
    b = functional.gelu(x) + functional.gelu(x, approximate="tanh") + functional.silu(x) * torch.sigmoid(x)
    c = functional.softplus(x, 2.0) + functional.hardswish(x) * functional.hardsigmoid(x) + functional.normalize(x)
    d = torch.logsumexp(x, -1, keepdim=True) + functional.log_softmax(x, dim=-1) + torch.exp(x).mean((0, 1))
    e = functional.batch_norm(x, weight, weight.abs() + 1.0, weight, bias)
    return (a + b, c, d, e, x.argmax(-1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_other_forms_are_the_graph(other_forms: ModuleType, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    inputs = [torch.randn(32, 16, dtype=dtype), *(torch.randn(16, dtype=dtype) for _ in range(2))]
    module = fx.symbolic_trace(many)
    expected = module(*inputs)
    forms = [other_forms.Widened(module, torch.float64), other_forms.ByKernels(module, torch.float32)]
    assert set(forms[1].others) == set(other_forms._BY_KERNELS) - {"div"}
    for form in forms:
        found = form(*inputs)
        assert [each.dtype for each in found] == [each.dtype for each in expected]
        torch.testing.assert_close(tuple(found), expected, rtol=0.03 if dtype == torch.bfloat16 else 1e-4, atol=2e-2)


def test_arguments_that_a_form_has_not_are_left_to_the_operator(other_forms: ModuleType) -> None:
    def function(x, y):
        return (x / y, functional.normalize(x, p=1.0), torch.tensor([1, 2]).to(x.dtype).mean())

    inputs = torch.rand(4, 8) + 1.0, torch.rand(4, 8) + 1.0
    module = fx.symbolic_trace(function)
    torch.testing.assert_close(tuple(other_forms.ByKernels(module, torch.float32)(*inputs)), module(*inputs))


def test_passes_of_the_task_are_applied_or_there_are_none(other_forms: ModuleType, tmp_path: Path) -> None:
    path = next(GELU.rglob("model.py")).parent
    module = Graph.read(path).module("cpu")
    inputs = [torch.randn(spec.shape, dtype=getattr(torch, spec.dtype)) for spec in Graph.read(path).specs]
    found = other_forms.of_passes(module, path)
    torch.testing.assert_close(found(*inputs), module(*inputs), rtol=2e-2, atol=1e-3)
    assert other_forms.of_passes(module, tmp_path / "elsewhere") is None


def test_a_wrong_form_is_refused_and_one_that_raises_is_told(
    right_forms: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus.write_graph("gelu", tmp_path / "graphs")

    def raises(x):
        raise KeyError("no kernel")

    forms = {"eager": functional.gelu, "float64": lambda x: functional.gelu(x) * 1.01, "kernels": raises}
    monkeypatch.setattr(right_forms, "_made", lambda name, *_: forms.get(name))
    monkeypatch.setattr("passnet.environment.revision", lambda: "0" * 12)
    given = ["right_forms.py", str(tmp_path / "graphs"), "--verdicts", "1", "--out", str(tmp_path / "out")]
    monkeypatch.setattr("sys.argv", given)
    right_forms.main()
    found = json.loads((tmp_path / "out" / "right-forms-cpu.json").read_text())
    assert {name: each["refused"] for name, each in found["forms"].items() if each["graphs"]} == {
        "eager": 0,
        "float64": 1,
    }
    assert "RMS error" in found["refused"][0]["objections"][0]
    assert found["not_made"][0]["kernels"] == "KeyError: 'no kernel'"
    assert "float64: refused in 1 of 1 verdicts, on 1 of 1 graphs" in capsys.readouterr().out


def test_verdicts_and_graphs_are_counted_by_form(right_forms: ModuleType) -> None:
    rows = [
        {"graph": "g", "forms": {"eager": [None, None], "inductor": [None, "off"]}, "not_made": {}},
        {"graph": "h", "forms": {"eager": [None]}, "not_made": {"inductor": "KeyError: k"}},
        {"graph": "i", "left_out": "large"},
    ]
    found = right_forms.summary(rows)
    assert found["graphs"] == 2 and found["left_out"] == {"large": 1}
    assert found["forms"]["eager"] == {"graphs": 2, "verdicts": 3, "refused": 0, "graphs_refused": 0}
    assert found["forms"]["inductor"] == {"graphs": 1, "verdicts": 2, "refused": 1, "graphs_refused": 1}
    assert found["refused"] == [{"graph": "g", "form": "inductor", "objections": ["off"]}]
    assert found["not_made"] == [{"graph": "h", "inductor": "KeyError: k"}]
