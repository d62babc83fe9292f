"""`passnet optimize --author`: passes are written for the model and judged in it like known ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

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
    assert (request.author, request.device, request.budget.wall_s, request.budget.steps) == ("distill", "cpu", 120, 0)
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
        run("optimize", f"factories_of_mine:{factory}", "--author", "distill", "--out", "out")
    first, second = (find_targets([request.path])[0].graphs[0][2] for request in asked)
    assert first.content_hash != second.content_hash
    assert asked[0].run_path != asked[1].run_path


def test_an_author_who_finds_nothing_is_no_bundle(here, judged, written):
    judged(Outcome.CORRECT, 1.5)
    written(None)
    done = run("optimize", "factories_of_mine:model", "--author", "distill", "--out", "out")
    assert done.code == 1
    assert "no bundle was written" in done.out
    assert not (here / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ("give either --passes or --author",)),
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
    tried = [*done.document["kept"], *done.document["left"]]
    assert (done.document["bundle"] is not None) == bool(done.document["kept"])
    assert tried or "author: author_stopped" in done.err
