"""What an author sees whose rule matches nothing, or holds a word that torch does not have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.cli_runner import run
from tests.graph.graph_helpers import graph_of, spec

RULE = '''
import torch

from passnet.kernels import cpp

SOURCE = """
extern "C" void triple(const float* x, float* y, long n) {
  for (long i = 0; i < n; ++i) y[i] = 3 * x[i];
}
"""
library = cpp(SOURCE)


def pattern(x):
    return torch.relu(x) * 3.0


def replacement_args(x):
    return (x,)


@torch.fx.wrap
def wrapper(x):
    out = torch.empty_like(x)
    library.triple(x, out, x.numel())
    return out


def replacement_func():
    return wrapper
'''


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """Two graphs alike, and a rule whose constant is another."""
    directory = tmp_path / "task"
    for name in "gh":
        graph_of([spec("x", 4, 64)], "t = torch.relu(x)", "y = t * 2.0", "return (y,)", name=name).write(
            directory / name
        )
    (directory / "graph_list.txt").write_text("g\nh\n")
    (directory / "pass_dir").mkdir()
    (directory / "pass_dir" / "Triple.py").write_text(RULE)
    (directory / "pass_dir" / "sorted_output_pass_rule_names.json").write_text(json.dumps(["Triple"]))
    return directory


def test_check_says_each_near_miss_once(task: Path) -> None:
    done = run("check", task)
    assert (done.code, done.out.count("expected other=3.0, found other=2.0")) == (1, 1)
    assert "  g (and 1 more): at mul:" in done.out


def test_check_names_a_rule_that_no_graph_needs(task: Path) -> None:
    double = RULE.replace("* 3.0", "* 2.0").replace("3 * x[i]", "(x[i] > 0 ? 2 * x[i] : 0)")
    (task / "pass_dir" / "Double.py").write_text(double)
    (task / "pass_dir" / "sorted_output_pass_rule_names.json").write_text(json.dumps(["Double", "Triple"]))
    done = run("check", task)
    assert (done.code, done.out.splitlines()[-1]) == (0, "ok; Triple matches no graph")


def test_eval_names_the_nearest_rule_and_what_to_run_next(task: Path, tmp_path: Path) -> None:
    done = run("eval", task, "--runs", tmp_path / "runs", "--run", "first")
    assert "nearest: Triple at mul: argument other: expected 3.0, found 2.0" in done.out
    assert f"every near miss: passnet check {task}" in done.out
    assert f"as a page: passnet report {tmp_path / 'runs' / 'first'} --out report.html" in done.out


def test_a_task_of_a_list_is_given_no_command_that_takes_one_task(task: Path, tmp_path: Path) -> None:
    (tmp_path / "tasks.txt").write_text("task\n")
    done = run("eval", tmp_path / "tasks.txt", "--runs", tmp_path / "runs")
    assert "nearest: Triple at mul" in done.out
    assert "passnet check" not in done.out


def test_a_misspelt_function_gets_a_suggestion_and_no_count_of_graphs(task: Path) -> None:
    (task / "pass_dir" / "Triple.py").write_text(RULE.replace("torch.relu(x)", "torch.sigmod(x)"))
    done = run("check", task)
    assert done.code == 1
    assert "torch.sigmod(), did you mean sigmoid?" in done.out
    assert "Triple: not tried\n" in done.out
    assert done.out.splitlines()[-1] == "1 problem"
