"""What becomes of a graph: several matches, several results, adjacency, escapes, records, limits."""

import json
import operator

import pytest
import torch
import torch.nn.functional as F
from torch import fx

from passnet.errors import UsageError
from passnet.rewrite import RewriteLimitError, RewriteLimits, rewrite
from tests.rewrite.helpers import capture, rule_of, run, tensors

TWO = ((4, 8), (4, 8))


def gelu_add(x, y):
    return F.gelu(x + y)


def same(rewritten, gm, function, inputs):
    for got, wanted in zip(run(rewritten.gm, function, inputs), run(gm, function, inputs), strict=True):
        assert torch.equal(got, wanted)


def test_every_non_overlapping_match_is_replaced_in_order():
    def model(x, y):
        a = F.gelu(x + y)
        b = F.gelu(a + y)
        return F.gelu(a + b)

    inputs = tensors(TWO)
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(gelu_add)])
    assert rewritten.replacements == {"rule": 3}
    assert [node.op for node in rewritten.gm.graph.nodes].count("placeholder") == 2
    assert not any("gelu" in str(node.target) for node in rewritten.gm.graph.nodes if node.target is not gelu_add)
    same(rewritten, gm, model, inputs)


def test_a_wrapper_that_returns_nothing_is_told_so():
    inputs = tensors(TWO)
    gm = capture(gelu_add, *inputs)
    rewritten = rewrite(gm, [rule_of(gelu_add, wrapper=lambda x, y: None)])
    with pytest.raises(TypeError, match="returned None; write `return out`"):
        run(rewritten.gm, gelu_add, inputs)


def test_overlapping_matches_go_to_the_earlier_one():
    gm = capture(lambda x: x.exp().exp().exp(), *tensors([(4, 8)]))
    rewritten = rewrite(gm, [rule_of(lambda x: x.exp().exp())])
    assert rewritten.total == 1
    first = rewritten.records[0].removed
    assert first == tuple(node.name for node in gm.graph.nodes if node.op == "call_method")[:2]


def test_adjacent_matches_inside_a_list_argument():
    """One match feeds `cat` beside another one that feeds a third: stale references used to corrupt such graphs."""

    def model(x, y):
        a = F.gelu(x + y)
        b = F.gelu(a + y)
        return torch.cat([a, b], 1) + torch.cat([b, a], 1)

    def pattern(x, y):
        return torch.cat([x, y], 1)

    inputs = tensors(TWO)
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(gelu_add, name="a"), rule_of(pattern, name="b")])
    assert rewritten.replacements == {"a": 2, "b": 2}
    same(rewritten, gm, model, inputs)


def test_every_call_of_the_result_carries_metadata_and_dead_calls_are_gone():
    def model(x, y):
        s = x.exp()
        return torch.cat([F.gelu(s + y), y], 1), s

    inputs = tensors(TWO)
    gm = capture(model, *inputs)
    with gm.graph.inserting_before(next(iter(reversed(gm.graph.nodes)))):
        gm.graph.call_function(torch.tanh, (next(iter(gm.graph.nodes)),))
    rewritten = rewrite(gm, [rule_of(gelu_add)])
    calls = [node for node in rewritten.gm.graph.nodes if node.op.startswith("call_")]
    assert all("val" in node.meta or "example_value" in node.meta for node in calls)
    assert all(node.users for node in calls)
    assert not any("tanh" in str(node.target) for node in calls)
    same(rewritten, gm, model, inputs)


def test_item_assignments_stay_item_assignments():
    def model(x, y):
        s = x.exp()
        s[0] = 0.0
        return F.gelu(s + y) * s

    inputs = tensors(TWO)
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(lambda x, y: F.gelu(x + y))])
    assert rewritten.total == 1
    assert [node.target for node in rewritten.gm.graph.nodes].count(operator.setitem) == 1
    same(rewritten, gm, model, inputs)


def test_statistics_of_each_rule():
    gm = capture(lambda x, y: F.gelu(x.exp() + y) + F.gelu(x - y), *tensors(TWO))
    rules = [rule_of(gelu_add, name="a"), rule_of(lambda x: x.tanh(), name="b")]
    first, second = rewrite(gm, rules).stats
    assert (first.rule, first.tried, first.rejected_early, first.matched, first.replaced) == ("a", 1, 1, 1, 1)
    assert (second.tried, second.matched, second.replaced) == (0, 0, 0)
    assert first.us > 0
    assert first.to_json()["refused"] == 0


def test_near_misses_are_left_out_on_request():
    gm = capture(gelu_add, *tensors(TWO))
    assert rewrite(gm, [rule_of(lambda x: x.tanh())], explain=False).near_misses == ()


def test_a_list_argument_goes_to_the_wrapper_as_a_tuple():
    def kernel(parts, dim):
        return torch.cat(parts, dim)

    gm = capture(lambda x, y: torch.cat([x, y], 1), *tensors(TWO))
    rule = rule_of(lambda x, y: torch.cat([x, y], -1), kernel, lambda x, y: ([x, y], 1))
    rewritten = rewrite(gm, [rule])
    assert rewritten.records[0].arguments[0] == {"items": [{"input": "l_x_"}, {"input": "l_y_"}]}
    same(rewritten, gm, lambda x, y: None, tensors(TWO))


def test_several_results_of_one_match():
    def model(x, y):
        s = x + y
        return F.layer_norm(s, (8,)), s * 2

    def pattern(x, y):
        s = y + x
        return s, F.layer_norm(s, [8], eps=1e-5)

    inputs = tensors(TWO)
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(pattern)])
    assert rewritten.total == 1
    same(rewritten, gm, model, inputs)
    results = [node for node in rewritten.gm.graph.nodes if node.target is operator.getitem]
    assert [tuple(node.meta["example_value"].shape) for node in results] == [(4, 8), (4, 8)]


def test_disconnected_results_of_one_match():
    def model(x, y):
        c = x.cos()
        return c * y, x.sin()

    inputs = tensors(TWO)
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(lambda x: (x.sin(), x.cos()))])
    assert rewritten.total == 1
    same(rewritten, gm, model, inputs)


def test_an_outside_user_between_two_results_is_moved_behind_the_call():
    def model(x, y):
        s = x.sin()
        early = s * y
        return x.cos() + early.exp()

    inputs = tensors(TWO)
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(lambda x: (x.sin(), x.cos()))])
    assert rewritten.total == 1
    same(rewritten, gm, model, inputs)


def test_results_that_feed_one_another_through_outside_are_left_alone():
    def model(x, y):
        return (x.sin() * y).cos()

    gm = capture(model, *tensors(TWO))
    rewritten = rewrite(gm, [rule_of(lambda x, y: (x.sin(), y.cos()))])
    assert rewritten.total == 0
    assert "depends on one result" in rewritten.near_misses[0].reason


def test_two_matches_that_would_form_a_cycle_together_are_not_both_replaced():
    graph = fx.Graph()
    x, y, z = (graph.placeholder(name) for name in "xyz")
    s1 = graph.call_function(torch.sin, (x,))
    t2 = graph.call_function(torch.tan, (s1,))
    s2 = graph.call_function(torch.sin, (y,))
    t1 = graph.call_function(torch.tan, (s2,))
    graph.output((t1, t2, z))
    gm = fx.GraphModule(torch.nn.Module(), graph)

    def pattern(a, b):
        return torch.sin(a), torch.tan(b)

    rewritten = rewrite(gm, [rule_of(pattern)])
    rewritten.gm.graph.lint()
    inputs = tensors([(3,), (3,), (3,)])
    assert all(torch.equal(a, b) for a, b in zip(rewritten.gm(*inputs), gm(*inputs), strict=True))


def test_a_value_used_outside_refuses_the_match_and_says_who_uses_it():
    def model(x, y):
        s = x + y
        return F.gelu(s) * s

    gm = capture(model, *tensors(TWO))
    rewritten = rewrite(gm, [rule_of(gelu_add)], graph_name="g")
    assert rewritten.total == 0
    assert rewritten.near_misses[0].reason.startswith("value escapes: %s is used by")
    assert rewritten.near_misses[0].to_json()["graph"] == "g"


def test_one_graph_node_may_stand_for_two_placeholders_and_for_equal_pattern_nodes():
    inputs = tensors([(4, 8)])
    gm = capture(lambda x: F.gelu(x + x), *inputs)
    assert rewrite(gm, [rule_of(gelu_add)]).total == 1
    gm = capture(lambda x: (e := x.exp()) * e, *inputs)
    assert rewrite(gm, [rule_of(lambda a, b: a.exp() * b.exp())]).total == 1


def test_a_wrapper_may_return_the_tensor_or_a_tuple_of_one():
    inputs = tensors(TWO)
    gm = capture(gelu_add, *inputs)
    for pattern in (gelu_add, lambda x, y: (F.gelu(x + y),)):
        for wrapper in (gelu_add, lambda x, y: (F.gelu(x + y),), lambda x, y: [F.gelu(x + y)]):
            rewritten = rewrite(gm, [rule_of(pattern, wrapper)])
            same(rewritten, gm, gelu_add, inputs)


def test_shared_dispatcher_with_route_strings():
    calls = []

    def dispatch(*values):
        *args, route = values
        calls.append(route)
        return F.gelu(args[0] + args[1]) if route == "gelu" else torch.relu(args[0] * args[1])

    def model(x, y):
        return torch.relu(F.gelu(x + y) * y)

    inputs = tensors(TWO)
    gm = capture(model, *inputs)
    rules = [
        rule_of(gelu_add, dispatch, lambda x, y: (x, y, "gelu"), name="a"),
        rule_of(lambda x, y: F.relu(x * y), dispatch, lambda x, y: (x, y, "relu"), name="b"),
    ]
    rewritten = rewrite(gm, rules, limits=RewriteLimits(max_replacement_functions=1))
    assert rewritten.replacements == {"a": 1, "b": 1}
    same(rewritten, gm, model, inputs)
    assert calls == ["gelu", "relu"]


def test_rules_apply_in_their_order():
    gm = capture(gelu_add, *tensors(TWO))
    small = rule_of(lambda x: F.gelu(x), name="small")
    large = rule_of(gelu_add, name="large")
    assert rewrite(gm, [large, small]).replacements == {"large": 1, "small": 0}
    assert rewrite(gm, [small, large]).replacements == {"small": 1, "large": 0}


def test_metadata_reads_become_constants_of_the_call():
    def kernel(x, y, rows, shape, dtype, stride):
        assert (rows, shape, dtype, stride) == (4, (4, 8), torch.float32, (8, 1))
        return F.gelu(x + y)

    def arguments(x, y):
        return x, y, x.shape[0], y.shape, x.dtype, x.stride()

    inputs = tensors(TWO)
    gm = capture(gelu_add, *inputs)
    same(rewrite(gm, [rule_of(gelu_add, kernel, arguments)]), gm, gelu_add, inputs)


def test_sizes_written_in_the_pattern_are_those_of_the_graph():
    def model(x):
        return x.exp().view(4, 2, 4) * 8**-0.5

    def pattern(x):
        return x.exp().view(x.shape[0], 2, x.shape[1] // 2) * x.size(-1) ** -0.5

    def other(x):
        return x.exp().view(x.shape[0], 2, x.shape[1] // 2) * x.size(0) ** -0.5

    gm = capture(model, *tensors([(4, 8)]))
    assert rewrite(gm, [rule_of(pattern)]).total == 1
    assert rewrite(gm, [rule_of(other)]).total == 0


def test_creation_calls_and_constants_in_a_pattern():
    def model(x):
        return x.exp() + torch.ones(8)

    gm = capture(model, *tensors([(4, 8)]))
    assert rewrite(gm, [rule_of(lambda x: x.exp() + torch.ones(8))]).total == 1
    assert rewrite(gm, [rule_of(lambda x: x.exp() + torch.ones(4))]).total == 0


@pytest.mark.parametrize("makes", [lambda n: torch.div(8, n, rounding_mode="trunc"), lambda n: torch.add(1, n)])
def test_what_makes_a_tensor_of_numbers_alone_is_a_call_of_a_pattern_too(makes):
    gm = capture(lambda x: x.exp() * makes(4) + makes(4), *tensors([(4, 8)]))
    assert rewrite(gm, [rule_of(lambda x: x.exp() * makes(4) + makes(4))]).total == 1
    assert rewrite(gm, [rule_of(lambda x: x.exp() * makes(2) + makes(2))]).total == 0


def test_integer_tensors_tell_integer_literals_from_floats():
    gm = capture(lambda x: x * 2, torch.arange(6))
    assert rewrite(gm, [rule_of(lambda x: x * 2)]).total == 1
    assert rewrite(gm, [rule_of(lambda x: x * 2.0)]).total == 0


def test_the_input_module_is_not_changed_and_the_result_is_deterministic():
    def model(x, y):
        a = F.gelu(x + y)
        return torch.cat([F.gelu(a + y), F.gelu(y + a)], 0)

    gm = capture(model, *tensors(TWO))
    before = gm.code
    texts = {json.dumps([r.report(), r.gm.code]) for r in (rewrite(gm, [rule_of(gelu_add)]) for _ in range(3))}
    assert len(texts) == 1
    assert gm.code == before


def test_the_record_names_nodes_of_the_original_graph():
    gm = capture(gelu_add, *tensors(TWO))
    record = rewrite(gm, [rule_of(gelu_add, arguments=lambda x, y: (x, y))]).report()["records"][0]
    names = {node.name for node in gm.graph.nodes}
    assert set(record["removed"]) | set(record["outputs"]) <= names
    assert record["arguments"] == [{"input": "l_x_"}, {"input": "l_y_"}]
    assert record["function"] == "gelu_add"
    assert record["written_inputs"] == []
    json.dumps(record)


def add_in_place(x, y):
    x += y
    return x * 2


def add_apart(x, y):
    return (x + y) * 2


def amid(change):
    return lambda x, y: torch.relu(change(x + 1, y))


@pytest.mark.parametrize(
    ("graph", "pattern", "written"),
    [
        (amid(add_apart), add_apart, ()),
        (amid(add_in_place), add_apart, (0,)),
        (amid(add_apart), add_in_place, (0,)),
        (amid(add_in_place), add_in_place, (0,)),
        (add_in_place, add_in_place, (0,)),
    ],
)
def test_the_record_says_what_a_call_may_write(graph, pattern, written):
    done = rewrite(capture(graph, *tensors(((4, 8), (4, 8)))), [rule_of(pattern, arguments=lambda x, y: (x, 3, y))])
    assert [record.written for record in done.records] == [written]


def test_arguments_into_which_a_call_may_write_are_counted_in_tuples():
    given = lambda x, y: ((1, y), x)  # noqa: E731
    done = rewrite(capture(amid(add_apart), *tensors(((4, 8), (4, 8)))), [rule_of(add_in_place, arguments=given)])
    assert [record.written for record in done.records] == [(2,)]


def test_near_miss_names_argument_expected_and_found():
    shapes = ((4, 8), (8,), (8,))
    gm = capture(lambda x, w, b: F.layer_norm(x.exp(), (8,), w, b, 1e-6), *tensors(shapes))
    (miss,) = rewrite(gm, [rule_of(lambda x, w, b: F.layer_norm(x.exp(), (8,), w, b, 1e-5))]).near_misses
    assert miss.reason == "argument eps: expected 1e-05, found 1e-06"
    assert (miss.expected, miss.found) == ("eps=1e-05", "eps=1e-06")
    assert "eps" in miss.text()


def test_near_miss_of_an_operation_that_the_graph_lacks():
    gm = capture(lambda x: x.exp(), *tensors([(4, 8)]))
    (miss,) = rewrite(gm, [rule_of(lambda x: x.expm1())]).near_misses
    assert (miss.expected, miss.reason) == ("expm1", "operation expm1 is not in the graph")
    assert "exp" in miss.found


def test_limits_are_errors():
    gm = capture(gelu_add, *tensors(TWO))
    rules = [rule_of(gelu_add), rule_of(gelu_add, lambda x, y: F.gelu(x + y), name="other")]
    with pytest.raises(RewriteLimitError, match="at most 1, found 2"):
        rewrite(gm, rules, limits=RewriteLimits(max_rules=1))
    with pytest.raises(UsageError, match="different replacement functions"):
        rewrite(gm, rules, limits=RewriteLimits(max_replacement_functions=1))
    with pytest.raises(RewriteLimitError, match="too many steps"):
        rewrite(gm, rules, limits=RewriteLimits(max_match_steps=2))


def test_callables_without_a_name_can_be_wrappers():
    class Kernel:
        def __call__(self, x, y):
            return F.gelu(x + y)

    inputs = tensors(TWO)
    gm = capture(gelu_add, *inputs)
    same(rewrite(gm, [rule_of(gelu_add, Kernel())]), gm, gelu_add, inputs)
