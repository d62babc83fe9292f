"""`passnet agent`: the machine contract, resuming, dry runs; bad input is one clear line before anything is written."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
import torch

from passnet.agent.run import session
from tests.agent.agent_helpers import BUNDLED, EPISODE, FakeWorkbench, actions_file, task_copy
from tests.cli.cli_runner import assert_one_clear_line, run

no_cuda = pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without a CUDA device")


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    task_copy(tmp_path / "tasks")
    task_copy(tmp_path / "tasks", "gpt2_gelu_new")
    return tmp_path / "tasks"


@pytest.fixture
def actions(tmp_path: Path) -> Path:
    return actions_file(tmp_path / "actions.json", EPISODE)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    path = tmp_path / "runs"
    path.mkdir()
    return path


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeWorkbench:
    bench = FakeWorkbench()
    monkeypatch.setattr(session, "LiveWorkbench", lambda *_: bench)
    return bench


def test_the_document_has_what_the_contract_promises(tasks, actions, runs, fake) -> None:
    done = run("agent", tasks, "--author", f"replay:{actions}", "--run", "one", "--runs", runs, "--json")
    assert done.code == 0, done
    document = done.document
    assert document["schema"] == 1
    assert document["run"] == str(runs / "one")
    promised = {"task", "AS", "best_step", "steps", "evaluations", "cost_usd", "exit_reason", "passes"}
    assert [promised - row.keys() for row in document["tasks"]] == [set(), set()]
    first = document["tasks"][0]
    assert (first["task"], first["best_step"], first["steps"], first["evaluations"]) == ("bloom_gelu", 9, 14, 3)
    assert first["AS"] == pytest.approx(1.5)
    assert first["exit_reason"] == "submitted"
    assert first["passes"] == str(runs / "one" / "tasks" / "bloom_gelu" / "passes")
    assert "[2/2] gpt2_gelu_new #0: ended: submitted, AS 1.500" in done.err


def test_the_table_names_task_score_and_end(tasks, actions, runs, fake) -> None:
    done = run("agent", tasks, "--author", f"replay:{actions}", "--run", "one", "--runs", runs, "--attempts", 2)
    assert done.code == 0, done
    assert "bloom_gelu" in done.out
    assert "submitted" in done.out
    assert "AS 1.500 over 2 of 2 tasks" in done.out
    assert "best@k  1: 1.500  2: 1.500" in done.out
    spread = done.out.index("between attempts at a task, AS deviates by a factor of 1.00\n")
    assert done.out[spread:].splitlines()[1] == "right, then wrong, then right again: 0 times"


def test_the_same_name_resumes_and_other_settings_are_refused(tasks, actions, runs, fake) -> None:
    arguments = ("agent", tasks, "--author", f"replay:{actions}", "--run", "one", "--runs", runs, "--json")
    first = run(*arguments)
    fake.asked.clear()
    assert run(*arguments).document == first.document
    assert "evaluate" not in fake.asked
    assert_one_clear_line(run(*arguments, "--max-steps", 3), "budget", "--run")


def test_a_dry_run_writes_nothing(tasks, actions, runs) -> None:
    done = run("agent", tasks, "--author", f"replay:{actions}", "--runs", runs, "--dry-run", "--json")
    assert done.code == 0, done
    assert [row["attempts"] for row in done.document["tasks"]] == [["new"], ["new"]]
    done = run("agent", tasks, "--author", f"replay:{actions}", "--runs", runs, "--dry-run")
    assert "nothing was written" in done.out
    assert list(runs.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--author", "nobody"), ("unknown author 'nobody'", "distill")),
        (("--author", "replay"), ("nothing to replay", "replay:FILE")),
        (("--author", "replay:/nowhere.json"), ("/nowhere.json", "cannot be read")),
        (("--device", "tpu"), ("unknown device 'tpu'",)),
        (("--policy", "lax"), ("unknown policy 'lax'",)),
        (("--seed-from", "nothing"), ("no such seed", "nothing")),
        pytest.param(("--device", "cuda"), ("no CUDA device",), marks=no_cuda),
    ],
)
def test_bad_options_are_one_line_and_write_nothing(tasks, actions, runs, arguments, words) -> None:
    given = arguments if "--author" in arguments else ("--author", f"replay:{actions}", *arguments)
    assert_one_clear_line(run("agent", tasks, "--runs", runs, *given), *words)
    assert list(runs.iterdir()) == []


def test_paths_that_hold_no_task_are_one_line(tasks, actions, runs, tmp_path) -> None:
    author = ("--author", f"replay:{actions}", "--runs", runs)
    graph = next(tasks.rglob("model.py")).parent
    assert_one_clear_line(run("agent", tmp_path / "nowhere", *author), "no such directory")
    assert_one_clear_line(run("agent", graph, *author), "a graph, not a task")
    empty = tasks / "bloom_gelu" / "graph_list.txt"
    empty.write_text("")
    assert_one_clear_line(run("agent", tasks / "bloom_gelu", *author), "the list is empty", str(empty))
    (runs / "other").mkdir()
    (runs / "other" / "file").write_text("")
    assert_one_clear_line(run("agent", tasks / "gpt2_gelu_new", *author, "--run", "other"), "holds something else")


def test_published_tasks_and_attempts(tasks, actions, runs, fake) -> None:
    """The published list counts from the repository's root."""
    listing = tasks.parent / "pass_agent" / "datasets" / "tasks.jsonl"
    listing.parent.mkdir(parents=True)
    rows = [{"swe_type": "passnet", "sample_dir": "tasks/bloom_gelu", "instance_id": "one", "docker_image": "d"}]
    listing.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run(
        "agent", listing, "--author", f"replay:{actions}", "--run", "k", "--runs", runs, "--attempts", 2, "--json"
    )
    assert done.code == 0, done
    (task,) = done.document["tasks"]
    assert task["task"] == "one"
    assert [attempt["attempt"] for attempt in task["attempts"]] == [0, 1]
    assert (done.document["best_at_k"], done.document["pass_at_k"]) == (pytest.approx([1.5, 1.5]), [1.0, 1.0])


def test_a_run_of_an_author_is_exported_with_the_passes_that_it_wrote(tasks, actions, runs, fake, tmp_path) -> None:
    assert run("agent", tasks, "--author", f"replay:{actions}", "--run", "one", "--runs", runs).code == 0
    done = run("export", runs / "one", "--out", tmp_path / "out", "--json")
    assert done.code == 0, done
    assert [row["score"] for row in done.document["tasks"]] == pytest.approx([1.5, 1.5])
    wrote = {file.name for file in (runs / "one" / "tasks" / "bloom_gelu" / "passes").iterdir()}
    exported = {file.name for file in (tmp_path / "out" / "samples" / "bloom_gelu" / "pass_dir").iterdir()}
    assert wrote == exported


def test_k_tasks_from_the_start_index_as_published(tasks, actions, runs, fake) -> None:
    every = ["agent", tasks, "--author", f"replay:{actions}", "--runs", runs]
    names = {
        options: [row["task"] for row in run(*every, "--run", f"r{number}", *options, "--json").document["tasks"]]
        for number, options in enumerate([(), ("--k", 1), ("--k", 9), ("--start-idx", 1)])
    }
    assert (
        names["--k", 1] == names[()][:1] and names["--k", 9] == names[()] and names["--start-idx", 1] == names[()][1:]
    )
    assert_one_clear_line(run(*every, "--start-idx", 2), "no task is left", "less than 2", "found 2")


@pytest.mark.parametrize("option", ["--k", "--attempts"])
@pytest.mark.parametrize("value", [0, -3])
def test_no_attempts_are_one_line(tasks, actions, runs, option, value) -> None:
    done = run("agent", tasks, "--author", f"replay:{actions}", "--runs", runs, option, value)
    assert_one_clear_line(done, option, "at least 1", f"found {value}")
    assert list(runs.iterdir()) == []


@pytest.mark.parametrize(
    ("option", "value", "most"), [("--attempts", 1001, 1000), ("--threads", 10**9, os.cpu_count())]
)
@pytest.mark.parametrize("dry", [["--dry-run"], []])
def test_a_number_beyond_all_use_is_one_line(tasks, actions, runs, option, value, most, dry) -> None:
    done = run("agent", tasks, "--author", f"replay:{actions}", "--runs", runs, option, value, *dry)
    assert_one_clear_line(done, option, f"at most {most}", f"found {value}")
    assert list(runs.iterdir()) == []


def test_a_broken_line_of_published_tasks_is_one_line(tasks, actions, runs) -> None:
    listing = tasks / "tasks.jsonl"
    listing.write_text('{"sample_dir": "bloom_gelu"}\n{"sample_dir": \n')
    done = run("agent", listing, "--author", f"replay:{actions}", "--runs", runs)
    assert_one_clear_line(done, str(listing), "line 2", "not valid JSON")
    assert list(runs.iterdir()) == []


@pytest.mark.slow
def test_a_bundled_task_from_an_empty_directory_to_a_score(runs, tmp_path) -> None:
    """The real bench, one variant, the bundled C++ pass played by hand."""
    source = BUNDLED / "bloom_gelu" / "pass_dir" / "bloom_gelu_cpp.py"
    task = Path(shutil.copytree(BUNDLED / "bloom_gelu", tmp_path / "bloom_gelu"))
    rows = [
        {"tool": "create", "arguments": {"path": source.name, "text": source.read_text()}},
        {"tool": "create", "arguments": {"path": "sorted_output_pass_rule_names.json", "text": f'["{source.stem}"]'}},
        {"tool": "evaluate"},
        {"tool": "submit"},
    ]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    author = f"replay:{tmp_path / 'rows.json'}"
    done = run("agent", task, "--author", author, "--graphs", 1, "--run", "one", "--runs", runs, "--json")
    assert done.code == 0, done
    assert done.document["tasks"][0]["AS"] > 1.0
    scored = run("score", runs / "one", "--json").document
    assert scored["AS"] == pytest.approx(done.document["AS"])
