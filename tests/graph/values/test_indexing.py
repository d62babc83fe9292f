"""Which integer inputs index something, and which only compute."""

from __future__ import annotations

import tracemalloc

import pytest
import torch

from passnet.graph import Graph, TensorSpec
from passnet.graph.values.indexing import free_integers, known_forms, wrapping_indices
from passnet.graph.values.inputs import HARD_DISTRIBUTIONS, hard_distributions
from tests.graph import graph_helpers as helpers

_META = {"framework": "torch", "num_devices_required": 1, "num_nodes_required": 1}


def graph_of(*body: str, dtype: str = "int64", **bounds: int) -> Graph:
    """`x` of 6 rows and 40 columns, integers `n` of one value for each row of 8."""
    lines = "\n        ".join([*body, "return (out,)"])
    source = f"import torch\n\nclass GraphModule(torch.nn.Module):\n\n    def forward(self, x, n):\n        {lines}\n"
    specs = (
        TensorSpec("x", (6, 40), "float32", mean=0.0, std=1.0),
        TensorSpec("n", (6, 8), dtype, min_val=bounds.get("low"), max_val=bounds.get("high")),
    )
    return Graph("integers", source, specs, _META, file_order=("x", "n"))


INDEXING = {
    "gather": (["out = x.gather(1, n)"], 40),
    "gather_of_a_view": (["k = n.reshape(8, 6)", "m = k.transpose(0, 1)", "out = torch.gather(x, 1, m)"], 40),
    "gather_by_name": (["out = torch.gather(x, dim = 0, index = n)"], 6),
    "take_along_dim": (["out = torch.take_along_dim(x, n, 1)"], 40),
    "index_select": (["m = n.reshape(-1)", "out = x.index_select(0, m)"], 6),
    "subscript": (["out = x[n]"], 6),
    "embedding": (["out = torch.nn.functional.embedding(n, x)"], 6),
    "one_hot": (["out = torch.nn.functional.one_hot(n, 17)"], 17),
    "scatter": (["y = x[:, :8]", "out = x.scatter(1, n, y)"], 40),
    "behind_padding": (["m = n + 2", "k = m.reshape(-1)", "out = torch.nn.functional.embedding(k, x)"], 4),
    "every_third": (["m = n * 3", "k = m + 1", "out = x.gather(1, k)"], 13),
    "another_is_computed": (["y = x.gather(1, n)", "m = n + 30", "z = x.gather(1, m)", "out = y + z"], 10),
    "last_dimension": (["m = n.reshape(-1)", "out = x[..., m]"], 40),
    "new_dimension": (["m = n.reshape(-1)", "out = x[None, :, m]"], 40),
    "take": (["out = torch.take(x, n)"], 240),
    "labels": (["m = n.narrow(1, 0, 1)", "k = m.reshape(-1)", "out = torch.nn.functional.cross_entropy(x, k)"], 40),
    "index_add": (["k = n.reshape(-1)", "y = x.repeat(8, 1)", "out = x.index_add(0, k, y)"], 6),
    "scatter_reduce": (["y = x[:, :8]", "out = x.scatter_reduce(1, n, y, 'sum')"], 40),
    "embedding_bag": (["out = torch.nn.functional.embedding_bag(n, x)"], 6),
    "the_smaller": (["y = x.gather(1, n)", "z = torch.nn.functional.embedding(n, x)", "t = z.sum()", "out = t + y"], 6),
}


@pytest.mark.parametrize("case", INDEXING)
def test_an_index_is_drawn_over_all_that_it_may_be_and_never_wide(case: str) -> None:
    body, size = INDEXING[case]
    graph = graph_of(*body)
    assert graph.index_bounds() == {1: size}
    assert free_integers(graph) == {}
    for distribution in ("normal", "outliers", "wide", "vast"):
        inputs = graph.inputs(3, distribution=distribution)
        assert (int(inputs[1].min()), int(inputs[1].max())) >= (0, size // 2)
        graph.module()(*inputs)


@pytest.mark.parametrize("case", INDEXING)
def test_an_index_that_was_one_number_when_it_was_recorded_is_another_on_hard_draws(case: str) -> None:
    body, size = INDEXING[case]
    graph = graph_of(*body, low=2, high=2)
    assert graph.inputs(3)[1].unique().tolist() == graph.inputs(3, distribution="large")[1].unique().tolist() == [2]
    for distribution in HARD_DISTRIBUTIONS:
        inputs = graph.inputs(3, distribution=distribution)
        assert int(inputs[1].min()) >= 0
        assert size // 2 <= int(inputs[1].max()) < size
        graph.module()(*inputs)
    computing = graph_of("out = n * n", low=2, high=2)
    assert computing.inputs(3, distribution="extreme")[1].unique().tolist() == [2]


UNCLEAR = {
    "another_index_is_computed": ["y = x.gather(1, n)", "m = n * n", "z = x.gather(1, m)", "out = y + z"],
    "computed_index": ["m = n // 2", "out = x.gather(1, m)"],
    "before_the_first": ["m = n - 1", "out = x[m]"],
    "falling": ["m = n * -2", "k = m + 30", "out = x.gather(1, k)"],
    "beyond_the_last": ["m = n + 50", "out = x.gather(1, m)"],
    "a_size": ["k = n.max()", "m = k.item()", "out = x[:, :m]"],
    "counted": ["m = n.reshape(-1)", "out = torch.bincount(m)"],
}


@pytest.mark.parametrize("case", UNCLEAR)
def test_what_is_not_clear_stays_as_it_was(case: str) -> None:
    graph = graph_of(*UNCLEAR[case])
    assert graph.index_bounds() == {}
    assert free_integers(graph) == {}
    assert set(graph.inputs(3, distribution="wide")[1].unique().tolist()) <= {0, 1}


COMPUTING = {
    "square": (["m = n * n", "out = m.sum()"], False),
    "power": (["out = n ** 3"], False),
    "mask": (["m = n.to(torch.float32)", "y = 1.0 - m", "out = y * -1000.0"], False),
    "compared": (["m = n == 3", "y = x[:, :8]", "out = y.masked_fill(m, 0.0)"], False),
    "divisor": (["out = 1000 // n"], True),
    "remainder": (["out = n % 7"], False),
    "halves": (["out = n // 2"], False),
    "remainder by it": (["out = 1000 % n"], True),
    "exponent": (["y = x[:, :8]", "out = y ** n"], True),
    "logarithm": (["m = n.float()", "out = torch.log(m)"], True),
    "logarithm of a size": (["m = n.float()", "k = m.abs()", "out = torch.log1p(k)"], False),
    "root of a square": (["m = n.float()", "k = m.square()", "out = torch.sqrt(k)"], False),
    "logarithm that has none of zero": (["m = n.float()", "k = m.abs()", "out = torch.log(k)"], True),
    "divisor without a sign": (["m = n.abs()", "out = 1000 // m"], True),
    "behind a fraction": (["m = n * 0.5", "out = torch.nn.functional.dropout(m, 0.1, False)"], False),
}


@pytest.mark.parametrize("dtype", ["int64", "int32", "int8", "uint8"])
@pytest.mark.parametrize("case", COMPUTING)
def test_what_only_computes_is_drawn_wide(case: str, dtype: str) -> None:
    body, positive = COMPUTING[case]
    graph = graph_of(*body, dtype=dtype)
    assert free_integers(graph) == {1: positive}
    assert "wide" in hard_distributions(graph)
    numbers = graph.inputs(3, distribution="wide")[1]
    assert numbers.dtype is getattr(torch, dtype)
    assert int(numbers.max()) > 30
    assert len(numbers.unique()) > 20
    assert (int(numbers.min()) >= 1) == positive or dtype == "uint8"
    assert set(graph.inputs(3)[1].unique().tolist()) <= {0, 1}  # as before on every other draw
    graph.module()(*graph.inputs(3, distribution="wide"))


@pytest.mark.parametrize(
    ("dtype", "least", "most"),
    [("int64", 2**16, 2**17), ("int32", 2**14, 2**15), ("int16", 2**9, 2**10), ("int8", 2**6, 2**7)],
)
def test_vast_numbers_have_squares_that_only_their_own_dtype_holds(dtype: str, least: int, most: int) -> None:
    """No square wraps round in eager. In int64 it would in 32 bits, and float32 does not hold it."""
    graph = graph_of("out = n * n", dtype=dtype)
    assert "vast" in hard_distributions(graph)
    sizes = torch.cat([graph.inputs(seed, distribution="vast")[1].long().abs() for seed in range(20)])
    assert least <= int(sizes.max()) < most
    assert int((sizes < 32).sum()) > len(sizes) // 8, "small ones are among them"


def test_what_is_known_is_kept() -> None:
    graph = graph_of("out = n * n", low=0, high=5)
    assert free_integers(graph) == {}
    assert "wide" not in hard_distributions(graph)


@pytest.mark.parametrize("dtype", ["int64", "int32", "int8", "uint8"])
@pytest.mark.parametrize("bounds", [{"high": 5}, {"low": 2}, {"low": 0}])
def test_one_bound_is_kept_and_on_its_other_side_numbers_are_wide(bounds: dict[str, int], dtype: str) -> None:
    graph = graph_of("out = n * n", dtype=dtype, **bounds)
    assert free_integers(graph) == {1: False}
    numbers = torch.cat([graph.inputs(seed, distribution="wide")[1].long() for seed in range(20)])
    low, high = bounds.get("low"), bounds.get("high")
    assert low is None or (int(numbers.min()) == low and int(numbers.max()) > 50)
    assert high is None or (int(numbers.max()) == high and (dtype == "uint8" or int(numbers.min()) < -50))


DATA = {
    "sorted": ["s = n.sort(-1)", "out = s[0]"],
    "the rows of its largest": ["s = n.topk(2)", "i = s[1]", "out = x.gather(1, i)"],
    "padded": ["out = torch.nn.functional.pad(n, (1, 0), 'constant', 0)"],
    "a running maximum": ["s = torch.cummax(n, -1)", "out = s[0]"],
    "differences": ["out = torch.diff(n, dim = -1)"],
    "what is looked up": ["m = n.reshape(-1)", "k = x.argmax(-1)", "out = m[k]"],
    "written": ["y = x.argsort(-1)", "k = y[:, :8]", "out = y.scatter(1, k, n)"],
    "rolled": ["out = torch.roll(n, 1, -1)"],
    "an index of truth values": ["m = n == 3", "k = m.long()", "out = torch.nn.functional.embedding(k, x)"],
}


@pytest.mark.parametrize("case", DATA)
def test_integers_are_wide_where_no_size_no_count_and_no_index_is_made_of_them(case: str) -> None:
    graph = graph_of(*DATA[case])
    assert free_integers(graph) == {1: False}
    graph.module()(*graph.inputs(3, distribution="vast"))


NO_DATA = {
    "classes": ["m = n.reshape(-1)", "out = torch.nn.functional.one_hot(m, 9)"],
    "repeats": ["m = n.reshape(-1)", "y = x.repeat(8, 1)", "out = y.repeat_interleave(m, 0)"],
    "places of values": ["m = n * n", "out = x.scatter(1, m, 1.0)"],
    "a key": ["m = n * n", "out = x[m]"],
    "offsets": ["y = x[0]", "k = y.long()", "m = n[0]", "out = torch.nn.functional.embedding_bag(k, x, m)"],
    "boundaries": ["m = n[0]", "out = torch.bucketize(x, m)"],
}


@pytest.mark.parametrize("case", NO_DATA)
def test_integers_are_not_wide_where_they_are_sizes_or_places(case: str) -> None:
    assert free_integers(graph_of(*NO_DATA[case])) == {}


WRAPPING = {
    "key": (["out = x[n]"], True),
    "keys": (["m = n.reshape(-1)", "out = x[:, m]"], True),
    "take": (["out = torch.take(x, n)"], True),
    "take_along_dim": (["out = torch.take_along_dim(x, n, 1)"], True),
    "written": (["m = n.reshape(-1)", "y = x.clone()", "y[m] = 1.0", "out = y * 2.0"], True),
    "aten": (["m = n.reshape(-1)", "out = torch.ops.aten.index.Tensor(x, [None, m])"], True),
    "gather": (["out = x.gather(1, n)"], False),
    "embedding": (["out = torch.nn.functional.embedding(n, x)"], False),
    "both": (["a = x[n]", "b = torch.nn.functional.embedding(n, x)", "out = a + b"], False),
    "behind padding": (["m = n + 2", "out = x[m]"], False),
}


@pytest.mark.parametrize("case", WRAPPING)
def test_negative_indices_count_from_the_end_where_eager_has_it_so(case: str) -> None:
    lines, wraps = WRAPPING[case]
    graph = graph_of(*lines)
    assert wrapping_indices(graph) == ({1} if wraps else set())
    x, n = graph.inputs(3)
    if wraps:
        graph.module()(x, n - graph.index_bounds()[1])


@pytest.mark.parametrize("name", ["torch.embedding", "torch.ops.aten.embedding.default"])
def test_a_table_comes_first_at_the_level_of_operators(name: str) -> None:
    assert graph_of(f"out = {name}(x, n)").index_bounds() == {1: 6}


def test_a_mask_of_words_leaves_them_what_they_may_index() -> None:
    """Positions are counted of it, and looked up elsewhere."""
    lines = ["m = n != 1", "k = m.cumsum(1)", "a = torch.nn.functional.embedding(k, x)"]
    graph = graph_of(*lines, "b = torch.nn.functional.embedding(n, x)", "out = a + b")
    assert graph.index_bounds() == {1: 6}


@pytest.mark.parametrize(("dtype", "most"), [("uint8", 255), ("int8", 127)])
def test_bytes_have_all_of_their_bits(dtype: str, most: int) -> None:
    graph = graph_of("out = n + 1", dtype=dtype)
    values = torch.cat([graph.inputs(seed, distribution="wide")[1] for seed in range(20)]).int()
    assert int(values.max()) > 0.9 * most and int(values.max()) <= most


def test_memory_grows_in_proportion_to_the_inputs() -> None:
    """Each input is added to one sum, so each statement follows from one more."""

    def peak(count: int) -> int:
        names = [f"a{number}" for number in range(count)]
        lines = ["s = a0 + 1", *(f"s = s + {name}" for name in names), "return (s,)"]
        graph = helpers.graph_of([helpers.spec(name, 2) for name in names], *lines)
        known_forms(graph)
        tracemalloc.start()
        graph.index_bounds()
        made = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return made

    assert peak(1200) < 8 * peak(300)


def test_an_index_that_follows_from_several_inputs_has_no_bound() -> None:
    specs = [helpers.spec(name, 4, dtype="int64") for name in "nmk"]
    lines = ["i = n + m", "i = i + k", "j = i * 2", "a = x[j]", "b = x[n]", "return (a, b)"]
    assert helpers.graph_of([helpers.spec("x", 9), *specs], *lines).index_bounds() == {}
    assert helpers.graph_of([helpers.spec("x", 9), *specs], *lines[:3], *lines[4:-1], "return (b,)").index_bounds() == {
        1: 9
    }


KEPT = {
    "clamp": (["i = n.clamp(0, 5)"], True),
    "clamp of one dimension more": (["i = torch.clamp(n, min = 0, max = 5)", "i = i.unsqueeze(0)"], True),
    "twice": (["i = torch.clamp_min(n, -3)", "i = torch.clamp_max(i, 2)", "i = i + 3"], True),
    "turned": (["i = n.clamp(-5, 0)", "i = -i"], True),
    "remainder": (["i = n % 6"], True),
    "too far": (["i = n.clamp(0, 6)"], False),
    "below": (["i = n.clamp(-1, 5)"], False),
    "on one side": (["i = n.clamp(min = 0)"], False),
    "moved out": (["i = n.clamp(0, 5)", "i = i * 2"], False),
    "moved by another": (["i = n.clamp(0, 2)", "k = n.abs()", "i = i + k"], False),
}


@pytest.mark.parametrize("case", KEPT)
def test_any_number_will_do_where_an_index_is_clamped(case: str) -> None:
    lines, free = KEPT[case]
    graph = graph_of(*lines, "out = torch.nn.functional.embedding(i, x)")
    assert graph.index_bounds() == {}
    assert free_integers(graph) == ({1: False} if free else {})
    if free:
        x, n = graph.inputs(3, distribution="vast")
        assert int(n.abs().max()) > 1000
        graph.module()(x, n)


def test_a_difference_that_is_clamped_is_of_any_two_numbers() -> None:
    lines = ["d = n - k", "c = torch.clamp(d, -3, 3)", "i = c + 3", "out = x[i]", "return (out,)"]
    specs = [helpers.spec("x", 7, 4), *(helpers.spec(name, 64, dtype="int64") for name in "nk")]
    graph = helpers.graph_of(specs, *lines)
    assert free_integers(graph) == {1: False, 2: False}
    _, n, k = graph.inputs(3, distribution="wide")
    assert len(set((n - k).clamp(-3, 3).tolist())) > 1 and len(set(n.tolist())) > 32


def test_who_also_indexes_has_that_bound() -> None:
    lines = ["i = n.clamp(0, 3)", "a = torch.nn.functional.embedding(i, x)"]
    graph = graph_of(*lines, "b = torch.nn.functional.embedding(n, x)", "out = a + b")
    assert graph.index_bounds() == {1: 6} and free_integers(graph) == {}


def test_negative_numbers_are_kept_where_they_count_from_the_end() -> None:
    graph = graph_of("i = n.clamp(-6, 5)", "out = x[i]")
    assert free_integers(graph) == {1: False}
    assert free_integers(graph_of("i = n.clamp(-7, 5)", "out = x[i]")) == {}
