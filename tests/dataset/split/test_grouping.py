"""Tasks hold the head of every shape bucket in up to three dtypes, within a cap, the same ones every time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.dataset.split.grouping import GroupSettings, evenly, make_tasks
from passnet.dataset.tables.cards import bucket
from passnet.dataset.tables.task_row import task_id_of
from passnet.errors import UsageError
from tests.dataset.dataset_corpora import card, corpora


def test_buckets_are_powers_of_sixteen():
    assert [bucket(dim) for dim in (0, 1, 15, 16, 255, 256, 4095, 4096, 65536)] == [-1, 0, 0, 1, 1, 2, 2, 3, 4]


def test_the_original_shape_heads_its_bucket():
    cards = [card("ab", uid=name, shape_index=index) for name, index in (("z", 9), ("a", 0), ("b", 9))]
    (task,) = make_tasks(cards)
    assert task.uids == ("b",)
    assert task.total_graphs == 3
    assert task.task_id == task_id_of(("b",))


def test_a_task_is_one_kind_and_one_sequence():
    cards = [
        card("ab", uid="1"),
        card("ab", uid="2", kind="typical"),
        card("ba", uid="3"),
        card("ab", uid="4", kind="full"),
    ]
    tasks = make_tasks(cards)
    assert [(task.kind, task.op_names, task.uids) for task in tasks] == [
        ("typical", ("a", "b"), ("2",)),
        ("fusible", ("a", "b"), ("1",)),
        ("fusible", ("b", "a"), ("3",)),
    ]


def test_different_structures_of_one_bucket_share_a_head():
    cards = [card("ab", uid=name, structure=name) for name in "xy"]
    assert [task.uids for task in make_tasks(cards)] == [("x",)]


def test_three_dtypes_of_four_and_in_order():
    dtypes = ("float64", "bfloat16", "float32", "float16")
    (task,) = make_tasks([card("ab", uid=dtype, dtype=dtype) for dtype in dtypes])
    assert task.dtypes == task.uids == ("float32", "float16", "bfloat16")


def test_the_cap_keeps_dtypes_together_and_shapes_apart():
    cards = [
        card("ab", uid=f"{size:02d}{dtype}", dtype=dtype, buckets=((size,),))
        for size in range(20)
        for dtype in ("float32", "float16", "bfloat16")
    ]
    (task,) = make_tasks(cards, GroupSettings(cap=10))
    assert task.num_graphs == 9
    assert task.uids[:3] == ("00float32", "10float32", "19float32")
    assert {uid[:2] for uid in task.uids[3:]} == {uid[:2] for uid in task.uids[:3]}


@given(st.integers(1, 40), st.integers(1, 12))
def test_evenly_spaced(count, wanted):
    items = [((number,),) for number in range(count)]
    found = evenly(items, wanted)
    assert len(found) == len(set(found)) == min(count, wanted)
    assert found == sorted(found)
    assert found[0] == items[0]
    if wanted > 1:
        assert found[-1] == items[-1]


def test_an_impossible_cap_is_refused():
    with pytest.raises(UsageError, match="cap"):
        GroupSettings(cap=2)


def test_reserve_graphs_make_no_second_task():
    cards = [
        card("ab", uid="1", split="train"),
        card("ab", uid="2", split="reserve"),
        card("bb", uid="3", split="reserve"),
    ]
    assert [(task.split, task.uids) for task in make_tasks(cards)] == [("reserve", ("3",)), ("train", ("1",))]


@settings(max_examples=60)
@given(corpora(), st.randoms(), st.integers(3, 9))
def test_any_corpus(cards, random, cap):
    settings = GroupSettings(cap=cap)
    tasks = make_tasks(cards, settings)
    shuffled = list(cards)
    random.shuffle(shuffled)
    assert make_tasks(shuffled, settings) == tasks
    by_uid = {item.uid: item for item in cards}
    groups = [(task.kind, task.op_names) for task in tasks]
    assert len(groups) == len(set(groups))
    assert set(groups) == {item.group for item in cards if item.kind != "full"}
    for task in tasks:
        members = [by_uid[uid] for uid in task.uids]
        assert 1 <= len(members) <= cap
        assert {item.group for item in members} == {(task.kind, task.op_names)}
        assert len({(item.buckets, item.dtype) for item in members}) == len(members)
        assert len({item.dtype for item in members}) <= 3
        assert task.total_graphs == sum(item.group == (task.kind, task.op_names) for item in cards)
        assert set(task.families) == {family for item in members for family in item.families}
