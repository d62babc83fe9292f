"""Hard draws on which eager must survive first: what they hold, and which of them count."""

from __future__ import annotations

import pytest
import torch

from passnet.bench.compare.neighbours import survived
from passnet.bench.draws.secret_inputs import Key, SecretInputs
from passnet.bench.wire.shared_buffers import BufferLayout, SharedBuffers
from passnet.graph import Graph, TensorSpec
from passnet.graph.values.inputs import hard_distributions, hardened
from tests.graph.graph_helpers import graph_of, spec

_FAR = 30.0
_FLOATS = ("float16", "bfloat16", "float32", "float64")


def drawn(graph: Graph, seed: int = 3, device: str = "cpu") -> tuple[SecretInputs, tuple[str, ...]]:
    hard = hard_distributions(graph)
    return SecretInputs.draw(graph, device, seed, ["normal", *hard], hard=len(hard)), hard


def many(given: SecretInputs, draw: int, count: int = 20) -> list[list[torch.Tensor]]:
    return [[value.clone() for value in given.values(given.key(draw))] for _ in range(count)]


def test_they_are_no_draws_of_their_own_and_those_that_survive_become_siblings() -> None:
    given, _ = drawn(graph_of([spec("x", 4, 32), spec("bias", 32)], "y = x + bias", "return (y,)"))
    assert given.careful and not set(given.careful) & ({*given.alone, *given.timed} | given.hard | given.beside)
    assert all(given.is_hard(draw) for draw in given.careful)
    kept, lost = given.careful[0], given.careful[1:]
    words = given.key().words
    values = [value.clone() for value in given.values(Key(kept, words))]
    given.survived([kept], [1, 2])
    assert kept in given.siblings[1] and given.careful == lost
    count = len(given.draws)
    given.keep([0, 1])
    assert len(given.draws) < count - len(lost) and not given.careful
    (again,) = [draw for draw in given.siblings[1] if all(map(torch.equal, values, given.values(Key(draw, words))))]
    assert again in given.beside and given.alone == (0, 1)


def test_what_is_called_a_bias_is_hard_too() -> None:
    """And a variance as well, of which the sign alone stays."""
    specs = [spec("x", 4, 32), spec("bias", 32), spec("running_var", 32, mean=1.0, std=0.1, min_val=0), spec("eps")]
    lines = ["a = x + bias", "v = running_var + eps", "r = torch.rsqrt(v)", "y = a * r"]
    given, _ = drawn(graph_of(specs, *lines, "return (y,)"))
    sizes = []
    for draw in given.careful:
        for x, bias, variance, eps in many(given, draw, 4):
            if float(x.abs().max()) > _FAR:
                continue  # one of far numbers
            assert float(variance.min()) >= 0 and float(eps) < _FAR
            sizes.append((float(bias.abs().max()), float(variance.max())))
    assert all(max(column) > 100 and min(column) < _FAR for column in zip(*sizes, strict=True))


@pytest.mark.parametrize(
    ("name", "fields", "lines", "flows"),
    [
        ("x", {}, ["y = x * 2"], True),
        ("x", {"min_val": 0}, ["y = x * 2"], True),
        ("x", {"min_val": 0}, ["y = torch.rsqrt(x)"], False),
        ("running_var", {"min_val": 0}, ["y = x * 2"], True),
        ("bias", {}, ["y = x * 2"], True),
        ("eps", {}, ["y = x * 2"], True),
        ("L_self_modules_words_parameters_weight_", {}, ["y = torch.nn.functional.embedding(i, x)"], True),
        ("x", {}, ["a = torch.nn.functional.embedding(i, x)", "y = torch.nn.functional.linear(a, x)"], False),
    ],
)
def test_what_flows_through_a_graph(name: str, fields: dict[str, float], lines: list[str], flows: bool) -> None:
    lines = [line.replace("x", name) if name != "x" else line for line in lines]
    graph = graph_of([spec(name, 8, 8, **fields), spec("i", 4, dtype="int64")], *lines, "return (y,)")
    assert (0 in hardened(graph)) is flows
    assert 0 in hardened(graph, every=True)


@pytest.mark.parametrize("name", ["running_var", "running_mean", "eps", "bias", "gamma", "w_0"])
@pytest.mark.parametrize(
    ("shape", "line", "flows"),
    [
        ((8, 8), "y = x * NAME", True),
        ((1, 8), "y = x * NAME", False),
        ((8,), "y = x * NAME", False),
        ((8, 8), "y = x @ NAME", False),
        ((8, 8), "y = x @ NAME.t()", False),
    ],
)
def test_a_name_alone_makes_no_parameter_of_what_is_as_large_as_data(
    name: str, shape: tuple[int, ...], line: str, flows: bool
) -> None:
    lines = [line.replace("NAME", name)]
    if ".t()" in line:
        lines = [f"t = {name}.t()", "y = x @ t"]
    graph = graph_of([spec("x", 8, 8), spec(name, *shape)], *lines, "return (y,)")
    assert (1 in hardened(graph)) is (flows or name == "eps")


def test_an_epsilon_is_one_number() -> None:
    graph = graph_of(
        [spec("x", 8, 8), spec("eps"), spec("epsilon", 1)], "a = x + eps", "y = a + epsilon", "return (y,)"
    )
    assert hardened(graph, every=True) == {0}


def test_a_draw_counts_where_eager_is_near_the_truth() -> None:
    truth = torch.linspace(-1, 1, 99, dtype=torch.float64)
    assert survived(truth.float(), truth) and survived(truth.bfloat16(), truth)
    assert not survived(truth.float() + 1e-3, truth) and survived(truth.float() + 1e-3, truth, roughly=True)
    assert not survived(truth.float() + 0.5, truth, roughly=True)
    assert not survived(truth.float().masked_fill(truth > 0.5, torch.inf), truth)
    filled = truth.masked_fill(truth > 0.5, -torch.inf)
    assert survived(filled.float(), filled)
    assert survived(filled.float() * 0, filled * 0), "what is no number says nothing, and what is one does"
    assert not survived(filled[filled.isinf()].float() * 0, filled[filled.isinf()] * 0)
    assert not survived(truth.float().masked_fill(truth > 0.5, torch.nan), truth)
    assert survived(torch.arange(3), torch.arange(3))


def test_rows_blocks_and_whole_inputs_are_zero_and_so_are_some_variances() -> None:
    specs = [
        spec("x", 4, 8, 16),
        spec("L_self_modules_norm_parameters_bias_", 16),
        spec("running_var", 16, mean=1.0, std=0.1, min_val=0),
        spec("mask", 4, 1, 16, mean=-1e38, std=1e38),
        spec("above", 16, mean=2.0, std=0.1, min_val=1),
    ]
    lines = ["a = x + L_self_modules_norm_parameters_bias_", "v = a / running_var", "y = v + mask", "z = y * above"]
    graph = graph_of(specs, *lines, "return (z,)")
    found = {"row": 0, "block": 0, "whole": 0, "bias": 0}
    for seed in range(4):
        given, _ = drawn(graph, seed)
        # What is alike by chance, or has few numbers, comes after the others.
        for x, bias, variance, mask, above in (values for draw in given.careful for values in many(given, draw)):
            zero = x == 0
            if len(x[~zero].unique()) < int((~zero).sum()):
                continue
            found["whole"] += bool(zero.all())
            found["block"] += bool(zero.all(-1).all(-1).any()) and not bool(zero.all())
            found["row"] += bool(zero.all(-1).any()) and not bool(zero.all(-1).all(-1).any())
            found["bias"] += bool((bias == 0).all())
            holes = int((variance == 0).sum())
            assert bool((above >= 1).all()) and (mask.min() > -1e30 or bool((mask < 0).any(-1).all()))
            assert not zero.any() or (zero.all(-1).any() and 0 < holes < 16)
    assert all(found.values()), found


_SPREAD = tuple(0.2 + 0.01 * (7 * place % 48) for place in range(48))
_COUNTS = tuple(100 + 7 * place % 13 for place in range(48))


@pytest.mark.parametrize(
    ("stored", "lines"),
    [
        (spec("k", 48, data=_SPREAD), ["y = x / k"]),
        (spec("k", 1, 48, data=_SPREAD), ["z = x - k", "s = z / k", "y = torch.softmax(s, -1)"]),
        (spec("k", 48, data=_SPREAD, dtype="bfloat16"), ["y = x / k"]),
        (spec("k", 48, data=_COUNTS, dtype="int32"), ["y = x / k"]),
        (spec("k", 48, data=_COUNTS, dtype="uint8"), ["a = k.float()", "y = x / a"]),
        (spec("k", 48, data=(1,) * 48, dtype="int64"), ["y = x / k"]),
    ],
)
def test_what_is_stored_without_a_zero_is_never_divided_by_as_zero(stored: TensorSpec, lines: list[str]) -> None:
    """A standard deviation, a scale, a count: a constant of the model, and a form may multiply by its inverse."""
    for seed in range(4):
        given, _ = drawn(graph_of([spec("x", 64, 48), stored], *lines, "return (y,)"), seed)
        assert not any(bool((k == 0).any()) for draw in range(len(given.draws)) for _, k in many(given, draw, 3))


@pytest.mark.parametrize(
    ("stored", "lines"),
    [
        (spec("k", 48, data=(0.0, *_SPREAD[1:])), ["y = x * k"]),
        (spec("k", 48, data=_SPREAD), ["m = k == 0.0", "a = k.masked_fill(m, 1.0)", "y = x / a"]),
        (spec("k", 48, data=(1,) * 48, dtype="int64"), ["y = x * k"]),
    ],
)
def test_zero_is_stored_where_a_call_may_have_it(stored: TensorSpec, lines: list[str]) -> None:
    """One zero is there, or the program asks for it, or a mask hides nothing in the recorded call."""
    given, _ = drawn(graph_of([spec("x", 64, 48), stored], *lines, "return (y,)"))
    assert any(bool((k == 0).any()) for draw in (*given.careful, *given.hard) for _, k in many(given, draw, 3))


def test_what_indexes_something_takes_all_of_it_whatever_its_recorded_values_are() -> None:
    """A pass could know the few rows that stored ids look up, or those within the bounds of recorded ones."""
    specs = [
        spec("table", 5000, 4),
        spec("stored", 64, dtype="int64", data=(3, 1, 4, 1) * 16),
        spec("bounded", 64, dtype="int32", min_val=2, max_val=9),
        spec("one", 1, dtype="int64", data=(7,)),
        spec("size", 1, dtype="int64", data=(7,)),
    ]
    lines = [f"of_{name} = torch.nn.functional.embedding({name}, table)" for name in ("stored", "bounded", "one")]
    given, _ = drawn(graph_of(specs, *lines, "n = size * 2", "return (of_stored, of_bounded, of_one, n)"))
    wide = [draw for draw in given.careful if max(int(values[1].max()) for values in many(given, draw, 3)) > 9]
    assert len(wide) == 1
    calls = many(given, wide[0], 60)
    for place in (1, 2, 3):
        found = {int(value) for values in calls for value in values[place]}
        assert {0, 4999} <= found and len(found) > 20 and min(found) >= 0
        assert max(found) == 4999
    assert {int(values[4]) for values in calls} == {7}


def test_bounds_of_floats_are_drawn_but_for_zero() -> None:
    """A probability is 1 where a sigmoid saturates."""
    specs = [
        spec("p", 64, 32, mean=0.5, std=0.25, min_val=0.0, max_val=1.0),
        spec("q", 64, 32, dtype="float16", mean=1.0, std=0.1, min_val=0.3, max_val=2.0),
        spec("x", 64, 32),
    ]
    given, _ = drawn(graph_of(specs, "a = p * q", "y = a * x", "return (y,)"))
    calls = [call for draw in given.careful for call in many(given, draw, 2)]
    at_one = [float((p == 1.0).float().mean()) for p, _, _ in calls]
    at_two = [float((q == 2.0).float().mean()) for _, q, _ in calls]
    assert sum(0.4 < share < 0.6 for share in at_one) == 2 and sum(0.4 < share < 0.6 for share in at_two) == 2
    assert all(float(q.min()) >= 0.3 and float(q.max()) <= 2.0 and float(p.max()) <= 1.0 for p, q, _ in calls)


def test_an_input_meets_stored_edges_as_they_are() -> None:
    """In timed calls they are drawn from between their own values."""
    edges = tuple(0.125 * number for number in range(-40, 40))
    specs = [spec("x", 64, 32), spec("edges", 80, data=edges)]
    given, _ = drawn(graph_of(specs, "y = torch.bucketize(x, edges)", "return (y,)"))
    met = []
    for draw in given.careful:
        for x, known in many(given, draw, 4):
            met.append(float(torch.isin(x, known).float().mean()) if known.tolist() == list(edges) else 0.0)
    assert max(met) > 0.15


def test_rows_that_infinities_hide_are_in_careful_draws_alone() -> None:
    specs = [spec("x", 64, 32), spec("mask", 64, 32, mean=float("-inf"), std=float("nan"))]
    given, _ = drawn(graph_of(specs, "y = x + mask", "return (y,)"))
    hidden = set()
    for draw in range(len(given.draws)):
        for _, mask in many(given, draw, 3):
            assert draw in given.careful or bool((mask == -torch.inf).any()) or draw in given.hard | given.beside
            if bool((mask == -torch.inf).all(-1).any()):
                hidden.add(draw)
    assert len(hidden) == 1 and hidden <= set(given.careful)


def test_numbers_of_the_program_are_drawn_and_their_neighbours() -> None:
    specs = [
        spec("ids", 64, 32, dtype="int64", min_val=0, max_val=50_000),
        spec("x", 64, 32),
        spec("h", 64, 32, dtype="float16"),
        spec("w", 64, 32, max_val=2.0),
    ]
    lines = ["a = ids == 777", "b = torch.clamp(x, -3.0, 1e6)", "c = h > 0.3", "d = w * 0.7", "e = d < 1000.0"]
    given, _ = drawn(graph_of(specs, *lines, "return (a, b, c, e)"))
    calls = [call for draw in given.careful for call in many(given, draw)]
    ids, x, h, w = (torch.stack(each) for each in zip(*calls, strict=True))
    assert {776, 777, 778} <= set(ids.flatten().tolist()) and int(ids.min()) >= 0 and int(ids.max()) <= 50_000
    assert (
        x.max() > 2e6 and bool((x == 1e6).any()) and bool((x == torch.tensor(1e6).nextafter(torch.tensor(0.0))).any())
    )
    bound = torch.tensor(0.3, dtype=torch.float16)
    share = [float((h == bound + steps * 2.0**-12).float().mean()) for steps in (-1, 0, 1)]
    assert min(share[0], share[2]) > 10 * share[1], "0.3 is no float16, and it is chance on which side that is"
    assert float(w.max()) <= 2.0


def test_one_number_of_the_program_is_in_one_row_of_many_or_in_one_element() -> None:
    specs = [spec("ids", 64, 32, dtype="int64", min_val=0, max_val=50_000)]
    graph = graph_of(specs, "a = ids == 777", "y = a.any(-1)", "return (y,)")
    drawings = [drawn(graph, seed)[0] for seed in range(4)]
    calls = [call for given in drawings for draw in given.careful for call in many(given, draw)]
    rows = torch.stack([(call[0] == 777).sum(-1) for call in calls])
    assert {0, 1, 31, 32} <= set(rows.flatten().tolist())


@pytest.mark.parametrize("shape", [(256,), (1, 256), (2, 128)])
def test_of_one_row_each_call_of_some_draw_holds_the_number_itself(shape: tuple[int, ...]) -> None:
    """One end token among fifty thousand words: with all words of a row alike, half of the calls had none."""
    specs = [spec("ids", *shape, dtype="int64", min_val=0, max_val=50_000)]
    for seed in range(8):
        given, _ = drawn(graph_of(specs, "a = ids == 777", "return (a,)"), seed)
        least = max(min(int((call[0] == 777).sum()) for call in many(given, draw)) for draw in given.careful)
        assert least >= 32, "an eighth of the elements"


def test_numbers_are_of_all_sizes_far_out() -> None:
    specs = [spec("x", 64, 32), spec("w", 64, 32, max_val=2.0), spec("n", 64, 32, dtype="int64")]
    given, _ = drawn(graph_of(specs, "a = x * w", "s = n.sum(-1)", "return (a, s)"))
    found = [(float(x.abs().max()), float(w.max()), int(n.abs().max()).bit_length())
             for draw in given.careful for x, w, n in many(given, draw, 3)]  # fmt: skip
    sizes, bounded, bits = zip(*found, strict=True)
    assert any(1e6 < size < 2**24 for size in sizes) and 2**40 < max(sizes) <= 2**48
    assert max(bounded) <= 2.0 and max(bits) == 51, "no sum of them all leaves the range"


@pytest.mark.parametrize("dtype", ["float16", "float8_e4m3fn", "float8_e5m2"])
def test_a_narrow_range_is_drawn_to_its_end_once(dtype: str) -> None:
    """A pass may clamp where few numbers lie. What else a graph takes is drawn as far as before."""
    for others, more in ([], 0), ([spec("w", 64, 32)], 1):
        given, _ = drawn(graph_of([spec("x", 64, 32, dtype=dtype), *others], "y = x.float()", "return (y,)"))
        plain, _ = drawn(graph_of([spec("x", 64, 32), *others], "y = x.float()", "return (y,)"))
        counts = [sum(not each.is_rough(draw) for draw in each.careful) for each in (given, plain)]
        # What is narrow is not large enough for two draws, and rows of two dtypes are not related, nor runs equal.
        # Eight bits hold no far column, and no mean of many deviations.
        missing = 4 if others else 5 * dtype.startswith("float8")
        assert counts[0] == counts[1] + more - missing
        ends = [max(float(call[0].double().abs().max()) for call in many(given, draw, 3)) for draw in given.careful]
        limit = torch.finfo(getattr(torch, dtype)).max
        assert limit / 1.2 < max(ends) <= limit


@pytest.mark.parametrize(("line", "power"), [("y = x * 0.3", 24), ("y = torch.matmul(x, x)", 12)])
def test_what_an_exponential_is_taken_of_is_not_so_far_out(line: str, power: int) -> None:
    given, _ = drawn(graph_of([spec("x", 64, 64)], line, "z = y.softmax(-1)", "return (z,)"))
    farthest = max(float(call[0].max()) for draw in given.careful for call in many(given, draw, 3))
    assert 2.0 ** (power - 2) < farthest <= 2.0**power


@pytest.mark.parametrize(
    ("line", "sign"), [("y = x * 0.3", 1), ("y = -x", -1), ("y = x - 1.0", 1), ("y = x / -8.0", -1)]
)
def test_where_exponentials_vanish_numbers_are_as_far_out_as_elsewhere(line: str, sign: int) -> None:
    """In whole rows not so far that a step of the number is more than an exponential holds."""
    given, _ = drawn(graph_of([spec("x", 64, 2, 31)], line, "z = y.softmax(1)", "return (z,)"))
    calls = [sign * call[0] for draw in given.careful for call in many(given, draw)]
    rows = [float(row.max()) for x in calls for row in x[(x < -(2**10)).all(-1)]]
    assert rows and all(-(2.0**26) < row < -(2.0**14) for row in rows)
    farthest = [x for x in calls if float(x.min()) < -(2.0**27)]
    assert farthest and min(float(x.min()) for x in farthest) >= -(2.0**48.1)
    assert all(float(x.amax(dim).min()) > -_FAR for x in farthest for dim in range(3)), "a maximum lost its digits"


@pytest.mark.parametrize("shape", [(1, 64), (4, 64), (64,)])
def test_of_few_rows_each_call_of_some_draw_has_one_that_vanishes_and_one_that_is_zero(shape: tuple[int, ...]) -> None:
    """A draw is compared once, so chance must not leave it without what it is for."""
    given, _ = drawn(graph_of([spec("x", *shape)], "y = x.softmax(-1)", "return (y,)"))
    calls = [[call[0] for call in many(given, draw, 60)] for draw in given.careful]
    assert any(all(bool((x < -(2**14)).all(-1).any()) for x in some) for some in calls)
    assert any(all(bool((x == 0).all(-1).any()) for x in some) for some in calls)


@pytest.mark.parametrize(
    "lines",
    [
        ["y = x * 0.3", "z = torch.tanh(y)"],
        ["y = x * x", "z = y.softmax(-1)"],
        ["y = x.softmax(-1)", "a = -x", "b = a.softmax(-1)", "z = y + b"],
    ],
)
def test_where_nobody_knows_that_exponentials_vanish_no_row_is_far_out(lines: list[str]) -> None:
    given, _ = drawn(graph_of([spec("x", 64, 32)], *lines, "return (z,)"))
    for draw in [draw for draw in given.careful if not given.is_rough(draw)]:
        rows = [int((call[0].abs() > 2**10).all(-1).sum()) for call in many(given, draw, 3)]
        lone = given.draws[draw][0].at  # one row of all is far in one draw, whatever a graph makes of it
        assert max(rows) == (1 if lone and (lone.inner, lone.size) == (32, 64) else 0)


def test_a_part_of_each_row_of_each_block_or_of_the_whole_has_larger_numbers() -> None:
    specs = [spec("x", 6, 4, 16), spec("w", 5, 7, mean=0.5, std=0.3, min_val=0.0, max_val=1.0)]
    graph = graph_of(specs, "a = x.sum(1)", "c = w.mean(-1)", "return (a, c)")
    ways = {"every other": (-1, (8, 2), -1), "row": (-1, (2, 8), -2), "block": (1, (2, 2), 1), "whole": (0, (2, 3), 0)}
    found = dict.fromkeys(ways, 0)
    for seed in range(8):
        given, _ = drawn(graph, seed)
        for draw in given.careful:
            for x, w in many(given, draw, 2):
                larger = x > 0.3
                for name, (dim, sizes, part) in ways.items():
                    one, other = larger.unflatten(dim, sizes).movedim(part, 0)
                    if {bool(one.all()), bool(other.all())} == {True, False} and not (one & other).any():
                        found[name] += 1
                        assert float(x.abs().max()) < _FAR and float(x[~larger].max()) < 0.05
                        assert float(w.min()) >= 0.0 and float(w.max()) <= 1.0 and 10 <= int((w > 0.6).sum()) <= 25
    assert all(found.values()), found


@pytest.mark.parametrize(
    ("dtype", "least", "most"), [("float32", -55, 23), ("float16", -12, 11), ("bfloat16", -55, 23)]
)
def test_rows_are_of_all_sizes_together_and_of_one_size_where_they_are_added_up(
    dtype: str, least: int, most: int
) -> None:
    """A function may be wrong where a row's size is between two that are drawn."""
    shape = (64, 128)
    specs = [spec("x", *shape, dtype=dtype), spec("y", *shape, dtype=dtype), spec("bias", 128, dtype=dtype)]
    given, _ = drawn(graph_of(specs, "a = x + y", "b = a + bias", "return (b,)"))
    seen: set[int] = set()
    for draw in [draw for draw in given.careful if given.is_rough(draw)]:
        sizes = []
        for values in many(given, draw, 6):
            x, y, bias = (value.double().square().mean(-1).sqrt().log2() for value in values)
            assert float((x - y).abs().max()) < 1.0
            assert float(bias) < float(x.min()) + 1.0
            sizes += [round(each) for each in x.tolist()]
        assert max(sizes) - min(sizes) <= 18, "beside the largest rows the smallest would tell nothing"
        seen |= set(sizes)
    assert seen >= set(range(least, most))


def test_bounds_hold_whatever_the_size_of_a_row_is() -> None:
    specs = [spec("x", 64, 32), spec("risen", 64, 32, min_val=0.0), spec("p", 64, 32, mean=0.5, min_val=0, max_val=1)]
    given, _ = drawn(graph_of(specs, "y = x + risen", "return (y, p)"))
    found = [values for draw in given.careful if given.is_rough(draw) for values in many(given, draw, 3)]
    assert max(float(risen.max()) for _, risen, _ in found) > 2.0**20
    assert all(float(risen.min()) >= 0 and 0 <= float(p.min()) <= float(p.max()) <= 1 for _, risen, p in found)
    assert min(float(p.max()) for *_, p in found) < 1e-6


def test_each_row_of_an_additive_mask_hides_by_a_number_of_its_own_size() -> None:
    specs = [spec("x", 64, 32), spec("m", 64, 32, mean=-1e38, std=1e38)]
    given, _ = drawn(graph_of(specs, "s = x + m", "y = s.softmax(-1)", "return (y,)"))
    rows = [m for d in given.careful if given.is_rough(d) for x, m in many(given, d, 6) if float(m.max()) < 0]
    least = torch.cat([m.amax(-1) for m in rows]).neg().log2()
    assert float(least.min()) < 10 and float(least.max()) > 115
    assert {round(each) // 8 for each in least.tolist()} >= set(range(1, 14))
    assert all(bool(torch.isfinite(m).all()) for m in rows)


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_a_worker_gives_rows_the_sizes_that_the_controller_knows(device: str) -> None:
    if device == "cuda" and not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    graph = graph_of([spec(dtype, 16, 24, dtype=dtype) for dtype in _FLOATS], f"return ({', '.join(_FLOATS)},)")
    given, _ = drawn(graph, device=device)
    shapes = [(each.shape, each.dtype) for each in graph.specs]
    buffers = SharedBuffers.create(BufferLayout.plan(device, shapes, [], places=1, slots=1, draws=given.layout()))
    given.write(buffers)
    sized = [draw for draw in given.careful if given.is_rough(draw)]
    for draw in sized:
        key = given.key(draw)
        buffers.drawer(draw, 0)(*key.words)
        assert all(map(torch.equal, buffers.places[0], given.values(key)))
        rows = buffers.places[0][0].float().abs().amax(-1)
        assert bool(torch.isfinite(rows).all()) and len(rows.unique()) > 8
    assert len(sized) > 4
    buffers.close()


@pytest.mark.parametrize("line", ["z = y.argmin(-1)", "z = y.amax(0)", "z = y.exp()", "z = y.softmax(-1)"])
def test_where_numbers_are_ordered_all_are_on_one_side_in_two_draws(line: str) -> None:
    """What begins with a number must find it beyond all of a row."""
    given, _ = drawn(graph_of([spec("x", 64, 32)], "y = x * 0.5", line, "return (z,)"))
    above, below = (
        [call[0] for draw in given.careful for call in many(given, draw, 2) if bool((sign * call[0] > 2**14).all())]
        for sign in (1, -1)
    )
    assert len(above) == len(below) == 2
    assert all(float((x.abs().amax(-1) / x.abs().amin(-1)).max()) <= 2 for x in above + below)
    plain, _ = drawn(graph_of([spec("x", 64, 32)], "y = x * 0.5", "return (y,)"))
    assert not any(bool((call[0] > 2**10).all()) for draw in plain.careful for call in many(plain, draw, 2))


def test_what_a_logarithm_is_taken_of_is_of_all_sizes_above_zero() -> None:
    given, _ = drawn(graph_of([spec("x", 64, 32, mean=1.0, std=0.5, min_val=0)], "y = torch.log(x)", "return (y,)"))
    calls = [call[0] for draw in given.careful for call in many(given, draw, 2)]
    assert any(float(x.max()) > 2**40 and 0 < float(x.min()) < 2**-20 for x in calls)
    assert any(2**16 < float(x.max()) <= 2**24 for x in calls)


def test_complex_numbers_are_of_all_sizes_too() -> None:
    given, _ = drawn(graph_of([spec("x", 64, 32, dtype="complex64")], "y = torch.abs(x)", "return (y,)"))
    assert max(float(call[0].abs().max()) for draw in given.careful for call in many(given, draw, 2)) > 2**40


@pytest.mark.parametrize(
    ("dtype", "least", "most"),
    [("uint8", 0, 255), ("int16", -(2**15), 2**15 - 1), ("int64", -(2**63), 2**63 - 1), ("uint64", 0, 2**63 - 1)],
)
def test_integers_that_are_only_moved_take_all_of_their_dtype(dtype: str, least: int, most: int) -> None:
    given, _ = drawn(graph_of([spec("n", 512, dtype=dtype)], "m = n.float()", "y = m / 255.0", "return (y,)"))
    values = torch.cat([call[0] for draw in given.careful for call in many(given, draw)]).tolist()
    assert max(values) > 0.9 * most and min(values) <= (0.9 * least or 1)


def test_one_element_is_beyond_what_it_is_compared_with_in_some_call_of_each_verdict() -> None:
    lines = ["c = torch.clamp(s, max = 4.6)", "y = x * c", "return (y,)"]
    for seed in range(8):
        given, _ = drawn(graph_of([spec("x", 64), spec("s", 1, mean=2.3, std=0.0)], *lines), seed)
        values = [float(call[1]) for draw in given.careful for call in many(given, draw, 1)]
        assert max(values) > 9.0 and min(values) < -9.0


def test_one_number_of_a_label_is_left_out_although_no_class_has_it() -> None:
    lines = ["y = torch.nn.functional.cross_entropy(x, n, reduction = 'none')", "return (y,)"]
    given, _ = drawn(graph_of([spec("x", 64, 10), spec("n", 64, dtype="int64")], *lines))
    labels = torch.cat([call[1] for draw in given.careful for call in many(given, draw)])
    assert set(labels.tolist()) == {-100, *range(10)}


def test_where_nothing_is_reduced_no_part_differs() -> None:
    plain, _ = drawn(graph_of([spec("x", 64, 32)], "y = torch.tanh(x)", "return (y,)"))
    reduced, _ = drawn(graph_of([spec("x", 64, 32)], "y = x.sum(-1)", "return (y,)"))
    assert len(reduced.careful) == len(plain.careful) + 3


def test_what_is_odd_in_a_careful_draw_has_tables_of_its_own() -> None:
    """They come with it, whichever other draws are kept, and no call reads them alone."""
    given, _ = drawn(graph_of([spec("x", 64, 32)], "y = x.softmax(-1)", "return (y,)"))
    given.survived(given.careful, given.alone[:1])
    given.keep(given.alone[:1])
    rows, _ = given.layout()
    odd = {source.odd for (source,) in rows if source.at}
    assert None not in odd and any(number >= len(given.draws) for number in odd if number is not None)
    assert len(rows) > len(given.draws) and all(
        source.odd is None for row in rows[len(given.draws) :] for source in row
    )


@pytest.mark.parametrize("line", ["y = torch.sin(x)", "y = x.to(torch.int32)", "y = x.long()"])
def test_what_far_numbers_have_no_certain_result_of_gets_none(line: str) -> None:
    given, _ = drawn(graph_of([spec("x", 64, 32)], line, "return (y,)"))
    assert all(float(call[0].abs().max()) < 2.0**13 for draw in given.careful for call in many(given, draw, 3))


@pytest.mark.parametrize("line", ["v = torch.view_as_real(z)", "v = z.real", "v = torch.imag(z)", "v = z.abs()"])
def test_the_parts_of_complex_numbers_meet_what_they_are_compared_with(line: str) -> None:
    given, _ = drawn(graph_of([spec("z", 64, 32, dtype="complex64")], line, "y = v >= 0.75", "return (y,)"))
    values = [z for draw in given.careful for (z,) in many(given, draw, 2)]
    assert any(float((z.abs() == 0.75).double().mean()) > 0.002 for z in values), "one part is zero"
    for part in ("real", "imag"):
        assert any(bool((getattr(z, part) == 0.75).any()) for z in values)
        assert any(bool(((getattr(z, part) - 0.75).abs() == 2.0**-24).any()) for z in values), "the next number"


def test_complex_rows_have_sizes_and_parts_of_their_own() -> None:
    given, _ = drawn(graph_of([spec("z", 64, 32, dtype="complex64")], "y = z.abs()", "s = y.amax(-1)", "return (s,)"))
    calls = [(draw, z) for draw in given.careful for (z,) in many(given, draw, 1)]
    sizes = torch.cat([z.abs().amax(-1).log2() for draw, z in calls if given.is_rough(draw)])
    assert float(sizes.min()) < -40 and float(sizes.max()) > 20
    assert any(bool((z.real > 0).all() and (z.imag > 0).all()) for _, z in calls), "far above zero"
    halves = [(z[:, :16].abs().mean(), z[:, 16:].abs().mean()) for _, z in calls]
    assert any(one > 1.5 * other or other > 1.5 * one for one, other in halves)


def test_complex_numbers_have_logarithms_on_all_sides_of_zero() -> None:
    given, _ = drawn(graph_of([spec("z", 64, 32, dtype="complex64")], "y = torch.log(z)", "return (y,)"))
    (z,) = many(given, given.timed[0], 1)[0]
    assert 0.3 < float((z.real < 0).double().mean()) < 0.7


def test_a_single_number_has_no_rows_of_large_ones() -> None:
    graph = graph_of([spec("x", 64, 32), spec("p", min_val=0.0)], "y = torch.log(p)", "z = x * y", "return (z,)")
    given, _ = drawn(graph)
    numbers = {float(p) for draw in given.careful for _, p in many(given, draw)}
    assert len(numbers) > 20 and min(numbers) >= 0
