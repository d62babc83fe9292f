"""Replaced calls as operators: the wrapper's own results, the original's layout, names that say all that they do."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import fx

from passnet.graph import Task
from passnet.rewrite import NotAnOperator, as_operators, load_rules, operable, read_pass_set, rewrite
from passnet.rewrite.inductor.operators import running, twin
from tests.rewrite.helpers import capture, rule_of, run, tensors

TASKS = Path(__file__).parents[3] / "data" / "tasks"
MATRIX = ((4, 8),)


def converted(model, pattern, wrapper=None, *, shapes=MATRIX, name="rule", arguments=None):
    inputs = tensors(shapes)
    rule = rule_of(pattern, wrapper, arguments, name)
    result = rewrite(capture(model, *inputs), [rule])
    assert result.total
    return as_operators(result, [rule]), inputs


def registered(operator):
    return getattr(torch.ops.passnet, operator.name).default


def exp_relu(x):
    return torch.relu(x.exp())


@pytest.mark.parametrize("task", ["bloom_gelu", "llama_residual_rmsnorm", "deit_cat_pos_norm", "mamba_discretise"])
def test_bundled_passes_give_the_same_bits_as_operators(task):
    found = Task.read(TASKS / task)
    rules = load_rules(read_pass_set(found.pass_dir), "cpu").rules
    graph = found.refs[0].load()
    inputs = graph.inputs(3)
    with torch.no_grad():
        result = rewrite(graph.module(), rules)
        made = as_operators(result, rules)
        expected, outputs = result.gm(*inputs), made.module(*inputs)
    assert made.operators
    assert all(torch.equal(left, right) for left, right in zip(expected, outputs, strict=True))


@pytest.mark.parametrize("task", ["phi3_swiglu", "llama_residual_rmsnorm"])
def test_torch_finds_no_fault_with_a_registered_operator(task):
    found = Task.read(TASKS / task)
    rules = load_rules(read_pass_set(found.pass_dir), "cpu").rules
    graph = found.refs[0].load()
    result = rewrite(graph.module(), rules)
    made = as_operators(result, rules)
    calls = [node for node in made.module.graph.nodes if str(node.target).startswith("passnet.")]
    values: dict[fx.Node, torch.Tensor] = {}

    class Keep(fx.Interpreter):
        def run_node(self, node):
            values[node] = super().run_node(node)
            return values[node]

    with torch.no_grad():
        Keep(made.module).run(*graph.inputs(3))
    for node in calls:
        arguments = tuple(values[source] for source in node.args)
        torch.library.opcheck(node.target, arguments, test_utils=("test_schema", "test_faketensor"))


def test_constants_lists_and_a_tensor_given_twice_reach_the_wrapper():
    seen = []

    def wrapper(parts, x, route, size):
        seen.append((type(parts), len(parts), route, size))
        return torch.cat(list(parts)) * x[0, 0]

    def pattern(x, y):
        return torch.cat([x, y, x]) * x[0, 0]

    made, inputs = converted(
        lambda x, y: torch.cat([x, y, x]) * x[0, 0],
        pattern,
        wrapper,
        shapes=(*MATRIX, *MATRIX),
        arguments=lambda x, y: ((x, y, x), x, "route", x.shape[1]),
    )
    seen.clear()
    (found,) = run(made.module, lambda x, y: None, inputs)
    assert seen == [(tuple, 3, "route", 8)]
    torch.testing.assert_close(found, pattern(*inputs), rtol=0, atol=0)


def test_results_in_memory_of_an_input_or_of_each_other_are_copied():
    made, (x,) = converted(lambda x: x.exp().neg(), lambda x: x.exp().neg(), lambda x: x)
    found = registered(made.operators[0])(x)
    assert torch.equal(found, x)
    assert found.data_ptr() != x.data_ptr()

    def shared(x):
        both = x.exp()
        return both, both.view(8, 4)

    def pattern(x):
        both = x.exp()
        return both, both.neg().view(8, 4)

    made, (x,) = converted(pattern, pattern, shared)
    first, second = registered(made.operators[0])(x)
    assert first.untyped_storage().data_ptr() != second.untyped_storage().data_ptr()


def test_results_of_another_layout_get_the_originals():
    made, (x,) = converted(lambda x: x.t().exp().neg(), lambda x: x.t().exp().neg(), lambda x: x.t().exp().contiguous())
    expected = x.t().exp().neg()
    for _ in range(2):
        found = registered(made.operators[0])(x)
        assert found.stride() == expected.stride() != (4, 1)


@pytest.mark.parametrize(
    ("wrapper", "error", "words"),
    [
        (lambda x: torch.empty(3), RuntimeError, "result 0 is torch.float32"),
        (lambda x: torch.empty(4, 8, dtype=torch.float64), RuntimeError, "float64"),
        (lambda x: (torch.empty(4, 8), torch.empty(4, 8)), RuntimeError, "no tensor"),
        (lambda x: None, TypeError, "the wrapper returned None; write `return out`"),
    ],
)
def test_results_that_are_not_the_originals_are_an_error(wrapper, error, words):
    made, (x,) = converted(exp_relu, exp_relu, wrapper)
    with pytest.raises(error, match=words):
        registered(made.operators[0])(x)


def test_a_name_stands_for_one_behaviour():
    def scaled(factor):
        def model(x):
            return x.exp() * factor

        return model

    def pattern(x, s: float):
        return x.exp() * s

    def build(factor, shapes=MATRIX, name="rule"):
        made, _ = converted(scaled(factor), pattern, shapes=shapes, name=name)
        return made.operators[0].name

    assert build(2.0) == build(2.0)
    assert len({build(2.0), build(3.0), build(2.0, ((2, 8),)), build(2.0, name="other")}) == 4
    assert build(2.0, name="00-set/3 rule").isidentifier()


def test_two_equal_matches_share_an_operator():
    made, inputs = converted(lambda x: exp_relu(exp_relu(x)), exp_relu)
    assert len({operator.name for operator in made.operators}) == 1
    assert len(made.operators) == 2
    torch.testing.assert_close(made.module(*inputs)[0], exp_relu(exp_relu(*inputs)), rtol=0, atol=0)


def test_the_rewritten_module_is_left_as_it_was():
    rule = rule_of(exp_relu)
    result = rewrite(capture(exp_relu, *tensors(MATRIX)), [rule])
    before = result.gm.code
    as_operators(result, [rule])
    assert result.gm.code == before


def test_without_metadata_there_is_no_operator():
    rule = rule_of(exp_relu)
    graph = capture(exp_relu, *tensors(MATRIX))
    for node in graph.graph.nodes:
        node.meta.clear()
    with pytest.raises(NotAnOperator, match="are unknown"):
        as_operators(rewrite(graph, [rule]), [rule])


def test_a_piece_that_changes_its_input_has_no_operator():
    def pattern(x):
        return x.add_(1).exp()

    rule = rule_of(pattern)
    result = rewrite(capture(pattern, *tensors(MATRIX)), [rule])
    assert result.total == 1
    with pytest.raises(NotAnOperator, match="in place"):
        as_operators(result, [rule])


def test_operators_run_something_else_only_while_they_are_told_to():
    made, (x,) = converted(exp_relu, exp_relu)
    operator = made.operators[0]
    with running({operator.name: lambda x: torch.zeros(4, 8)}):
        assert not registered(operator)(x).any()
    assert torch.equal(registered(operator)(x), exp_relu(x))


def test_a_watched_operator_shows_its_wrapper():
    made, (x,) = converted(exp_relu, exp_relu)
    operator, seen = made.operators[0], []

    def around(function):
        def watched(*args):
            seen.append(args)
            return function(*args)

        return watched

    with running({operator.name: operator.watched(around)}):
        registered(operator)(x)
    registered(operator)(x)
    assert len(seen) == 1


def test_a_twin_shares_parameters():
    gm = capture(torch.nn.Linear(8, 8), *tensors(MATRIX))
    gm.register_parameter("kept", torch.nn.Parameter(torch.ones(2)))
    with gm.graph.inserting_before(next(iter(gm.graph.nodes))):
        gm.graph.get_attr("kept")
    assert twin(gm).kept is gm.kept


def test_pieces_without_an_operator_are_left_and_the_others_taken():
    def writes(x):
        return x.add_(1).exp()

    def model(x, y):
        return torch.relu(y.exp()) + x.add_(1).exp()

    rules = [rule_of(writes, name="writes"), rule_of(exp_relu, name="reads")]
    inputs = tensors((*MATRIX, *MATRIX))
    graph = capture(model, *inputs)
    assert rewrite(graph, rules).replacements == {"writes": 1, "reads": 1}
    result = operable(graph, rules)
    assert result.replacements == {"writes": 0, "reads": 1}
    assert "in place" in result.near_misses[0].reason
    made = as_operators(result, rules)
    torch.testing.assert_close(run(made.module, model, inputs)[0], run(graph, model, inputs)[0], rtol=0, atol=0)
