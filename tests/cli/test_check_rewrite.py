"""`passnet check --diff --stats --raw`: what the passes change, rule by rule, beside the published matching."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.cli_runner import run

BUNDLED = Path(__file__).parents[2] / "data" / "tasks" / "gpt2_gelu_new"


@pytest.fixture
def task(tmp_path) -> Path:
    """A task with one graph and no Triton rule, so that nothing is compiled for a GPU."""
    copy = shutil.copytree(BUNDLED, tmp_path / "task")
    first = (copy / "graph_list.txt").read_text().splitlines()[0]
    (copy / "graph_list.txt").write_text(first + "\n")
    (copy / "pass_dir" / "sorted_output_pass_rule_names.json").write_text('["gelu_new_cpp"]')
    return copy


@pytest.mark.slow
def test_diff_statistics_and_raw_matches(task):
    (rewrite,) = run("check", task, "--diff", "--json").document["rewrites"]
    assert rewrite["diff"].startswith("--- captured\n+++ rewritten\n")
    assert "-%tmp_0 = mul(0.5, %in_0)\n" in rewrite["diff"]
    assert "+%gelu_new = gelu_new(%in_0)\n" in rewrite["diff"]
    (stats,) = rewrite["stats"]
    assert (stats["rule"], stats["matched"], stats["replaced"], stats["refused"]) == ("gelu_new_cpp", 1, 1, 0)
    assert stats["us"] > 0
    assert rewrite["raw"] == {"gelu_new_cpp": 1}


@pytest.mark.slow
def test_text_for_people_and_nothing_of_it_unasked(task):
    done = run("check", task, "--stats", "--raw")
    assert done.code == 0
    assert "rejected_early" in done.out
    assert "as published" in done.out
    assert "--- captured" not in done.out
    assert run("check", task, "--json").document["rewrites"] == []


@pytest.mark.slow
def test_another_spelling_is_found_by_us_alone(task):
    file = task / "pass_dir" / "gelu_new_cpp.py"
    text = file.read_text()
    line = next(line for line in text.splitlines() if "torch.pow" in line)
    file.write_text(text.replace(line, line.replace("torch.pow(x, 3.0)", "x.pow(3)")))
    assert file.read_text() != text
    (rewrite,) = run("check", task, "--raw", "--json").document["rewrites"]
    assert rewrite["stats"][0]["matched"] == 1
    assert rewrite["raw"] == {"gelu_new_cpp": 0}
