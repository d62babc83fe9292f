"""`passnet library`: what is no run and no library is told; a real run becomes a library that can be verified."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch

from passnet.bench.evaluate import evaluate
from tests.cli.cli_runner import assert_one_clear_line, run

TASKS = Path(__file__).parents[2] / "data" / "tasks"
torch.set_num_threads(1)


def test_library_commands_refuse_what_is_none(here):
    assert_one_clear_line(run("library", "list", "nowhere"), "no such directory")
    assert_one_clear_line(run("library", "verify", "."), "not a pass library", "index.json")
    assert_one_clear_line(run("library", "add", "lib", "nowhere"), "not a run directory")
    assert not (here / "lib").exists()


@pytest.mark.slow
def test_a_library_from_a_run(here, monkeypatch):
    from passnet.bench.evaluate import EvaluationRequest
    from passnet.bench.record.protocol import make

    task = shutil.copytree(TASKS / "bloom_gelu", here / "bloom_gelu")
    quick = make("direct", least_pairs=2, most_pairs=2, visit_groups=2, most_groups=2, deployed_groups=2,
                 max_half_width=1e9, control_band=1e9)  # fmt: skip
    (score,) = evaluate(EvaluationRequest((task,), "cpu", "passes", quick, here / "run", 1), lambda step: None)
    if score.records[0].outcome != "correct":
        pytest.skip(f"this machine is too busy to time: {score.records[0].detail}")
    added = run("library", "add", "lib", "run", "--json")
    assert added.document["tasks"] == [{"run": "run", "task": "bloom_gelu", "what": "added", "reason": None}]
    listed = run("library", "list", "lib", "--json").document["entries"]
    assert [rule["rule"] for rule in listed[0]["rules"]] == ["bloom_gelu_cpp", "bloom_gelu_triton"]
    assert run("library", "verify", "lib", "--json").document["ok"] is True
    file = here / "lib" / "passes" / listed[0]["name"] / "bloom_gelu_cpp.py"
    file.write_text(file.read_text() + "\n")
    done = run("library", "verify", "lib")
    assert done.code == 1
    assert "differ from the verified ones" in done.out
