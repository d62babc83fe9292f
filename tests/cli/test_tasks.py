"""`passnet tasks`: lists, shows and copies the bundled tasks, for people and for machines."""

from __future__ import annotations

from passnet.graph import Task
from tests.cli.cli_runner import assert_one_clear_line, run


def test_list_has_the_same_tasks_for_people_and_machines() -> None:
    shown = run("tasks", "list", "--regime", "work")
    told = run("tasks", "list", "--regime", "work", "--json").document
    assert told["schema"] == 1 and told["tasks"]
    assert all(row["regime"] == "work" and row["task"] in shown.out for row in told["tasks"])
    assert "bloom_gelu" not in shown.out


def test_show_has_variants_passes_and_source() -> None:
    found = run("tasks", "show", "bloom_gelu", "--json").document
    assert (found["task"], found["split"], found["graphs"]) == ("bloom_gelu", "bundled", 6)
    assert len(found["variants"]) == 6 and found["variants"][0]["inputs"][0]["dtype"] == "float32"
    assert "bloom_gelu_cpp.py" in found["files"] and "tanh" in found["source"]
    assert found["source"].splitlines()[0] in run("tasks", "show", "bloom_gelu").out


def test_export_writes_tasks_that_can_be_read(tmp_path) -> None:
    done = run("tasks", "export", "demo", "--out", tmp_path, "--json")
    assert set(done.document["tasks"]) == {"bloom_gelu", "llama_rotary", "bert_add_norm"}
    assert all(len(Task.read(path).refs) == 6 for path in done.document["tasks"].values())
    assert_one_clear_line(run("tasks", "export", "demo", "--out", tmp_path), "already exists", "--overwrite")


def test_bad_names_are_one_clear_line() -> None:
    assert_one_clear_line(run("tasks", "show", "blom_gelu"), "blom_gelu", "did you mean bloom_gelu?")
    assert_one_clear_line(run("tasks", "show", "demo"), "demo", "names several")
    assert_one_clear_line(run("tasks", "list", "--split", "x"), "--split", "bundled, eval")


def test_commands_take_a_name(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    plan = run("agent", "demo", "--author", "distill", "--dry-run", "--json")
    assert plan.code == 0, plan
    assert [row["task"] for row in plan.document["tasks"]] == ["bloom_gelu", "llama_rotary", "bert_add_norm"]
    assert not list(tmp_path.iterdir())
