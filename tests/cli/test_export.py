"""`passnet export`: the layout of the published harness from a run's records; bad input writes nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from passnet.bench.layers import LAYERS
from passnet.bench.record.records import Finding, GraphRecord, MaxError, ProcessTiming, Timing
from passnet.bench.record.run import RECORDS, Run
from passnet.graph import Task, read_graph_list
from passnet.graph.listing import read_entries
from passnet.rewrite import read_pass_set
from passnet.score import Outcome, read_upstream_log
from tests.cli.cli_runner import assert_one_clear_line, run

BUNDLED = Path(__file__).parents[2] / "data" / "tasks"
TASKS = ("bloom_gelu", "phi3_swiglu")


def record(task: Task, index: int, outcome: Outcome = Outcome.CORRECT, speedup: float = 2.0) -> GraphRecord:
    graph = task.refs[index].load()
    timing = None
    if outcome is Outcome.CORRECT:
        process = ProcessTiming(
            quads=9, calls=40, ratio=speedup, eager_us=9.0, compiled_us=9.0 / speedup, control_ratio=1.0, harness_us=0.1
        )
        timing = Timing(
            speedup=speedup, speedup_ci=(speedup, speedup + 1e-9), eager_us=9.0,
             compiled_us=9.0 / speedup, control_ratio=1.0,
            processes=(process,),
        )  # fmt: skip
    found = (Finding(**{"class": "c", "layer": "l", "evidence": "e"}),) if outcome is Outcome.INTEGRITY else ()
    return GraphRecord(
        task=task.name, graph=graph.name, graph_hash=graph.content_hash, protocol_hash="q", compiler="passes",
        pass_set_hash=read_pass_set(task.pass_dir).content_hash, device="cpu", outcome=outcome, timing=timing,
        correct_at=-6 if timing else None, findings=found, compared_calls=40, sandbox=LAYERS,
        max_error=MaxError(abs=0.0, rel=0.0), seconds=4.0,
    )  # fmt: skip


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    for name in TASKS:
        shutil.copytree(BUNDLED / name, tmp_path / "tasks" / name)
    return tmp_path / "tasks"


@pytest.fixture
def run_directory(tasks: Path, tmp_path: Path) -> Path:
    """Two tasks: one right graph and one failure in the first; one right and one unstable in the second."""
    path = tmp_path / "runs" / "mine"
    opened = Run.open(
        path,
        {"paths": [str(tasks)], "device": "cpu", "compiler": "passes", "protocol": {"policy": "native"}},
        {"cpu": "C 1", "torch": "2"},
    )
    first, second = (Task.read(tasks / name) for name in TASKS)
    for found in (
        record(first, 0, speedup=3.0),
        record(first, 1, Outcome.INTEGRITY),
        record(second, 0),
        record(second, 1, Outcome.UNSTABLE),
    ):
        opened.append(found)
    opened.close()
    return path


def test_logs_scores_and_lists(run_directory, tmp_path) -> None:
    out = tmp_path / "out"
    done = run("export", run_directory, "--out", out, "--json")
    assert done.code == 0, done
    rows = done.document["tasks"]
    assert [(row["id"], row["task"]) for row in rows] == [(1, TASKS[0]), (2, TASKS[1])]
    assert done.document["graphs"] == 3
    assert len(done.document["left_out"]) == 1
    assert "unstable" in done.err
    samples = (out / "sample_lists" / "samples.txt").read_text().split()
    assert samples == [f"samples/{name}" for name in TASKS]
    for row, sample in zip(rows, samples, strict=True):
        score = json.loads((out / sample / "aggregated_score.json").read_text())
        assert score == {"id": row["id"], "score": row["score"]}
        assert run("score", out / sample / "validation.log", "--json").document["AS"] == pytest.approx(row["score"])
    log = read_upstream_log(out / "validation.log")
    assert [result.speedup for result in log.results] == [3.0, None, 2.0]
    pairs = read_entries(out / "graph_lists" / "graphs.txt")
    assert len({pair.uid for pair in pairs}) == len(pairs) == 4
    assert {result.name for result in log.results} < {pair.path for pair in pairs}


def test_the_exported_tasks_are_those_that_were_judged(run_directory, tasks, tmp_path) -> None:
    out = tmp_path / "out"
    assert run("export", run_directory, "--out", out).code == 0
    for name in TASKS:
        task, original = Task.read(out / "samples" / name), Task.read(tasks / name)
        hashes = [graph.content_hash for graph in original.graphs[:2]]
        assert [graph.content_hash for graph in task.graphs] == hashes
        assert len(task.uids) == 2
        assert read_pass_set(task.pass_dir).texts() == read_pass_set(original.pass_dir).texts()
        entry = out / "samples" / name / "entry.sh"
        assert os.access(entry, os.X_OK)
        subprocess.run(["sh", "-n", entry], check=True)
        assert "@" not in entry.read_text().replace('"$@"', "")
    # Both lists lead to what is there, from where they lie.
    for listing in ("sample_lists/samples.txt", "graph_lists/graphs.txt"):
        for line in read_graph_list(out / listing):
            assert (out / line).is_dir()


def test_entry_sh_calls_what_exists(run_directory, tmp_path) -> None:
    """With a stand-in for `passnet` that does what the two commands do: leave a run, and export it."""
    out, fake = tmp_path / "out", tmp_path / "bin"
    assert run("export", run_directory, "--out", out).code == 0
    fake.mkdir()
    (fake / "passnet").write_text(
        '#!/bin/sh\necho "$@" >> "$CALLS"\n'
        'if [ "$1" = export ]; then d="$4/samples/x"; mkdir -p "$d"; : > "$d/validation.log"; '
        'echo "{}" > "$d/aggregated_score.json"; fi\n'
    )
    (fake / "passnet").chmod(0o755)
    found, calls = tmp_path / "found", tmp_path / "calls"
    env = {"PATH": f"{fake}:{os.environ['PATH']}", "PASSNET_OUTPUT_PATH": str(found), "CALLS": str(calls)}
    subprocess.run([out / "samples" / TASKS[0] / "entry.sh"], env=env, check=True, cwd=tmp_path)
    assert sorted(file.name for file in found.iterdir()) == ["aggregated_score.json", "validation.log"]
    evaluated, exported = calls.read_text().splitlines()
    assert evaluated.startswith(
        f"eval {out / 'samples' / TASKS[0]} --device cpu --compiler passes --policy native --runs "
    )
    work = evaluated.split("--runs ")[1].split()[0]
    assert exported == f"export {work}/task --out {work}/out --logs-only"


def test_logs_alone_need_no_tasks(run_directory, tasks, tmp_path) -> None:
    shutil.rmtree(tasks)
    out = tmp_path / "out"
    assert_one_clear_line(run("export", run_directory, "--out", out), "cannot be read", "--logs-only")
    assert not out.exists()
    assert run("export", run_directory, "--out", out, "--logs-only").code == 0
    files = sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())
    per_task = [f"samples/{name}/{file}" for name in TASKS for file in ("aggregated_score.json", "validation.log")]
    assert files == sorted(["graph_lists/graphs.txt", "sample_lists/samples.txt", "validation.log", *per_task])


# Of a compiler that runs none.
NO_PASSES = {"pass_set_hash": None, "sandbox": None}


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [("compiler", "x; touch hacked", ["--logs-only"]), ("device", "$(touch hacked)", ["no device"])],
)
def test_no_word_of_a_run_is_handed_to_a_shell(field, value, words, run_directory, tmp_path) -> None:
    own = {field: value} | (NO_PASSES if field == "compiler" else {})
    lines = [json.loads(line) | own for line in (run_directory / RECORDS).read_text().splitlines()]
    (run_directory / RECORDS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert_one_clear_line(run("export", run_directory, "--out", tmp_path / "out"), repr(value), *words)
    assert not (tmp_path / "out").exists()


def test_a_compiler_of_another_package_is_a_word_too(run_directory, tmp_path) -> None:
    own = {"compiler": "dynamo:other-1.0"} | NO_PASSES
    lines = [json.loads(line) | own for line in (run_directory / RECORDS).open()]
    (run_directory / RECORDS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run("export", run_directory, "--out", tmp_path / "out").code == 0
    assert "--compiler dynamo:other-1.0 " in (tmp_path / "out" / "samples" / TASKS[0] / "entry.sh").read_text()


@pytest.mark.parametrize(("changed", "what"), [("pass_dir", "the passes"), ("graphs", "the graph")])
def test_what_changed_since_the_run_is_not_exported_as_if_judged(changed, what, run_directory, tasks, tmp_path) -> None:
    graph = Task.read(tasks / TASKS[0]).refs[0].path
    file = graph / "model.py" if changed == "graphs" else next((tasks / TASKS[0] / changed).glob("*.py"))
    file.write_text(file.read_text() + "\n")
    out = tmp_path / "out"
    assert_one_clear_line(run("export", run_directory, "--out", out), what, "changed since the run", "--logs-only")
    assert not out.exists()


def test_an_existing_directory_stays(run_directory, tmp_path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine").touch()
    assert_one_clear_line(run("export", run_directory, "--out", out, "--logs-only"), "already exists")
    assert [path.name for path in out.iterdir()] == ["mine"]
    assert run("export", run_directory, "--out", out, "--logs-only", "--overwrite").code == 0


def test_runs_without_anything_to_write(run_directory, tmp_path) -> None:
    out = tmp_path / "out"
    assert_one_clear_line(run("export", tmp_path / "nowhere", "--out", out), "not a run directory")
    assert_one_clear_line(run("export", run_directory / RECORDS, "--out", out), "not a run directory")
    lines = (run_directory / RECORDS).read_text().splitlines()
    (run_directory / RECORDS).write_text(lines[-1] + "\n")
    assert_one_clear_line(run("export", run_directory, "--out", out), "nothing in the run counts")
    (run_directory / RECORDS).write_text("")
    assert_one_clear_line(run("export", run_directory, "--out", out), "no records")
    assert not out.exists()


def test_records_of_two_pass_sets_are_refused(run_directory, tasks, tmp_path) -> None:
    again = record(Task.read(tasks / TASKS[0]), 0).model_copy(update={"pass_set_hash": "other"})
    with (run_directory / RECORDS).open("a") as file:
        file.write(again.model_dump_json(by_alias=True) + "\n")
    done = run("export", run_directory, "--out", tmp_path / "out", "--logs-only")
    assert_one_clear_line(done, "several records of one graph", TASKS[0])


@pytest.mark.parametrize("name", ["..", "a/b", "x [Speedup][e2e]: 9", "all_close"])
def test_names_of_tasks_lead_nowhere_and_say_nothing(name, run_directory, tmp_path) -> None:
    lines = [json.loads(line) | {"task": name} for line in (run_directory / RECORDS).read_text().splitlines()[:2]]
    (run_directory / RECORDS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = tmp_path / "out"
    done = run("export", run_directory, "--out", out, "--logs-only", "--json")
    assert done.code == 0, done
    assert {path.name for path in out.iterdir()} == {"samples", "sample_lists", "graph_lists", "validation.log"}
    assert len(list((out / "samples").iterdir())) == 1
    log = read_upstream_log(out / "validation.log")
    assert [result.speedup for result in log.results] == [3.0, None]
