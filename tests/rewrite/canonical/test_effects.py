"""In-place operations and aliases: what may be replaced although something is written, and what must be left alone."""

import operator

import pytest
import torch
import torch.nn.functional as F
from torch import fx

from passnet.graph import propagate
from passnet.rewrite import rewrite
from passnet.rewrite.canonical.effects import Effects
from passnet.rewrite.canonical.index import build_table
from passnet.rewrite.rules.trace import _Tracer
from tests.rewrite.helpers import capture, rule_of, run, tensors

TWO = ((4, 8), (4, 8))


def gelu_add(x, y):
    return F.gelu(x + y)


def folded(x, y):
    z = x.exp()
    z += y
    return F.gelu(z)


def read_later(x, y):
    z = x.exp()
    w = z
    w += y
    return F.gelu(w) + z


def view_read_later(x, y):
    z = x.exp()
    v = z.view(-1)
    z += y
    return F.gelu(z), v * 2


def written_between(x, y):
    z = x.exp()
    s = z + y
    z.mul_(2)
    return F.gelu(s * z), z


def view_written_between(x, y):
    z = x.exp()
    v = z.view(-1)
    s = z + y
    v.mul_(2)
    return s * z


def chunk_written_between(x, y):
    z = x.exp()
    half = z.chunk(2, 1)[0]
    s = z + y
    half.mul_(2)
    return s * z


def input_in_place(x, y):
    x += y
    return F.gelu(x)


def later_in_place(x, y):
    z = F.gelu(x + y)
    z.mul_(3)
    return z


def result_is_view_of_written(x, y):
    z = x.exp()
    v = z.transpose(0, 1).relu_()
    return v, z


def relu_chain(x, y):
    z = x.exp()
    z += y
    return F.relu(z, inplace=True)


def autocast_inside(x, y):
    s = x + y
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return F.gelu(s)


def pieces_of_written(x, y):
    a, b = F.relu(x.exp(), inplace=True).split(2)
    return a + y[:2], b


def pieces_written_later(x, y):
    a, b = F.relu(x.exp()).split(2)
    a += y[:2]
    return a, b


def pieces_written_between(x, y):
    z = x.exp()
    a = z[:2]
    b = z.relu_()[2:]
    return a, b, y


def relu_pieces(z):
    a, b = F.relu(z.exp()).split(2)
    return a, b


def normalised_best(x, y):
    best, places = torch.topk(x, k=2, dim=-1)
    best /= best.sum(dim=-1, keepdim=True)
    return places, best * y[0][places]


def best_of(x, row):
    best, places = torch.topk(x, k=2, dim=-1)
    best = best / best.sum(dim=-1, keepdim=True)
    return places, best * row[places]


def best_written_later(x, y):
    values, places = x.exp().sort()
    values += y
    return values, places


def half_divided(x, y):
    left, right = x.exp().chunk(2, dim=1)
    left /= left.sum(dim=-1, keepdim=True)
    return left * right


def half_of(z):
    left, right = z.chunk(2, dim=1)
    return left / left.sum(dim=-1, keepdim=True) * right


SAFE = [
    (normalised_best, best_of),
    (best_written_later, lambda x: (x.sort()[0], x.sort()[1])),
    (pieces_of_written, relu_pieces),
    (folded, lambda z, y: F.gelu(z + y)),
    (later_in_place, gelu_add),
    (relu_chain, lambda z, y: z + y),
    (relu_chain, lambda z, y: F.relu(z + y)),
    (folded, lambda z, y: z + y),
]
UNSAFE = [
    (half_divided, half_of, "another call of the match writes in place"),
    (read_later, lambda z, y: F.gelu(z + y), "value escapes"),
    (view_read_later, lambda z, y: F.gelu(z + y), "written in place"),
    (written_between, lambda z, y: (z + y) * z, "two different values"),
    (view_written_between, lambda z, y: (z + y) * z, "writes in place to storage that the match reads"),
    (chunk_written_between, lambda z, y: (z + y) * z, "writes in place to storage that the match reads"),
    (input_in_place, gelu_add, "only the graph changes graph input"),
    (result_is_view_of_written, lambda z: z.transpose(0, 1), "written in place"),
    (pieces_written_later, relu_pieces, "share storage that is written in place"),
    (autocast_inside, gelu_add, "changes how later operations behave"),
]


@pytest.mark.parametrize(("model", "pattern"), SAFE)
def test_unobservable_writes_are_folded(model, pattern):
    inputs = tensors(TWO)
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(pattern)])
    assert rewritten.total == 1, rewritten.near_misses
    got, wanted = run(rewritten.gm, model, inputs), run(gm, model, inputs)
    assert all(torch.equal(a, b) for a, b in zip(got, wanted, strict=True))


@pytest.mark.parametrize(("model", "pattern", "reason"), UNSAFE)
def test_observable_writes_refuse_the_match(model, pattern, reason):
    gm = capture(model, *tensors(TWO))
    rewritten = rewrite(gm, [rule_of(pattern)])
    assert rewritten.total == 0, rewritten.gm.code
    assert reason in rewritten.near_misses[0].reason


def test_results_that_share_storage_are_left_when_one_is_made_before_the_write():
    def pattern(z):
        z = z.exp()
        a = z[:2]
        return a, z.relu_()[2:]

    rewritten = rewrite(capture(pieces_written_between, *tensors(TWO)), [rule_of(pattern)])
    assert rewritten.total == 0
    assert "written in place" in rewritten.near_misses[0].reason


def test_an_input_changed_in_place_by_graph_and_pattern_alike_is_replaced_and_recorded():
    def pattern(x, y):
        x += y
        return F.gelu(x)

    def kernel(x, y):
        return F.gelu(x + y)

    inputs = tensors(TWO)
    gm = capture(input_in_place, *inputs)
    rewritten = rewrite(gm, [rule_of(pattern, kernel)])
    assert rewritten.total == 1
    assert rewritten.records[0].written_inputs == ("l_x_",)
    assert torch.equal(run(rewritten.gm, input_in_place, inputs)[0], run(gm, input_in_place, inputs)[0])


def test_scatter_add_as_published_tasks_spell_it():
    def model(src, index, out):
        return out.scatter_add_(0, index, src)

    inputs = [torch.rand(4), torch.tensor([0, 1, 1, 2]), torch.zeros(3)]
    gm = capture(model, *inputs)
    assert rewrite(gm, [rule_of(lambda src, index, out: out.scatter_add_(0, index, src))]).total == 1
    assert rewrite(gm, [rule_of(lambda src, index, out: out.scatter_add(0, index, src))]).total == 0


def test_a_pattern_in_place_does_not_take_a_graph_that_keeps_its_input():
    def pattern(x, y):
        x += y
        return F.gelu(x)

    gm = capture(gelu_add, *tensors(TWO))
    rewritten = rewrite(gm, [rule_of(pattern)])
    assert rewritten.total == 0
    assert "only the pattern changes" in rewritten.near_misses[0].reason


def test_training_batch_norm_writes_its_statistics():
    def model(x, m, v):
        y = F.batch_norm(x, m, v, training=True)
        return y, m * 1

    gm = capture(model, *tensors(((2, 4, 3, 3), (4,), (4,))))
    assert rewrite(gm, [rule_of(lambda x, m, v: F.batch_norm(x, m, v, training=True))]).total == 0


def test_item_assignment_between_two_reads_is_a_write():
    def model(x, y):
        z = x.exp()
        a = z + y
        z[0] = 0.0
        return a * z.sum()

    gm = capture(model, *tensors(TWO))
    assert rewrite(gm, [rule_of(lambda z, y: (z + y) * z.sum())]).total == 0


def test_random_calls_are_neither_merged_nor_moved():
    def model(x, y):
        a = F.dropout(x, 0.5, True)
        return a * a

    gm = capture(model, *tensors(TWO))
    assert rewrite(gm, [rule_of(lambda p, q: F.dropout(p, 0.5, True) * F.dropout(q, 0.5, True))]).total == 0


def filled_by_copies(x, y):
    room = x.new_empty(2, 6)
    left = room[..., :4]
    left.copy_(x)
    right = room[:, 4:]
    right.copy_(y[:, :2])
    return room


def filled_by_assignments(x, y):
    room = x.new_empty(2, 6)
    room[..., :4] = x
    room[:, 4:] = y[:, :2]
    return room


HALVES = ((2, 4), (2, 4))


@pytest.mark.parametrize("pattern", [filled_by_copies, filled_by_assignments], ids=lambda f: f.__name__)
@pytest.mark.parametrize("spelling", [filled_by_copies, filled_by_assignments], ids=lambda f: f.__name__)
def test_copying_into_an_item_is_assigning_to_it(spelling, pattern):
    def model(x, y):
        return spelling(x, y).relu()

    inputs = tensors(HALVES)
    gm = capture(model, *inputs)
    rewritten = rewrite(gm, [rule_of(pattern, lambda x, y: torch.cat([x, y[:, :2]], 1))])
    assert rewritten.total == 1
    for got, wanted in zip(run(rewritten.gm, model, inputs), run(gm, model, inputs), strict=True):
        assert torch.equal(got, wanted)


def item_is_read(x, y):
    room = x.new_zeros(2, 6)
    left = room[..., :4]
    left.copy_(x)
    return room, left * 2


def copy_is_read(x, y):
    room = x.new_zeros(2, 6)
    return room, room[..., :4].copy_(x) * 2


def one_of_several_results(x, y):
    parts = x.exp().split(2, 1)
    parts[0].copy_(y[:, :2])
    return torch.cat(parts, 1)


def turned_after_the_item(x, y):
    room = x.new_zeros(2, 4)
    left = room[:1, :]
    room.t_()
    left.copy_(y[:1])
    return room


@pytest.mark.parametrize(
    "model", [item_is_read, copy_is_read, one_of_several_results, turned_after_the_item], ids=lambda f: f.__name__
)
def test_items_that_are_more_than_a_place_to_copy_to_stay_as_they_are(model):
    inputs = tensors(HALVES)

    def then(x, y):
        found = model(x, y)
        return found, F.relu(x - y)

    gm = capture(then, *inputs)
    rewritten = rewrite(gm, [rule_of(lambda x, y: F.relu(x - y), lambda x, y: (x - y).clamp(min=0))])
    assert rewritten.total == 1
    assert any(node.target == "copy_" for node in rewritten.gm.graph.nodes)
    for got, wanted in zip(run(rewritten.gm, then, inputs), run(gm, then, inputs), strict=True):
        assert torch.equal(got, wanted)


def one_result_twice(x, y):
    found = x.sort(1)
    first, again = found[0], found[-2]
    return first.mul_(2) * y + again


def one_result_written_between(x, y):
    found = x.sort(1)
    first, again = found[0], found.values
    total = first + y
    again.mul_(3)
    return total * first


def tuple_used_as_a_whole(x, y):
    found = x.sort(1)
    first, rest = found[0], found[:1]
    return first.mul_(2) * y + rest[0]


def results_of_a_composition(x, y):
    found = torch.svd(x)
    return found[0].mul_(2) * y + found[2]


@pytest.mark.parametrize(
    ("model", "pattern"),
    [
        (one_result_twice, lambda a, b, y: a * 2 * y + b),
        (one_result_twice, lambda x, y: x.sort(1)[0] * 2 * y + x.sort(1)[-2]),
        (one_result_written_between, lambda z, y: (z + y) * z),
        (tuple_used_as_a_whole, lambda a, b, y: a * 2 * y + b),
        (results_of_a_composition, lambda a, b, y: a * 2 * y + b),
    ],
)
def test_results_that_are_one_tensor_or_may_be_share_storage(model, pattern):
    gm = fx.GraphModule(torch.nn.Module(), _Tracer().trace(model))
    rewritten = rewrite(gm, [rule_of(pattern)])
    assert rewritten.total == 0, rewritten.gm.code
    assert "in place" in rewritten.near_misses[0].reason


@pytest.mark.parametrize(
    ("taken", "distinct"),
    [
        *((text, True) for text in ("x.topk(2)", "x.max(1)", "x.min(0)", "torch.sort(x)", "torch.var_mean(x, 1)")),
        *((text, False) for text in ("x.chunk(2)", "x.split(2)", "x.unbind(0)", "x.tensor_split(2)", "torch.svd(x)")),
        *((text, False) for text in ("torch.meshgrid(x, x)", "torch.broadcast_tensors(x, x)", "x.max()", "x.neg()")),
    ],
)
def test_schemas_say_which_results_have_storage_of_their_own(taken, distinct):
    scope = {"torch": torch}
    exec(f"def model(x):\n    found = {taken}\n    return found[0], found[1]", scope)
    graph = _Tracer().trace(scope["model"])
    one, other = (node for node in graph.nodes if node.target is operator.getitem)
    effects = Effects(build_table(graph))
    assert effects.share_storage(one, other) is not distinct
    assert all(effects.share_storage(node, node.args[0]) for node in (one, other))


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("F.pad(x, (1, 1))", True),
        ("F.interpolate(x, scale_factor=2)", True),
        ("F.pad(x, (1, -1))", False),
        ("F.interpolate(x, size=3)", False),
        ("F.dropout(x, 0.5, False)", False),
        ("x.contiguous()", False),
        ("x[:1]", False),
    ],
)
def test_a_result_of_another_shape_is_no_input(text, new):
    scope = {"F": torch.nn.functional}
    exec(f"def model(x):\n    return {text}", scope)
    gm = fx.GraphModule(torch.nn.Module(), _Tracer().trace(scope["model"]))
    propagate(gm, [torch.ones(2, 4, 3)])
    x, result = (node for node in gm.graph.nodes if node.op != "output")
    assert Effects(build_table(gm.graph)).share_storage(x, result) is not new
