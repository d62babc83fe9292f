"""Adjacent and nested matches, guards that object, kernels that raise: the model's results, and a reason."""

from __future__ import annotations

import json
import re
import textwrap

import pytest
import torch
from torch import nn

import passnet
from passnet.use.model.fallback import with_fallback

EXP_RELU = """
    import torch

    def pattern(x):
        return torch.relu(x.exp())

    def replacement_args(x):
        return (x,)

    @torch.fx.wrap
    def exp_relu(x):
        return torch.relu(x.exp())

    def replacement_func():
        return exp_relu
"""
_BODY = "def exp_relu(x):\n        return torch.relu(x.exp())"
RAISES = EXP_RELU.replace(_BODY, "def exp_relu(x):\n        raise ValueError('no kernel here')")
CAT_RELU = """
    import torch

    def pattern(x, y):
        return torch.relu(torch.cat([x, y], dim=0))

    def replacement_args(x, y):
        return ((x, y),)

    @torch.fx.wrap
    def cat_relu(parts):
        return torch.relu(torch.cat(parts))

    def replacement_func():
        return cat_relu
"""


@pytest.fixture(autouse=True)
def forget():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.fixture
def load(tmp_path):
    def load(**rules):
        for name, text in rules.items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        (tmp_path / "sorted_output_pass_rule_names.json").write_text(json.dumps(list(rules)))
        return passnet.load_passes(tmp_path, policy=None)

    return load


class Model(nn.Module):
    """Any function as a module with a parameter."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.scale = nn.Parameter(torch.ones(8))

    def forward(self, *inputs):
        return self.function(*inputs) * self.scale


def x(rows=4):
    return torch.randn(rows, 8, generator=torch.Generator().manual_seed(rows))


def both_ways(passes, model, *inputs, **options):
    """The outputs of the backend and of the applied model, and what the backend decided."""
    decisions = []
    fast = torch.compile(
        model, backend="passnet", options={"passes": passes, "report": decisions.append, **options}, dynamic=False
    )
    return fast, decisions


@torch.no_grad()
@pytest.mark.parametrize(
    ("function", "inputs", "places"),
    [
        (lambda a: torch.relu(torch.relu(a.exp()).exp()), (x(),), 2),
        (lambda a: torch.relu(a.exp()) + torch.relu((a + 1).exp()), (x(),), 2),
        (lambda a, b: torch.relu(torch.cat([torch.relu(torch.cat([a, b])), a])), (x(), x(3)), 2),
        (lambda a, b: torch.relu(torch.cat([torch.relu(a.exp()), torch.relu(b.exp())])), (x(), x(3)), 3),
    ],
    ids=["one after another", "side by side", "a list within a list", "matches as a list argument"],
)
def test_adjacent_and_nested_matches(load, function, inputs, places):
    passes, model = load(exp_relu=EXP_RELU, cat_relu=CAT_RELU), Model(function)
    fast, decisions = both_ways(passes, model, *inputs)
    assert torch.equal(fast(*inputs), model(*inputs))
    assert [decision.replaced for decision in decisions] == [places]
    made = passes.apply(model, inputs)
    assert made.replaced == places
    assert torch.equal(made(*inputs), model(*inputs))


@torch.no_grad()
@pytest.mark.parametrize(
    ("guard", "reason"),
    [
        ("return match.x.shape[0] > 100", "applies returned False"),
        ("return 'only tall matrices'", "only tall matrices"),
        ("raise KeyError('x')", "applies raised KeyError"),
        ("return match.x.nothing", "applies raised AttributeError"),
        ("raise BaseException('no')", "applies raised BaseException: no"),
        ("raise ValueError(10**5000)", "applies raised Unsayable: a ValueError whose message"),
        ("return 10**5000", "applies returned int instead of"),
        ("a = []; a.append(a); return a", "applies returned list instead of"),
    ],
)
def test_a_guard_that_objects_leaves_the_model_and_says_why(load, guard, reason):
    passes = load(exp_relu=EXP_RELU + f"\n    def applies(match):\n        {guard}\n")
    model = Model(lambda a: torch.relu(a.exp()))
    made = passes.apply(model, (x(),))
    assert made.replaced == 0
    assert reason in made.near_misses[0].reason
    assert torch.equal(made(x()), model(x()))
    fast, decisions = both_ways(passes, model)
    assert torch.equal(fast(x()), model(x()))
    assert decisions[0].reason == "no pass matches"
    assert reason in decisions[0].result.near_misses[0].reason


@torch.no_grad()
def test_a_guard_may_want_one_of_two_places(load):
    passes = load(
        exp_relu=EXP_RELU + "\n    def applies(match):\n        return match.x.shape[0] == 3 or 'not three rows'\n"
    )
    model = Model(lambda a, b: torch.cat([torch.relu(a.exp()), torch.relu(b.exp())]))
    made = passes.apply(model, (x(), x(3)))
    assert made.replaced == 1
    assert torch.equal(made(x(), x(3)), model(x(), x(3)))


@torch.no_grad()
@pytest.mark.parametrize("kind", ["ValueError", "BaseException"])
def test_a_kernel_that_raises_is_told_and_left_out(load, caplog, kind):
    passes, model = load(exp_relu=RAISES.replace("ValueError", kind)), Model(lambda a: torch.relu(a.exp()))
    fast, decisions = both_ways(passes, model)
    for _ in range(3):
        assert torch.equal(fast(x()), model(x()))
    assert [decision.replaced for decision in decisions] == [1, 0]
    assert "no kernel here" in decisions[1].reason
    assert [record.levelname for record in caplog.records if "no kernel here" in record.message] == ["WARNING"]


@torch.no_grad()
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return torch.relu(x.exp()) * 1.5", "largest difference of"),
        ("return torch.relu(x.exp())[:1]", r"found float32 \[1, 8\]"),
        ("return torch.relu(x.exp()).double()", r"found float64"),
        ("return None", ""),
    ],
)
def test_wrong_results_are_told_and_the_passes_left_out(load, caplog, body, reason):
    passes = load(exp_relu=EXP_RELU.replace(_BODY, f"def exp_relu(x):\n        {body}"))
    model = nn.Sequential(Model(lambda a: torch.relu(a.exp()).clone()))
    fast, decisions = both_ways(passes, model)
    for _ in range(3):
        assert torch.equal(fast(x()), model(x()))
    assert [decision.replaced for decision in decisions] == [1, 0]
    assert re.search(reason, decisions[1].reason)
    assert sum(record.levelname == "WARNING" for record in caplog.records) == 1


@torch.no_grad()
def test_the_comparison_can_be_left_out(load):
    passes = load(exp_relu=EXP_RELU.replace(_BODY, "def exp_relu(x):\n        return torch.relu(x.exp()) * 1.5"))
    model = Model(lambda a: torch.relu(a.exp()))
    fast, decisions = both_ways(passes, model, check=False)
    assert torch.equal(fast(x()), model(x()) * 1.5)
    assert len(decisions) == 1


@torch.no_grad()
def test_an_error_of_the_models_own_stays_an_error(load):
    passes = load(exp_relu=EXP_RELU)
    table = torch.randn(5, 8)
    model = Model(lambda a, at: torch.relu(a.exp()) + torch.nn.functional.embedding(at, table))
    fast, decisions = both_ways(passes, model)
    good, bad = torch.tensor([0, 1, 2, 3]), torch.tensor([0, 1, 2, 99])
    assert torch.equal(fast(x(), good), model(x(), good))
    with pytest.raises(IndexError):
        fast(x(), bad)
    assert torch.equal(fast(x(), good), model(x(), good))
    assert len(decisions) == 1


@torch.no_grad()
def test_a_graph_that_changes_its_inputs_is_not_called_twice(load):
    passes = load(exp_relu=RAISES)

    def function(a):
        a.add_(1)
        return torch.relu(a.exp())

    fast, _ = both_ways(passes, Model(function))
    given = x()
    with pytest.raises(ValueError, match="no kernel here"):
        fast(given)
    assert torch.equal(given, x() + 1)


def test_an_input_that_was_written_into_gets_its_content_back():
    graph, told = torch.fx.symbolic_trace(lambda a: a + 1), []

    def fast(a):
        result = a + 1
        a.zero_()
        return result

    call = with_fallback(fast, graph, lambda inputs, error: graph.forward, told.append)
    given = torch.ones(2)
    assert torch.equal(call(given), given + 1)
    assert torch.equal(given, torch.ones(2))
    assert [str(error) for error in told] == ["the passes write into argument 0, and the model does not"]


def test_ctrl_c_in_a_kernel_is_the_users():
    def fast(a):
        raise KeyboardInterrupt

    graph, told = torch.fx.symbolic_trace(lambda a: a + 1), []
    with pytest.raises(KeyboardInterrupt):
        with_fallback(fast, graph, lambda inputs, error: graph.forward, told.append)(torch.ones(2))
    assert not told


@torch.no_grad()
def test_a_kernel_that_leaves_is_left_out_of_a_model(load):
    passes, model = load(exp_relu=RAISES.replace("ValueError", "BaseException")), Model(lambda a: torch.relu(a.exp()))
    made = passes.apply(model, (x(),))
    assert (made.replaced, made.left) == (0, ("exp_relu: the wrapper raised BaseException: no kernel here",))
    assert torch.equal(made(x()), model(x()))


def test_the_original_is_made_once_and_only_when_needed():
    graph = torch.fx.symbolic_trace(lambda a: a + 1)
    made, told = [], []

    def without(inputs, error):
        made.append(inputs)
        return graph.forward

    def fast(a):
        if a.sum() < 0:
            raise RuntimeError("negative")
        return a + 1

    call = with_fallback(fast, graph, without, told.append)
    one = torch.ones(2)
    assert torch.equal(call(one), one + 1)
    assert made == told == []
    for _ in range(2):
        assert torch.equal(call(-one), -one + 1)
    assert len(made) == len(told) == 1


@torch.no_grad()
def test_modes_and_state_are_untouched(load):
    passes = load(exp_relu=EXP_RELU)
    model = Model(lambda a: torch.nn.functional.dropout(torch.relu(a.exp()), 0.5, training=True)).train()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    fast, decisions = both_ways(passes, model)
    torch.manual_seed(0)
    found = fast(x())
    torch.manual_seed(0)
    assert torch.equal(found, model(x()))
    assert decisions[0].replaced == 1
    assert model.training
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())


@torch.no_grad()
def test_dynamic_shapes_are_refused_with_a_reason_or_compiled_anew(load):
    passes, model = load(exp_relu=EXP_RELU), Model(lambda a: torch.relu(a.exp()))
    fast, decisions = both_ways(passes, model)
    for rows in (4, 5, 6):
        assert torch.equal(fast(x(rows)), model(x(rows)))
    assert [decision.replaced for decision in decisions] == [1, 1, 1]
    torch._dynamo.reset()
    decisions.clear()
    moving = torch.compile(
        model, backend="passnet", options={"passes": passes, "report": decisions.append}, dynamic=True
    )
    assert torch.equal(moving(x(4)), model(x(4)))
    assert "sizes are symbolic" in decisions[0].reason
