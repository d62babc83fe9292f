"""What is ordinary beside something hard: all that is timed, so that a look at it tells nothing."""

from __future__ import annotations

import torch

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.graph import Graph
from passnet.graph.values.inputs import hard_distributions
from tests.graph.graph_helpers import graph_of, spec

_NAMES = ("normal", "small", "large", "sparse")
_FAR = 30.0


def drawn(graph: Graph, seed: int) -> SecretInputs:
    hard = hard_distributions(graph)
    return SecretInputs.draw(graph, "cpu", seed, [*_NAMES, *hard], hard=len(hard))


def kind(x: torch.Tensor) -> str:
    """The usual distribution that most of these elements are of."""
    middle = float(x.abs().nanquantile(0.75))
    if float((x == 0).float().mean()) > 0.3:
        return "sparse"
    return "small" if middle < 0.1 else "large" if middle > 2.5 else "normal"


def test_every_usual_draw_is_a_background_of_something_hard() -> None:
    """A pass told by a sample that a call is of small numbers, and that nothing in it is hard."""
    graph = graph_of([spec("x", 64, 64)], "y = torch.nn.functional.softmax(x, dim = -1)", "return (y,)")
    found = set()
    for seed in range(4):
        given = drawn(graph, seed)
        for draw in sorted(given.beside):
            for _ in range(4):
                (x,) = given.values(given.key(draw))
                if float(x.abs().amax()) > _FAR and int((x.abs().amax(-1) > _FAR).sum()) < 8:
                    found.add(kind(x))
    assert found == set(_NAMES)


def test_one_input_of_a_timed_call_says_nothing_of_the_next() -> None:
    graph = graph_of([spec("x", 64, 64), spec("y", 64, 64)], "z = x * y", "return (z,)")
    pairs = set()
    for seed in range(8):
        given = drawn(graph, seed)
        found = [tuple(map(kind, given.values(given.key(draw)))) for draw in given.timed]
        assert all(sorted(column) == sorted(_NAMES) for column in zip(*found, strict=True)), "shares are kept"
        pairs.update(found)
    assert len(pairs) > 8


def test_what_is_not_finite_is_in_one_input_alone_on_several_backgrounds() -> None:
    """A pass told by a small input that another one holds no NaN, and did not read it."""
    lines = ["m = torch.isnan(x)", "o = m.any(dim=-1)", "y = torch.where(o, a, b)"]
    graph = graph_of([spec("x", 64, 32), spec("a", 64), spec("b", 64)], *lines, "return (y,)")
    for seed in range(8):
        given = drawn(graph, seed)
        found = set()
        for draw in given.careful:
            x, a, _ = given.values(given.key(draw))
            if bool(x.isnan().all(-1).any()) and bool(a.isfinite().all()):
                found.add(kind(a))
        assert len(found) > 1


def test_a_background_on_which_eager_says_nothing_is_left_out() -> None:
    graph = graph_of([spec("x", 64, 64)], "y = torch.nn.functional.softmax(x, dim = -1)", "return (y,)")
    given = drawn(graph, 3)
    count, careful = len(given.draws), len(given.careful)
    given.rest_on([given.timed[1]])
    assert len(given.draws) == count and len(given.careful) == careful
    siblings = [given.values(given.key(draw))[0].clone() for draw in sorted(given.beside)]
    assert {kind(x) for x in siblings if int((x.abs() > _FAR).any(-1).sum()) < 8} == {"small"}
    lost = given.careful[:3]
    assert given.make_plain(lost) == lost and given.make_plain(()) == ()
