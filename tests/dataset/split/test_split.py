"""The split keeps whole families apart, takes the long tail first, and costs training little."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.dataset.examine import decontaminate
from passnet.dataset.split.assemble import assemble, resplit
from passnet.dataset.split.clusters import clusters_of
from passnet.dataset.split.rarity import rarities, transitions
from passnet.dataset.split.split import SplitSettings, choose, select
from passnet.dataset.tables import store
from passnet.errors import UsageError
from tests.child import environment, hear_ctrl_c
from tests.dataset.dataset_corpora import card, corpora, corpus

TWO_EACH = SplitSettings(wanted={"fusible": 2, "typical": 2}, max_lost=0.6)


def labelled(cards, plan):
    """The cards as `assemble` would make them."""
    found = []
    for item in cards:
        label = plan.label(item)
        kept = tuple(name for name in item.families if label != "train" or name not in plan.held_out)
        found.append(replace(item, split=label, families=kept))
    return found


def brute_force(sequences, scale, count):
    """The published rule, literally: look at every sequence in every step."""
    left, chosen = sorted(set(sequences)), []
    while left and len(chosen) < count:
        covered = set()
        round_chosen = []
        while len(chosen) + len(round_chosen) < count:

            def gain(ops, covered=covered):
                return len(set(transitions(ops)) - covered) * (1 + scale[ops])

            rest = [ops for ops in left if ops not in round_chosen]
            best = min(rest, key=lambda ops: (-gain(ops), -scale[ops], ops), default=None)
            if best is None or gain(best) == 0:
                break
            round_chosen.append(best)
            covered |= set(transitions(best))
        chosen += round_chosen or left[: count - len(chosen)]
        left = [ops for ops in left if ops not in chosen]
    return chosen


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=5).map(tuple), max_size=15), st.integers(0, 12))
def test_the_lazy_choice_is_the_greedy_one(sequences, count):
    scale = rarities(sequences)
    assert select(sequences, scale, count) == brute_force(sequences, scale, count)


def test_new_transitions_outweigh_rarity_and_rarity_breaks_ties():
    scale = {("a", "b", "c"): 0.0, ("x", "y"): 0.9, ("p", "q"): 0.2}
    assert select(scale, scale, 3) == [("a", "b", "c"), ("x", "y"), ("p", "q")]
    scale[("x", "y")] = 1.1
    assert select(scale, scale, 1) == [("x", "y")]


@settings(max_examples=60)
@given(corpora(), st.floats(1, 3), st.floats(0, 1))
def test_nothing_is_shared_whatever_the_corpus(cards, slack, max_lost):
    settings = SplitSettings(wanted={"fusible": 2, "typical": 2}, slack=slack, max_lost=max_lost)
    plan = choose(cards, settings)
    found = labelled(cards, plan)
    sides = {name: [item for item in found if item.split == name] for name in ("train", "eval", "reserve")}
    report = decontaminate.check(sides["train"], sides["eval"])
    assert not report.violations
    assert sum(map(len, sides.values())) == len(cards)
    assert Counter(kind for kind, _ in plan.ranks) <= Counter({"fusible": 2, "typical": 2})
    assert {item.group for item in sides["eval"]} == set(plan.ranks)
    assert {family for item in sides["eval"] for family in item.families} <= plan.held_out
    assert "" not in plan.held_out
    # Every held-out family is there for a task.
    taken = {family for item in cards if item.op_names in plan.sequences for family in (*item.families, item.family)}
    assert plan.held_out <= taken
    lost = sum(item.family in plan.held_out for item in cards)
    assert lost <= max_lost * len(cards)


@settings(max_examples=60)
@given(corpora(), st.randoms())
def test_order_does_not_matter(cards, generator):
    shuffled = list(cards)
    generator.shuffle(shuffled)
    assert choose(shuffled, TWO_EACH) == choose(cards, TWO_EACH)


def test_the_seed_of_hashes_does_not_matter():
    code = (
        "from tests.dataset.dataset_corpora import corpus; from passnet.dataset.tables.cards import CardMaker;"
        "from passnet.dataset.split.split import *; from passnet.dataset.split.grouping import make_tasks;"
        "cards = [CardMaker().of_row(row) for row in corpus()];"
        "plan = choose(cards, SplitSettings(wanted={'fusible': 2, 'typical': 2}, max_lost=0.6));"
        "print(list(plan.ranks.items()), sorted(plan.held_out), make_tasks(cards))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[3])},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_a_structure_that_two_families_have_is_for_training():
    """Held out are the families that stand alone; what they share with others stays, without naming them."""
    cards = [card("ab", uid="shared", family="f1", families=("f1", "f2", "f3"))]
    cards += [card(ops, uid=ops, family="f2") for ops in ("cd", "de", "ef")]
    cards += [card("gh", uid="g", family="f1"), card("hi", uid="h", family="f3")]
    plan = choose(cards, SplitSettings(wanted={"fusible": 2}, max_lost=0.5))
    assert plan.held_out == {"f2"}
    assert plan.label(cards[0]) == "train"
    assert [item.families for item in labelled(cards, plan) if item.uid == "shared"] == [("f1", "f3")]


def test_a_held_out_familys_own_part_of_a_shared_task_is_reserved():
    cards = [card("ab", uid="own", family="f2", structure="s1"), card("ab", uid="other", family="f1", structure="s2")]
    cards += [card(ops, uid=ops, family="f2") for ops in ("cd", "de")]
    plan = choose(cards, SplitSettings(wanted={"fusible": 2}, max_lost=0.9))
    assert {item.uid: plan.label(item) for item in cards} == {
        "own": "reserve",
        "other": "train",
        "cd": "eval",
        "de": "eval",
    }


def test_one_structure_under_two_sequences_is_one_cluster():
    cards = [card("ab", uid="1", structure="s"), card("ba", uid="2", structure="s"), card("bc", uid="3")]
    found = clusters_of(cards, {"fusible"})
    assert [sorted(cluster.sequences) for cluster in found] == [[("a", "b"), ("b", "a")], [("b", "c")]]


def test_the_same_sequence_of_another_kind_is_never_trained_on():
    cards = [card("ab", uid="1", family="f1"), card("ab", uid="2", kind="sole_op", family="f1")]
    cards += [card("ab", uid="3", kind="full", family="f1")]
    cards += [card("xy", uid=f"x{number}", family="f9") for number in range(9)]
    plan = choose(cards, SplitSettings(wanted={"fusible": 1}))
    assert [plan.label(item) for item in cards[:3]] == ["eval", "reserve", "reserve"]


def test_families_without_a_chosen_task_return_to_training():
    cards = [card("abcdef", uid="long", family="f1"), card("ab", uid="short", family="f2")]
    cards += [card("xx", uid=f"t{number}", family="f3", families=("f3", "f4")) for number in range(8)]
    plan = choose(cards, SplitSettings(wanted={"fusible": 1}, slack=2))
    assert plan.held_out == {"f1"}
    assert plan.label(cards[1]) == "train"


def test_a_small_corpus_gives_what_it_can():
    plan = choose([card("ab", uid="1")], SplitSettings(max_lost=0.35))
    assert plan.ranks == {}
    assert plan.held_out == frozenset()
    assert choose([], None).ranks == {}


@pytest.mark.parametrize(
    "bad", [{"wanted": {"nonsense": 1}}, {"slack": 0.5}, {"max_lost": 2}, {"wanted": {"fusible": -1}}]
)
def test_impossible_settings_are_refused(bad):
    with pytest.raises(UsageError):
        SplitSettings(**bad)


def test_a_dataset_is_assembled_split_and_proved_clean(tmp_path):
    rows = list(corpus())
    done = assemble(rows, tmp_path / "s", split=TWO_EACH, notes={"licence": "x"})
    assert done.tasks["eval", "fusible"] == done.tasks["eval", "typical"] == 2
    assert done.graphs["train", "fusible"] > done.graphs["eval", "fusible"]
    train, held = (store.read_rows(tmp_path / "s", store.Where(splits=frozenset({side}))) for side in ("train", "eval"))
    assert decontaminate.check(train, held).clean
    notes = store.read_notes(tmp_path / "s")
    assert notes["licence"] == "x"
    assert notes["split"]["held_out"] == sorted(done.held_out)
    ranks = [task.rank for task in store.read_tasks(tmp_path / "s") if task.split == "eval" and task.kind == "fusible"]
    assert ranks == [0, 1]
    found = {row.uid: row for row in store.read_rows(tmp_path / "s")}
    assert found.keys() == {row.uid for row in rows}
    for row in found.values():
        if row.split == "train":
            assert done.held_out and not set(done.held_out) & set(row.families)
            assert not any(family in text for family in done.held_out for text in row.graph().files().values())
    assert any(row.all_sources for row in found.values())
    for task in store.read_tasks(tmp_path / "s"):
        assert all(found[uid].in_task and found[uid].task_id == task.task_id for uid in task.uids)


def test_input_order_chunks_and_duplicates_do_not_matter(tmp_path, monkeypatch):
    rows = list(corpus())
    first = assemble(rows, tmp_path / "one", split=TWO_EACH)
    monkeypatch.setattr("passnet.dataset.tables.sorting.ROWS_PER_RUN", 7)
    second = assemble([*reversed(rows), *rows[:5]], tmp_path / "two", split=TWO_EACH)
    assert (first.duplicates, second.duplicates) == (0, 5)
    files = sorted(file.relative_to(tmp_path / "one") for file in (tmp_path / "one").rglob("*.parquet"))
    assert len(files) == 4
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_splitting_again_starts_from_everything(tmp_path):
    rows = list(corpus())
    assemble(rows, tmp_path / "one", split=TWO_EACH, notes={"licence": "x"})
    direct = SplitSettings(wanted={"fusible": 1}, max_lost=0.5)
    resplit(tmp_path / "one", tmp_path / "two", split=direct)
    assemble(rows, tmp_path / "three", split=direct, notes={"licence": "x"})
    assert sorted(store.read_rows(tmp_path / "two"), key=lambda r: r.uid) == sorted(
        store.read_rows(tmp_path / "three"), key=lambda r: r.uid
    )
    assert list(store.read_tasks(tmp_path / "two")) == list(store.read_tasks(tmp_path / "three"))
    resplit(tmp_path / "two", tmp_path / "two", split=TWO_EACH, overwrite=True)
    assert list(store.read_tasks(tmp_path / "two")) == list(store.read_tasks(tmp_path / "one"))


def test_sixty_thousand_graphs_are_split_within_the_limits():
    """As many graphs as a real build, of families that share structures in a long tail."""
    rng = random.Random(5)
    ops = [f"op{number}" for number in range(100)]
    weights = [1 / (number + 1) for number in range(100)]
    cards = []
    for number in range(4000):
        sequence = tuple(rng.choices(ops, weights, k=rng.randint(2, 20)))
        count = rng.choices([1, rng.randint(2, 5), rng.randint(5, 100)], [60, 25, 15])[0]
        families = rng.sample(range(350), count)
        kind = ("fusible", "typical")[number % 2]
        named = [f"f{family:03d}" for family in families]
        cards += [
            card(sequence, uid=f"{number}.{place}", kind=kind, family=min(named), families=named) for place in range(15)
        ]
    plan = choose(cards)
    assert Counter(kind for kind, _ in plan.ranks) == {"fusible": 200, "typical": 200}
    labels = Counter(plan.label(item) for item in cards)
    assert labels["train"] > 0.75 * len(cards)
    assert not decontaminate.check(
        (item for item in labelled(cards, plan) if item.split == "train"),
        (item for item in labelled(cards, plan) if item.split == "eval"),
    ).violations


def test_a_taken_place_is_told_before_any_row_is_read(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").write_text("dear")

    def rows():
        pytest.fail("a row was asked for")
        yield

    with pytest.raises(UsageError, match="already exists"):
        assemble(rows(), tmp_path / "out")
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_command_that_is_ended_leaves_nothing_beside_its_output(tmp_path, number):
    """Rows are sorted on disk, in a directory that goes however the command is ended."""
    code = (
        "import os, sys, time; from passnet.dataset.split import assemble; from passnet.cli.main import main\n"
        "def choose(*_):\n"
        f"    assert len(os.listdir({str(tmp_path)!r})) == 2\n"
        f"    os.kill(os.getpid(), {int(number)}); time.sleep(60)\n"
        f"assemble.choose = choose; sys.argv = ['passnet', 'dataset', 'split', {str(tmp_path / 'in')!r}, "
        f"{str(tmp_path / 'out')!r}]; main()"
    )
    assemble(corpus(), tmp_path / "in", split=TWO_EACH)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=False, env=environment(), preexec_fn=hear_ctrl_c,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "passnet: stopped\n")
    assert [file.name for file in tmp_path.iterdir()] == ["in"]
