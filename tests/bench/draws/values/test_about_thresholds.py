"""Numbers with which a graph compares: one element of a column differs, and no look at its first ones tells that."""

from __future__ import annotations

import itertools
from random import Random

from passnet.bench.draws.secret_inputs import SecretInputs
from passnet.bench.draws.values.about_thresholds import thresholds
from tests.graph.graph_helpers import graph_of, spec


def test_a_column_is_zero_but_for_elements_that_its_beginning_does_not_show() -> None:
    specs = [spec("x", 4, 512, 4)]
    graph = graph_of(specs, "z = x == 0", "a = z.all(1)", "y = torch.logical_not(a)", "return (y,)")
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    first = len(given.draws)
    given.draws += thresholds(graph, itertools.repeat(given.draws[0]), Random(3))
    late = 0
    for draw in range(first, len(given.draws)):
        some = given.values(given.key(draw))[0] != 0
        late += int((some.any(1) & ~some[:, :64].any(1)).sum())
    assert late >= 4


def test_one_element_of_many_is_a_number_of_the_program() -> None:
    """Whoever looks at a sixteenth of a row for it, and finds nothing, is wrong in such draws."""
    graph = graph_of([spec("x", 64, 512)], "e = x == -9999.0", "a = e.any(-1)", "return (a,)")
    given = SecretInputs.draw(graph, "cpu", 3, ["normal"], hard=0)
    first = len(given.draws)
    given.draws += thresholds(graph, itertools.repeat(given.draws[0]), Random(3))
    hits = [given.values(given.key(draw))[0] == -9999.0 for draw in range(first, len(given.draws))]
    assert sum(int(each.sum()) == 1 for each in hits) == 2
    assert sum(int(each.any(-1).sum()) == 1 < int(each.sum()) for each in hits) == 1
