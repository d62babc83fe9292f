"""Contamination that is put in is found, wherever the two sides come from; clean sides are proved clean."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from passnet.dataset.examine import decontaminate
from passnet.dataset.examine.decontaminate import UNKNOWN, check
from passnet.dataset.exchange import lists
from passnet.dataset.exchange.exporting import export
from passnet.dataset.split.assemble import assemble
from passnet.dataset.split.split import SplitSettings, choose
from passnet.dataset.tables import store
from passnet.dataset.tables.rows import Row
from passnet.dataset.tables.store import Where
from passnet.errors import UsageError
from passnet.graph import Graph, find_graphs
from tests.dataset.dataset_corpora import card, corpora, corpus, graph


def brute_force(train, evaluation):
    """Every pair of graphs."""
    found = set()
    for a in train:
        for b in evaluation:
            if a.op_names == b.op_names:
                found.add(("sequence", " ".join(a.op_names)))
            if a.structure_hash == b.structure_hash:
                found.add(("structure", a.structure_hash))
            shared = {*a.families, a.family} & {*b.families, b.family}
            found |= {("family", family or UNKNOWN) for family in shared}
    return found


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(corpora(), corpora())
def test_every_shared_thing_is_found_and_nothing_else(train, evaluation):
    report = check(train, evaluation)
    assert {(item.property, item.value) for item in report.violations} == brute_force(train, evaluation)
    assert report.clean == (not report.violations)
    assert (report.train_graphs, report.eval_graphs) == (len(train), len(evaluation))


@settings(max_examples=50)
@given(corpora(), st.data())
def test_seeded_contamination_of_a_clean_split_is_found(cards, data):
    plan = choose(cards, SplitSettings(wanted={"fusible": 2, "typical": 2}, max_lost=1))
    sides = {name: [item for item in cards if plan.label(item) == name] for name in ("train", "eval")}
    train = [
        replace(item, families=tuple(name for name in item.families if name not in plan.held_out))
        for item in sides["train"]
    ]
    assume(sides["eval"])
    assert not check(train, sides["eval"]).violations
    victim = data.draw(st.sampled_from(sides["eval"]))
    seeded = {
        "sequence": card(victim.op_names, uid="bad", structure="new", family="new"),
        "structure": card(("new", "ops"), uid="bad", structure=victim.structure_hash, family="new"),
        "family": card(("new", "ops"), uid="bad", structure="new", family="new", families=("new", victim.families[-1])),
    }
    for name, bad in seeded.items():
        place = data.draw(st.integers(0, len(train)))
        report = check([*train[:place], bad, *train[place:]], sides["eval"])
        assert {item.property for item in report.violations} == {name}
        assert bad.path in report.violations[0].train
        assert victim.path in [path for item in report.violations for path in item.eval] or report.count(name) == 1


def test_unknown_families_on_both_sides_prove_nothing():
    left, right = card("ab", uid="1", family=""), card("cd", uid="2", family="")
    (violation,) = check([left], [right]).violations
    assert (violation.property, violation.value) == ("family", UNKNOWN)
    assert check([left], [replace(right, family="known", families=("known",))]).clean


def test_an_empty_side_is_not_clean():
    assert not check([], [card("ab", uid="1")]).clean
    assert "train is empty" in check([], [card("ab", uid="1")]).text()


@pytest.fixture(scope="module")
def split_store(tmp_path_factory):
    path = tmp_path_factory.mktemp("decontaminate") / "s"
    assemble(corpus(), path, split=SplitSettings(wanted={"fusible": 2, "typical": 2}, max_lost=0.6))
    return path


@pytest.fixture(scope="module")
def places(split_store):
    """Both sides as rows, stores, Parquet files, trees, task trees and lists beside the trees."""
    home = split_store.parent
    for side in ("train", "eval"):
        where = Where(splits=frozenset({side}))
        export(split_store, home / f"{side}-tree", where=where)
        export(split_store, home / f"{side}-tasks", where=where, form="tasks")
        with store.create(home / f"{side}-store", {}) as writer:
            for row in store.read_rows(split_store, where):
                writer.add(row)
        paths = [path.relative_to(home).as_posix() for path in find_graphs(home / f"{side}-tree")]
        (home / f"{side}-list.txt").write_text("\n".join(paths))
        tasks = [path.parent.relative_to(home) for path in (home / f"{side}-tasks").rglob("graph_list.txt")]
        (home / f"{side}-list.csv").write_text("path\n" + "\n".join(path.as_posix() for path in tasks))
    return home


FORMS = ("{}-tree", "{}-tasks", "{}-store", "s/graphs/{}-00000.parquet", "{}-list.txt", "{}-list.csv")


@pytest.mark.parametrize("left", FORMS)
@pytest.mark.parametrize("right", FORMS)
def test_clean_sides_are_clean_in_every_form(places, left, right):
    report = check(places / left.format("train"), places / right.format("eval"))
    assert report.clean, report.text()


@pytest.mark.parametrize("form", FORMS)
def test_a_side_against_itself_is_found_in_every_form(places, form):
    report = check(places / form.format("eval"), places / "eval-store")
    rows = list(store.read_rows(places / "eval-store"))
    assert report.count("sequence") == len({row.op_names for row in rows})
    assert report.count("structure") == len({row.structure_hash for row in rows})
    assert report.count("family") == len({family for row in rows for family in row.families})


def test_one_graph_that_strayed_into_a_tree_is_found(places, tmp_path):
    shutil.copytree(places / "train-tree", tmp_path / "train")
    stray = find_graphs(places / "eval-tree")[0]
    shutil.copytree(stray, tmp_path / "train" / "samples" / "timm" / "stray")
    report = check(tmp_path / "train", places / "eval-tree")
    assert {item.property for item in report.violations} == {"sequence", "structure", "family"}
    assert all(item.train == ("samples/timm/stray",) for item in report.violations)
    assert "NOT proved" in report.text()
    assert "samples/timm/stray" in report.text()


def test_an_origin_alone_is_contamination(tmp_path):
    """A graph that occurs in a held-out model too, by its provenance."""
    train = Row.from_graph(graph(["relu", "tanh"], model="bert", family="bert", others={"samples/timm/swin_s": "swin"}))
    evaluation = Row.from_graph(graph(["sin"], model="swin_b", family="swin"))
    (violation,) = check([train], [evaluation]).violations
    assert (violation.property, violation.value) == ("family", "swin")


def test_lists_by_uid_and_task_are_looked_up_in_the_store(split_store, tmp_path):
    lists.write_lists(split_store, tmp_path / "l")
    found = {}
    for side in ("train", "eval"):
        entries = [line for path in sorted((tmp_path / "l").glob(f"{side}_*.uids.txt")) for line in path.open()]
        (tmp_path / f"{side}.txt").write_text("".join(entries))
        found[side] = tmp_path / f"{side}.txt"
    assert check(found["train"], found["eval"], store=split_store).clean
    found["train"].write_text(found["train"].read_text() + found["eval"].read_text().splitlines()[0])
    report = check(found["train"], found["eval"], store=split_store)
    assert report.count("sequence") == 1
    with pytest.raises(UsageError, match=r"names a path that does not exist.*need the store"):
        check(found["train"], found["eval"])


def test_what_cannot_be_read_is_no_proof(places, tmp_path):
    shutil.copytree(places / "train-tree", tmp_path / "train")
    broken = find_graphs(tmp_path / "train")[0]
    (broken / "model.py").write_text("import os")
    report = check(tmp_path / "train", places / "eval-tree")
    assert not report.violations
    assert not report.clean
    assert report.refused[0].path in report.text()
    with pytest.raises(UsageError, match="no such file"):
        check(tmp_path / "nothing", places / "eval-tree")


def test_a_model_directory_deep_in_a_tree_keeps_its_model(tmp_path):
    """A list may name directories whose own name says nothing."""
    bare = replace(graph(["relu"]), meta={"framework": "torch"}, sources=None)
    for model, number in (("resnet18", 0), ("vit_b", 0)):
        Graph.write(bare, tmp_path / "data" / "samples" / "timm" / model / f"subgraph_{number}")
    (tmp_path / "a.txt").write_text("data/samples/timm/resnet18/subgraph_0")
    report = check(tmp_path / "a.txt", Path(tmp_path / "data" / "samples" / "timm" / "vit_b"))
    assert {item.property for item in report.violations} == {"sequence", "structure"}
    assert decontaminate.check(tmp_path / "a.txt", tmp_path / "data").count("family") == 1
