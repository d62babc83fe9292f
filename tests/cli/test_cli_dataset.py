"""`passnet dataset`: every command on the bundled tasks, what it writes, its machine contract and its exit codes."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from tests.cli.cli_runner import Done, assert_one_clear_line
from tests.cli.cli_runner import run as run_command

pytest.importorskip("pyarrow")
TASKS = Path(__file__).resolve().parents[2] / "data" / "tasks"


def run(*arguments: object) -> Done:
    return run_command("dataset", *arguments)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled tasks as a dataset."""
    path = tmp_path_factory.mktemp("dataset") / "store"
    done = run("import", TASKS, path, "--json")
    assert (done.code, done.document["refused"]) == (0, []), done
    assert done.document["tasks"] == [{"split": None, "kind": "subgraph", "count": 20}]
    return path


def test_stats_as_text_json_and_page(store, tmp_path):
    assert "120 graphs" in run("stats", store).out
    done = run("stats", store, "--json", "--html", tmp_path / "page.html")
    assert (done.document["graphs"], done.document["tasks"]) == (120, 20)
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("form", "written"),
    [
        ("tasks", "samples/resnet18_bn_add_relu/graph_list.txt"),
        ("graphs", "resnet18_bn_add_relu/graphs/float32/0/samples/timm/resnet18"),
        ("lists", "all_subgraph.uids.txt"),
        ("graph-lists", "all_subgraph.csv"),
        ("structures", "tasks.parquet"),
    ],
)
def test_export_in_every_form(store, tmp_path, form, written):
    done = run("export", store, tmp_path / "out", "--form", form)
    assert done.code == 0, done
    assert (tmp_path / "out" / written).exists()
    assert run("export", store, tmp_path / "out", "--form", form).code == 2
    assert run("export", store, tmp_path / "out", "--form", form, "--overwrite").code == 0


def test_lists_name_tasks_or_graphs(store, tmp_path):
    for form, count in (("lists", 20), ("graph-lists", 120)):
        run("export", store, tmp_path / form, "--form", form)
        assert len((tmp_path / form / "all_subgraph.txt").read_text().splitlines()) == count


def test_a_sound_dataset_and_a_damaged_one(store, tmp_path):
    done = run("verify", store, "--sample", "2", "--json")
    assert (done.code, done.document["ok"], done.document["checked"]["rows"]) == (0, True, 120)
    done = run("verify", store, "--every", "50", "--json")
    assert (done.code, done.document["checked"]["rows"], done.document["checked"]["rows rebuilt"]) == (0, 120, 3)
    small = tmp_path / "small"
    run("export", store, small, "--form", "structures")
    (small / "tasks.parquet").write_bytes((store / "tasks.parquet").read_bytes())
    done = run("verify", small)
    assert done.code == 1
    assert "NOT sound" in done.out


def test_sets_that_share_something_are_told(store):
    done = run("decontaminate", store, store, "--json")
    assert (done.code, done.document["clean"]) == (1, False)
    assert {row["property"] for row in done.document["violations"]} == {"sequence", "structure", "family"}


def test_a_split_is_chosen_anew(store, tmp_path):
    done = run("split", store, tmp_path / "out", "--fusible", "0", "--typical", "0", "--json")
    assert done.document["graphs"] == [{"split": "train", "kind": "subgraph", "count": 120}]


MODULE = """
import torch

class Small(torch.nn.Module):
    def forward(self, x):
        return torch.tanh(x) * 2

def first():
    return Small(), torch.randn(3, 4)

def second():
    return torch.nn.Softplus(), torch.randn(3, 4)
"""


def test_a_build_of_ones_own_models(tmp_path, monkeypatch):
    (tmp_path / "built_models.py").write_text(textwrap.dedent(MODULE), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    sources = ("--source", "built_models:first", "--source", "built_models:second")
    done = run("build", "out", *sources, "--cut", "1", "--eval-tasks", "0", "--workers", "1", "--json")
    assert done.code == 0, done
    assert done.document["models"] == {"user captured": 2}
    assert (done.document["models_cut"], done.document["structures"]["sole_op"]) == (1, 2)
    assert {row["kind"]: row["count"] for row in done.document["graphs"]}["full"] == 2
    assert json.loads(Path("out/settings.json").read_text())["cut"] == 1
    assert "capture [2/2]" in done.err


def test_published_graphs_become_tasks_in_four_commands(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[1] / "dataset"))
    from tests.dataset.published_samples import write_short_tree

    tree = write_short_tree(tmp_path / "checkout")
    monkeypatch.chdir(tmp_path)
    done = run("import", tree, "published", "--json")
    assert (done.code, done.document["refused"], done.document["graphs"][0]["count"]) == (0, [], 2), done
    done = run("build", "build", "--source", "published", "--eval-tasks", "0", "--workers", "2", "--json")
    assert done.code == 0, done
    assert done.document["models"] == {"timm captured": 1, "transformers-auto-model captured": 1}
    assert run("export", "build/dataset", "tasks", "--kind", "fusible").code == 0
    task = next(path.parent for path in sorted(Path("tasks").rglob("graph_list.txt")))
    done = run_command("inspect", task, "--json")
    assert done.code == 0, done


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("build", "out", "--source", "keras"), ("unknown source", "keras")),
        (("stats", "nowhere"), ("no dataset here",)),
        (("export", "nowhere", "out", "--form", "zip"), ("--form", "graph-lists")),
        (("export", "nowhere", "out", "--split", "test"), ("--split", "reserve")),
        (("decontaminate", "nowhere", "nowhere"), ("no such file",)),
    ],
)
def test_mistakes_are_one_clear_line(tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert_one_clear_line(run(*arguments), *words)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_set_is_bad_input_of_every_command_that_looks_at_it(tmp_path, store):
    from passnet.dataset.tables.store import create

    empty = tmp_path / "empty"
    with create(empty, {}):
        pass
    assert_one_clear_line(run("stats", empty), "empty", "holds no graph")
    assert_one_clear_line(run("decontaminate", empty, store), "empty", "holds no graph")
    assert_one_clear_line(run("decontaminate", store, empty), "empty", "holds no graph")


@pytest.mark.parametrize("command", [["stats"], ["verify"], ["split", "out"]])
def test_a_table_with_more_rows_than_bytes_ends_as_one_line(tmp_path, monkeypatch, command):
    import pyarrow.parquet as pq

    from passnet.dataset.tables import store
    from tests.dataset.dataset_corpora import bundled_rows

    monkeypatch.chdir(tmp_path)
    bomb = tmp_path / "bomb.parquet"
    store.write_rows(bomb, bundled_rows()[:1])
    pq.write_table(pq.read_table(bomb).take([0] * 100_000), bomb, compression="zstd")
    done = run(command[0], bomb, *command[1:])
    assert done.code == 2
    assert_one_clear_line(done)
    assert f"{bomb}: it has more rows than bytes for them" in done.err
    assert not (tmp_path / "out").exists()
