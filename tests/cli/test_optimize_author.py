"""`passnet optimize --author`: passes are written for the model and judged in it like known ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch

from passnet.agent.authors.registry import make_author
from passnet.graph.targets import find_targets
from passnet.score import Outcome
from tests.cli.cli_runner import assert_one_clear_line, run

PASSES = Path(__file__).parents[2] / "data" / "tasks" / "bloom_gelu" / "pass_dir"
torch.set_num_threads(1)


@pytest.fixture
def written(monkeypatch, here):
    """An author without measuring: what it was asked, and the passes that it is said to have written."""
    from passnet.agent.run import for_model

    asked = []

    def use(passes):
        def run_agent(request, report):
            asked.append(request)
            return {"tasks": [{"passes": passes}]}

        monkeypatch.setattr(for_model, "run_agent", run_agent)
        return asked

    return use


def test_an_author_writes_the_passes(here, judged, written):
    judged(Outcome.CORRECT, 1.5)
    asked = written(str(PASSES))
    done = run("optimize", "factories_of_mine:model", "--author", "distill", "--minutes", "2", "--out", "out", "--json")
    assert done.code == 0
    assert done.document["kept"][0]["source"] == "pass_dir"
    (request,) = asked
    assert (request.author, request.device, request.budget.steps) == ("distill", "cpu", 0)
    assert 0 < request.budget.wall_s < 0.6 * 120, "the bench and the last comparison need the rest of the two minutes"
    (task,) = find_targets([request.path])
    assert [graph.content_hash for _, _, graph in task.graphs] == [
        json.loads((here / "out" / "bundle.json").read_text())["graph_hash"]
    ]
    run("optimize", "factories_of_mine:model", "--author", "distill", "--out", "out", "--overwrite")
    assert asked[1].path == request.path


def test_another_model_is_another_task(here, judged, written):
    judged(Outcome.CORRECT, 1.5)
    asked = written(None)
    for factory in ("model", "other"):
        run("optimize", f"factories_of_mine:{factory}", "--author", "distill", "--out", "out", "--overwrite")
    first, second = (find_targets([request.path])[0].graphs[0][2] for request in asked)
    assert first.content_hash != second.content_hash
    assert asked[0].run_path != asked[1].run_path


def test_an_author_who_finds_nothing_leaves_the_other_forms(here, judged, written):
    judged(Outcome.CORRECT, 1.5)
    written(None)
    done = run("optimize", "factories_of_mine:model", "--out", "out", "--json")
    assert done.code == 0
    assert done.document["best"]["form"] == "inductor"
    assert "the author found no passes that make this model faster" in done.document["notes"]


def test_nobody_need_write_passes(here, judged, written):
    judged(Outcome.CORRECT, 1.5)
    asked = written(None)
    assert run("optimize", "factories_of_mine:model", "--author", "none", "--out", "out").code == 0
    assert asked == []


def test_a_draft_that_the_time_left_is_judged(here, judged, monkeypatch):
    from passnet.agent.run import for_model

    def run_agent(request, report):
        shutil.copytree(PASSES, request.run_path / "tasks" / "task" / "attempt-0" / "pass_dir")
        return {"tasks": [{"passes": None}]}

    monkeypatch.setattr(for_model, "run_agent", run_agent)
    judged(Outcome.CORRECT, 1.5)
    done = run("optimize", "factories_of_mine:model", "--out", "out", "--json")
    assert [kept["source"] for kept in done.document["kept"]] == ["pass_dir"]


def test_the_authors_run_does_not_depend_on_what_time_is_left(here, judged, written):
    judged(Outcome.CORRECT, 1.5)
    asked = written(None)
    for minutes in ("2", "2", "5"):
        run("optimize", "factories_of_mine:model", "--minutes", minutes, "--out", "out", "--overwrite")
    assert asked[0].run_path == asked[1].run_path != asked[2].run_path
    author = make_author("distill")
    assert asked[0].settings(author) == asked[1].settings(author)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--passes", PASSES, "--author", "distill"), ("give either --passes or --author",)),
        (("--author", "nobody"), ("unknown author 'nobody'", "distill")),
        (("--author", "replay:nowhere.json"), ("nowhere.json",)),
    ],
)
def test_wrong_authors(here, arguments, words):
    assert_one_clear_line(run("optimize", "factories_of_mine:model", *arguments, "--out", "out"), *words)
    assert sorted(path.name for path in here.iterdir() if path.name.startswith("out")) == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_embedded_author_for_real(here):
    done = run("optimize", "factories_of_mine:model", "--author", "distill", "--minutes", "1", "--out", "out", "--json")
    assert done.code in (0, 1)
    assert done.document["best"] is not None
    assert done.document["minutes"] < 1.2
    assert done.document["notes"] or done.document["left"] or done.document["kept"]
