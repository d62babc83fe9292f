"""Which graphs a slowdown is of: models, data sets, tasks; drawn by a seed; written once; bad input in one line."""

from __future__ import annotations

import sys

import pytest

from passnet.diagnose.subjects import Selection, selected
from passnet.errors import PassNetError, UsageError
from passnet.graph import Graph
from tests.graph.graph_helpers import graph_of, spec

FACTORIES = """
import torch
from torch import nn

class Block(nn.Module):
    def forward(self, x):
        for _ in range(3):
            x = torch.tanh(x * 2 + 1) - 0.5
        return x.softmax(-1)

def model(): return Block(), torch.randn(4, 8)
def raises(): raise ValueError("no weights here")
def number(): return 3
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "slow_models_of_mine.py").write_text(FACTORIES)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("slow_models_of_mine", None)


def tasks(place, count):
    for number in range(count):
        graph = graph_of([spec("x", 4, number + 1)], "a = torch.relu(x)", "return (a,)", name=f"g{number}")
        graph.write(place / f"g{number}")
    return str(place)


def draw(here, run, *targets, **more):
    place = selected(Selection(tuple(targets), **more), here / run, lambda step: None)
    return sorted(path.name.partition("-")[2] for path in place.iterdir())


def test_a_seed_draws_the_same_graphs_and_another_seed_others(here):
    many = tasks(here / "many", 12)
    first = draw(here, "a", many, graphs=4)
    assert len(first) == 4
    assert draw(here, "b", many, graphs=4) == first
    assert draw(here, "c", many, graphs=4, seed=1) != first
    assert len(draw(here, "d", many, many, graphs=0)) == 12


def test_a_run_is_resumed_with_its_own_graphs_only(here):
    many = tasks(here / "many", 3)
    draw(here, "a", many)
    (here / "a" / "graphs" / "mark").mkdir()
    assert "" in draw(here, "a", many), "written again"
    with pytest.raises(UsageError, match=r"made of other graphs.*another --run"):
        draw(here, "a", many, seed=5)


def test_a_directory_of_something_else_is_left_alone(here):
    (here / "a").mkdir()
    (here / "a" / "mine").write_text("mine")
    with pytest.raises(UsageError, match="holds something else"):
        draw(here, "a", tasks(here / "many", 2))


@pytest.mark.parametrize("text", ["{", "[]", '{"targets": 3}'])
def test_a_broken_selection_is_one_line(here, text):
    (here / "a").mkdir()
    (here / "a" / "selection.json").write_text(text)
    with pytest.raises(UsageError, match="another --run"):
        draw(here, "a", tasks(here / "many", 2))


def test_a_model_gives_its_whole_graph_and_its_pieces(here):
    place = selected(Selection(("slow_models_of_mine:model",), graphs=0), here / "a", lambda step: None)
    kinds = [Graph.read(path).meta["kind"] for path in place.iterdir()]
    assert kinds.count("full") == 1
    assert {"full", "typical"} <= set(kinds) or {"full", "fusible"} <= set(kinds)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("slow_models_of_mine:raises", "no weights here"),
        ("slow_models_of_mine:number", "no model"),
        ("slow_models_of_mine:nothing", "no such function"),
        ("no_such_module_here:model", "no module"),
        ("nowhere/at/all", "no such directory"),
        ("slow_models_of_mine:", "not a factory"),
    ],
)
def test_bad_targets_are_one_line(here, target, words):
    with pytest.raises(PassNetError, match=words) as caught:
        draw(here, "a", target)
    assert "\n" not in str(caught.value)


def test_a_data_set_is_drawn_by_split(here):
    pytest.importorskip("pyarrow")
    from passnet.dataset.tables.rows import Row
    from passnet.dataset.tables.store import write_rows

    graphs = [graph_of([spec("x", 4, n + 1)], "a = torch.relu(x)", "return (a,)", name=f"r{n}") for n in range(6)]
    rows = [Row.from_graph(graph, path=f"samples/user/m/_decomposed/{graph.name}") for graph in graphs]
    write_rows(here / "set" / "all.parquet", rows)
    assert len(draw(here, "a", str(here / "set"), graphs=4)) == 4
    assert draw(here, "b", str(here / "set"), graphs=4) == draw(here, "a", str(here / "set"), graphs=4)
    with pytest.raises(UsageError, match="no graph is of these kinds and splits"):
        draw(here, "c", str(here / "set"), splits=("eval",))
    with pytest.raises(UsageError, match="only a data set has splits"):
        draw(here, "d", tasks(here / "many", 2), splits=("eval",))


def test_a_row_that_holds_no_graph_is_one_line(here):
    pytest.importorskip("pyarrow")
    from dataclasses import replace

    from passnet.dataset.tables.rows import Row
    from passnet.dataset.tables.store import write_rows

    graph = graph_of([spec("x", 4)], "a = torch.relu(x)", "return (a,)")
    row = replace(Row.from_graph(graph, path="samples/user/m/_decomposed/g"), meta_own="{")
    write_rows(here / "set.parquet", [row])
    with pytest.raises(UsageError, match=f"set.parquet: row {row.uid} makes no graph"):
        draw(here, "a", str(here / "set.parquet"))
    assert not (here / "a").exists()
