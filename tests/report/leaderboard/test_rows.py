"""Rows and boards: figures come from the records, and only what is alike is ranked together."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.record.protocol import make
from passnet.bench.record.rescore import Options, rescore
from passnet.report.leaderboard.rows import Board, boards, leaderboard_row
from passnet.report.recorded import read_recorded
from tests.report.recorded_runs import MACHINE, benchmark, write_run


def board(*runs: Path) -> list[Board]:
    return boards([leaderboard_row(read_recorded(run)) for run in runs])


def run(tmp_path: Path, name: str, speedup: float = 1.2, **settings: Any) -> Path:
    return write_run(tmp_path / name, benchmark(speedup=speedup), **settings)


def test_a_row_is_scored_from_its_records(tmp_path: Path) -> None:
    place = run(tmp_path, "mine")
    row = leaderboard_row(read_recorded(place))
    document = rescore(place, Options()).document
    for name, figure in row.figures.items():
        assert figure.value == pytest.approx(document["benchmark"][name]["value"]), name
        assert figure.low == pytest.approx(document["benchmark"][name]["low"]), name
    assert row.figures["AS_gmean"].value == pytest.approx(1.2)
    assert (row.tasks, row.scored, row.problems) == (4, 20, ())


def test_a_row_says_how_it_was_made(tmp_path: Path) -> None:
    settings = {"author": "model", "author_settings": {"model": "some-model"}}
    document = leaderboard_row(read_recorded(run(tmp_path, "mine", **settings))).to_json()
    assert json.loads(json.dumps(document)) == document
    wanted = {
        "run": "mine", "system": "model, some-model", "protocol": "direct", "precision": 0.02,
        "hardware": "Some Processor", "device": "cpu", "date": "2026-11-23T10:00:00+00:00", "revision": "0123456789ab",
        "integrity": "tamper-proof", "graphs": 20, "tasks": 4,
    }  # fmt: skip
    assert {name: document[name] for name in wanted} == wanted


def test_the_best_is_first(tmp_path: Path) -> None:
    found = board(run(tmp_path, "slow", 0.9), run(tmp_path, "fast", 1.5), run(tmp_path, "even", 1.0))
    assert [[row.name for row in one.ranked] for one in found] == [["fast", "even", "slow"]]


@pytest.mark.parametrize("change", ["tasks", "graph", "machine", "device", "threads"])
def test_what_is_not_alike_is_not_ranked_together(tmp_path: Path, change: str) -> None:
    first = run(tmp_path, "first")
    protocol = make("direct", precision=0.02, threads=2)
    on_gpu = make("direct", device="cuda", precision=0.02)
    other = {
        "tasks": lambda: write_run(tmp_path / "b", benchmark(3)),
        "graph": lambda: write_run(tmp_path / "b", benchmark(graph_hash="another")),
        "machine": lambda: write_run(tmp_path / "b", benchmark(), machine=MACHINE | {"cpu": "Another"}),
        "device": lambda: write_run(
            tmp_path / "b",
            benchmark(device="cuda", protocol=on_gpu),
            machine=MACHINE | {"gpu": "Some GPU"},
            protocol=on_gpu,
            device="cuda",
        ),
        "threads": lambda: write_run(tmp_path / "b", benchmark(protocol=protocol), protocol=protocol),
    }
    found = board(first, other[change]())
    assert [len(one.ranked) for one in found] == [1, 1]


def with_protocol(place: Path, **settings: Any) -> Path:
    protocol = make("direct", **({"precision": 0.02} | settings))
    return write_run(place, benchmark(protocol=protocol), protocol=protocol)


@pytest.mark.parametrize("setting", [{"precision": 0.05}, {"policy": "native"}, {"block_us": 1000.0}])
def test_a_board_has_one_protocol(tmp_path: Path, setting: dict[str, Any]) -> None:
    found = board(run(tmp_path, "a"), with_protocol(tmp_path / "b", **setting))
    assert [[row.name for row in one.ranked] for one in found] == [["a"], ["b"]]


def test_runs_of_the_same_other_settings_are_ranked_and_the_board_says_which(tmp_path: Path) -> None:
    older = {"block_us": 1000.0, "cold_blocks": 2}
    (one,) = board(*(with_protocol(tmp_path / name, **older) for name in "ab"))
    assert [row.name for row in one.ranked] == ["a", "b"]
    assert one.notes == [
        "Settings that are not today's defaults, alike in all rows of this board: block_us 1000, today 600; "
        "cold_blocks 2, today 3."
    ]
    assert one.to_json()["other_settings"] == {"block_us": [1000.0, 600.0], "cold_blocks": [2, 3]}
    (today,) = board(run(tmp_path, "c"))
    assert today.notes == [] and today.to_json()["other_settings"] == {}


def test_a_policy_that_allows_more_stands_in_the_heading(tmp_path: Path) -> None:
    (one,) = board(with_protocol(tmp_path / "a", policy="native"))
    assert one.notes == ["Policy native, which allows more than the default, strict."]


def test_settings_that_prove_less_have_no_rank(tmp_path: Path) -> None:
    first, second = board(run(tmp_path, "a"), with_protocol(tmp_path / "b", verify_seeds=1))
    assert [row.name for row in first.ranked] == ["a"] and first.unranked == ()
    assert second.ranked == () and "verify_seeds 1, today 4" in second.unranked[0].problems[0]


def test_rows_over_a_part_of_their_tasks_are_marked(tmp_path: Path) -> None:
    (mixed,) = board(run(tmp_path, "whole"), run(tmp_path, "part", graphs=1))
    assert mixed.limited is None and mixed.notes == []
    words = "of each task only the first graph was judged"
    assert {row.name: row.limit for row in mixed.ranked} == {"whole": None, "part": words}
    (all_of_them,) = board(run(tmp_path, "x", graphs=1), run(tmp_path, "y", graphs=1))
    assert all_of_them.notes == [f"In all rows, {words}. passnet submit check refuses such runs as not complete."]


def test_a_reason_that_all_share_is_said_once(tmp_path: Path) -> None:
    loose = [write_run(tmp_path / name, benchmark(tamper_proof=False)) for name in "ab"]
    (alike,) = board(*loose)
    (reason,) = alike.shared_problems
    assert reason.startswith("tamper-proof: ") and not alike.reasons_differ
    (differ,) = board(
        *loose, write_run(tmp_path / "c", benchmark(tamper_proof=False), machine=MACHINE | {"python": ""})
    )
    assert differ.reasons_differ and differ.shared_problems == (reason,)
    assert [len(differ.own_problems(row)) for row in differ.unranked] == [0, 0, 1]


def test_a_row_has_one_name(tmp_path: Path) -> None:
    by = {name: leaderboard_row(read_recorded(run(tmp_path, name))).by for name in ("passes", "hand-written")}
    assert by == {"passes": None, "hand-written": "compiler passes"}
    assert leaderboard_row(read_recorded(run(tmp_path, "mine", author="distill"))).by == "author distill"


def test_a_run_that_breaks_a_condition_has_no_rank(tmp_path: Path) -> None:
    loose = write_run(tmp_path / "loose", benchmark(speedup=9.0, tamper_proof=False))
    (found,) = board(run(tmp_path, "good"), loose)
    assert [row.name for row in found.ranked] == ["good"]
    assert [row.name for row in found.unranked] == ["loose"]
    assert found.unranked[0].problems[0].startswith("tamper-proof: 20 records")
    assert found.unranked[0].integrity == "not tamper-proof: no sandbox"
    document = found.to_json()
    assert [row["rank"] for row in document["ranked"]] == [1]
    assert "rank" not in document["not_ranked"][0]


def test_a_run_in_which_nothing_counts_has_no_figures(tmp_path: Path) -> None:
    (found,) = board(write_run(tmp_path / "x", benchmark(outcome="reference_error")))
    (row,) = found.unranked
    assert all(figure.value is None for figure in row.figures.values())
    assert "score: " in row.problems[-1]


def test_settings_of_strangers_are_said_as_not_recorded(tmp_path: Path) -> None:
    place = write_run(
        tmp_path / "x", benchmark(), machine={"cpu": ["a"]}, author=["x"], author_settings=7, device={"a": 1}
    )
    document = leaderboard_row(read_recorded(place)).to_json()
    assert (document["hardware"], document["device"], document["author"]) == ("not recorded", "not recorded", None)
    assert math.isfinite(document["AS_gmean"]["value"])


def test_a_row_says_how_its_figures_were_chosen(tmp_path: Path) -> None:
    def chosen(name: str, **settings: Any) -> str | None:
        return leaderboard_row(read_recorded(run(tmp_path, name, **settings))).chosen

    assert chosen("once", author="model", attempts=1, confirm=True) is None
    assert chosen("compiler") is None
    assert chosen("several", author="model", attempts=4, confirm=True) == "the best of 4 attempts at each task"
    said = "the best of 2 attempts at each task, pass sets chosen by these figures"
    assert chosen("both", author="model", attempts=2, confirm=False) == said
    assert chosen("odd", author="model", attempts="x", confirm="no") is None
