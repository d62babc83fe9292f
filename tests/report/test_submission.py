"""Whether a run may stand on the leaderboard: each condition has a run that breaks it, and one run keeps them all."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.names import PRECISIONS
from passnet.bench.record.protocol import Protocol, make
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import ENVIRONMENT, RECORDS
from passnet.errors import UsageError
from passnet.graph.targets import find_targets
from passnet.report.recorded import read_recorded
from passnet.report.run_tasks import run_tasks
from passnet.report.submission import (
    LESS_IS_WEAKER,
    MORE_IS_WEAKER,
    RULES,
    OtherSetting,
    Submission,
    submission_document,
    submission_problems,
)
from passnet.rewrite import read_pass_set
from tests.report.recorded_runs import MACHINE, altered, record, write_run

BUNDLED = Path(__file__).parents[2] / "data" / "tasks"


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BUNDLED / "bloom_gelu", tmp_path / "tasks" / "bloom_gelu"))


def records_of(task: Path, **other: Any) -> list[GraphRecord]:
    """Right records of every graph of a task, with its own hashes."""
    (target,) = find_targets([task])
    assert target.pass_dir is not None
    judged = read_pass_set(target.pass_dir, target.const_pass_dir).content_hash
    return [
        record(target.name, name, **{"graph_hash": graph.content_hash, "pass_set_hash": judged} | other)
        for name, _, graph in target.graphs
    ]


@pytest.fixture
def good(task: Path, tmp_path: Path) -> Path:
    return write_run(tmp_path / "good", records_of(task), paths=[str(task)])


def problems(run: Path, *tasks: Path) -> list[str]:
    found = read_recorded(run)
    return submission_problems(Submission(found, run_tasks(found, tasks)))


def broken(run: Path, to: Path, **fields: Any) -> list[str]:
    """The problems of a copy in which the first record has other fields."""
    first = read_recorded(run).graphs[0].graph
    return problems(altered(run, to, lambda line: line | fields if line["graph"] == first else line))


def test_a_complete_run_may_stand(good: Path) -> None:
    found = read_recorded(good)
    document = submission_document(Submission(found, run_tasks(found)))
    assert document["problems"] == []
    assert document["ok"] is True
    assert document["schema"] == 1
    assert document["graphs"] == 6
    assert json.loads(json.dumps(document)) == document


def test_a_directory_of_tasks_and_a_list_name_the_task_too(task: Path, tmp_path: Path) -> None:
    listing = tmp_path / "list.txt"
    listing.write_text("tasks/bloom_gelu\n")
    for name, place in (("directory", task.parent), ("list", listing)):
        assert problems(write_run(tmp_path / name, records_of(task), paths=[str(place)])) == []


def test_graphs_without_a_record(task: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", records_of(task)[:4], paths=[str(task)])
    (problem,) = problems(run)
    assert problem.startswith("complete: bloom_gelu: 2 of 6 graphs have no record, bfloat16/0/")


def test_tasks_without_a_record(task: Path, tmp_path: Path) -> None:
    shutil.copytree(BUNDLED / "gpt2_gelu_new", task.parent / "gpt2_gelu_new")
    run = write_run(tmp_path / "run", records_of(task), paths=[str(task.parent)])
    assert problems(run) == ["complete: 1 task has no record, gpt2_gelu_new"]


def test_a_limit_of_graphs_is_not_complete(task: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", records_of(task)[:2], paths=[str(task)], graphs=2)
    assert problems(run) == ["complete: of each task only the first 2 graphs were judged"]


def test_tasks_that_are_not_here_can_be_given(task: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", records_of(task), paths=["nowhere/bloom_gelu"])
    (problem,) = problems(run)
    assert "bloom_gelu: the task is not where the run was made" in problem
    assert "--tasks" in problem
    assert problems(run, task) == []


def test_paths_of_a_strange_run_lead_nowhere_else(task: Path, tmp_path: Path) -> None:
    """A path of a stranger is no search: the tasks lie two levels below it, and are not found."""
    paths = ["/", str(tmp_path), "\0", "x" * 9000, 7, None, {"a": 1}, "/proc/self/mem"]
    (problem,) = problems(write_run(tmp_path / "run", records_of(task), paths=paths))
    assert "not where the run was made" in problem


def test_an_unreadable_task_is_said(good: Path, task: Path) -> None:
    next(task.rglob("model.py")).write_text("import os\n")
    assert [problem for problem in problems(good) if "bloom_gelu: the task cannot be read" in problem]


def test_records_that_are_not_tamper_proof(good: Path, tmp_path: Path) -> None:
    assert broken(good, tmp_path / "x", tamper_proof=False)[0].startswith("tamper-proof: 1 record is not")


@pytest.mark.parametrize("change", ["missing", "no gpu", "dirty", "another machine"])
def test_environments_that_do_not_do(good: Path, change: str) -> None:
    file = good / ENVIRONMENT
    if change == "missing":
        file.unlink()
    else:
        fields = {"no gpu": {"cpu": None}, "dirty": {"revision": "abc+dirty"}, "another machine": {"cpu": "Another"}}
        file.write_text(json.dumps(MACHINE | fields[change]))
    found = problems(good)
    assert found and all(problem.startswith("environment: ") for problem in found)


def test_several_protocols(good: Path, tmp_path: Path) -> None:
    assert broken(good, tmp_path / "x", protocol_hash="other") == [
        "protocol: 1 record is of another protocol than settings.json"
    ]
    assert broken(good, tmp_path / "y", device="cuda")[0].startswith("protocol: 1 record is of another device")


def test_the_published_protocol(task: Path, tmp_path: Path) -> None:
    protocol = make("paper")
    records = records_of(task, protocol=protocol, tamper_proof=False)
    found = problems(write_run(tmp_path / "run", records, protocol=protocol, paths=[str(task)]))
    assert "protocol: the protocol is 'paper', expected 'direct'" in found


def test_looks_are_no_measurements(task: Path, tmp_path: Path) -> None:
    protocol = make("direct", question="decided")
    records = records_of(task, protocol=protocol)
    found = problems(write_run(tmp_path / "run", records, protocol=protocol, paths=[str(task)]))
    assert found == ["precision: measured until a question was decided, not until the interval was narrow"]


@pytest.mark.parametrize("outcome", ["unstable", "out_of_memory", "infrastructure"])
def test_failures_of_the_machine_are_left(good: Path, tmp_path: Path, outcome: str) -> None:
    fields = {"outcome": outcome, "timing": None, "correct_at": None}
    assert broken(good, tmp_path / "x", **fields) == [f"verdicts: 1 graph is {outcome}: the same command tries again"]


def test_failures_of_the_candidate_and_of_eager_may_stand(good: Path, tmp_path: Path) -> None:
    for outcome in ("timeout", "reference_error"):
        assert broken(good, tmp_path / outcome, outcome=outcome, timing=None, correct_at=None) == []


def test_several_pass_sets(good: Path, tmp_path: Path) -> None:
    assert "hashes: 1 task has records of several pass sets, bloom_gelu" in broken(
        good, tmp_path / "x", pass_set_hash="another"
    )


def test_passes_and_graphs_that_changed(good: Path, task: Path) -> None:
    rule = next((task / "pass_dir").glob("*.py"))
    rule.write_text(rule.read_text() + "\n# changed\n")
    assert problems(good) == ["hashes: 1 task has other passes now than were judged, bloom_gelu"]
    source = next(task.rglob("model.py"))
    source.write_text(source.read_text() + "\n")
    assert any("1 graph has other content now" in problem for problem in problems(good))


def test_a_record_of_a_graph_that_the_task_does_not_have(good: Path, tmp_path: Path) -> None:
    found = broken(good, tmp_path / "x", graph="invented")
    assert any("1 record is of graphs that their task does not have, bloom_gelu/invented" in row for row in found)


def test_open_episodes(task: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", records_of(task), paths=[str(task)], kind="agent", author="distill")
    assert problems(run)[0].startswith("finished: summary.json cannot be read")
    summary = {"tasks_done": 1, "tasks_total": 1, "open": [{"task": "x"}]}
    (run / "summary.json").write_text(json.dumps(summary))
    assert problems(run) == ["finished: 1 episode is open"]
    (run / "summary.json").write_text(json.dumps(summary | {"open": [], "tasks_total": 2}))
    assert problems(run) == ["finished: 1 of 2 tasks are done"]
    (run / "summary.json").write_text(json.dumps(summary | {"open": []}))
    assert problems(run) == []


def timed(run: Path, **figures: Any) -> dict[str, Any]:
    """The timing of the first record with other figures."""
    first = json.loads((run / RECORDS).read_text().splitlines()[0])
    return {"timing": first["timing"] | figures}


def test_a_run_with_a_record_that_contradicts_itself_is_refused(good: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"line 1, bloom_gelu/.*, contradicts itself: a speedup of 1e\+06 beside"):
        broken(good, tmp_path / "x", **timed(good, speedup=1e6))


def test_a_record_of_another_precision(good: Path, tmp_path: Path) -> None:
    (problem,) = broken(good, tmp_path / "x", **timed(good, precision=0.05))
    assert problem.startswith("precision: 1 graph was measured at another precision")


@pytest.mark.parametrize(
    "weaker",
    [{"verify_seeds": 1}, {"guard_blocks": 0}, {"fp64_factor": 1e9}, {"sandbox": False}, {"max_half_width": 9.0}],
)
def test_a_weaker_protocol_under_the_same_name(task: Path, tmp_path: Path, weaker: dict[str, Any]) -> None:
    protocol = make("direct", precision=0.02, **weaker)
    (problem,) = problems(
        write_run(tmp_path / "run", records_of(task, protocol=protocol), protocol=protocol, paths=[str(task)])
    )
    assert problem.startswith(f"protocol: settings prove less than those of today's 'direct': {next(iter(weaker))} ")


def test_defaults_of_another_day_are_said_and_refuse_nothing(task: Path, tmp_path: Path) -> None:
    protocol = make("direct", precision=0.02, block_us=1000.0, verify_seeds=9)
    records = records_of(task, protocol=protocol)
    run = read_recorded(write_run(tmp_path / "run", records, protocol=protocol, paths=[str(task)]))
    document = submission_document(Submission(run, run_tasks(run)))
    assert document["problems"] == [] and document["ok"]
    (warning,) = document["warnings"]
    assert warning.startswith("protocol: settings are not those of today's 'direct'")
    assert "block_us 1000, today 600; verify_seeds 9, today 4" in warning


def test_of_every_setting_is_known_whether_it_proves_something() -> None:
    """A new setting belongs to one of these: what proves less is refused, what only measures is said."""
    measuring = {
        "seed", "warmup_calls", "warmup_us", "trials", "most_pairs", "open_pairs", "pair_cost",
        "built_pair_cost", "visit_groups",
        "most_groups", "deployed_groups", "captured_groups", "block_us", "lead_calls", "lead_us", "cold_blocks",
        "timing_s", "quiet_s", "build_s", "first_call_s", "memory_bytes", "max_processes", "graph_bytes",
    }  # fmt: skip
    chosen = {"preset", "policy", "threads", "precision", "question", "threshold", "profiled"}
    kinds = [set(LESS_IS_WEAKER), set(MORE_IS_WEAKER), measuring, chosen]
    assert sum(map(len, kinds)) == len(set.union(*kinds))
    assert set.union(*kinds) == set(Protocol.model_fields)


def test_a_profile_of_fewer_graphs_proves_less() -> None:
    assert OtherSetting("profiled", "one", "each").weaker
    assert not OtherSetting("profiled", "each", "one").weaker


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("precision", PRECISIONS.values())
def test_what_the_command_line_offers_is_the_protocol(
    task: Path, tmp_path: Path, device: str, precision: float
) -> None:
    protocol = make("direct", device=device, precision=precision, policy="native", threads=2)
    records = records_of(task, protocol=protocol, device=device)
    machine = MACHINE | {"gpu": "Some Device"}
    run = write_run(tmp_path / "run", records, machine=machine, protocol=protocol, device=device, paths=[str(task)])
    assert problems(run) == []


def test_a_graph_that_was_judged_until_it_was_fast(good: Path, task: Path, tmp_path: Path) -> None:
    lines = (good / RECORDS).read_text().splitlines(keepends=True)
    (good / RECORDS).write_text("".join([*lines, lines[0]]))
    (problem,) = problems(good)
    assert problem.startswith("once: 1 graph was judged again after a verdict, bloom_gelu/")
    lost = records_of(task, outcome="infrastructure")[:1]
    assert problems(write_run(tmp_path / "again", [*lost, *records_of(task)], paths=[str(task)])) == []


def test_every_condition_has_its_own_name() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_settings_of_other_kinds_than_they_should_be_are_problems(good: Path) -> None:
    file = good / "settings.json"
    strange = {"compiler": [], "device": {}, "machine": [], "graphs": {}}
    file.write_text(json.dumps(json.loads(file.read_text()) | strange))
    assert any("of another compiler than settings.json" in line for line in problems(good))
