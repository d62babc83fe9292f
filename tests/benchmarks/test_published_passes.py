"""`benchmarks/published_passes.py` on a repository made here: what it counts, and that a bare repository is enough."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
RULE = """
import torch
from pass_dir.kernels import kernel
def pattern(x, y):
    return x + y
def replacement_args(x, y):
    return (x, y)
def replacement_func():
    return kernel
"""
KERNELS = "import torch\n@torch.fx.wrap\ndef kernel(x, y):\n    return RESULT\n"
PIECE = "graphs/all/float32/3/samples/family/model/_decomposed/model_start4_end9_0\n"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import published_passes

    return published_passes


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A bare repository of three task directories: one honest, one that computes with torch, one without its file."""
    tree = tmp_path / "tree"
    for name, result, score in (("good", "torch.empty_like(x)", 1.5), ("cheat", "torch.mul(x, y)", 2.0)):
        passes = tree / "author" / name / "pass_dir"
        passes.mkdir(parents=True)
        (passes / "rule.py").write_text(RULE)
        (passes / "kernels.py").write_text(KERNELS.replace("RESULT", result))
        (passes / "left.py").write_text("import socket (")
        (passes / "score.txt").write_text(str(score))
        (passes / "sorted_output_pass_rule_names.json").write_text('["rule"]')
        (passes.parent / "graph_list.txt").write_text(PIECE + PIECE.replace("float32", "bfloat16").replace("4", "5"))
    broken = tree / "author" / "broken" / "pass_dir"
    broken.mkdir(parents=True)
    (broken / "sorted_output_pass_rule_names.json").write_text(json.dumps(["gone"]))
    for command in (
        ["init", "-q", str(tree)],
        ["-C", str(tree), "add", "-A"],
        ["-C", str(tree), "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x"],
        ["clone", "-q", "--bare", str(tree), str(tmp_path / "bare")],
    ):
        subprocess.run(["git", *command], check=True)
    return tmp_path / "bare"


def test_sets_are_counted_by_what_the_policy_says(script: ModuleType, repository: Path, tmp_path: Path) -> None:
    source = script.Repository(repository)
    tasks = script.chosen(source, 10, 1)
    assert sorted(tasks) == ["author/broken", "author/cheat", "author/good"]
    sets = script.extracted(source, tasks, tmp_path / "sets")
    rows = dict(zip(tasks, map(script.judged, sets), strict=True))
    assert rows["author/good"] == {"score": 1.5, "state": "admitted", "causes": []}
    assert rows["author/cheat"]["causes"] == ["library-call"]
    assert rows["author/broken"]["causes"] == ["the manifest names ..., but there is no such file"]
    table = script.table(rows.values())
    assert (table["sets"], table["admitted"], table["refused"], table["unreadable"]) == (3, 1, 1, 1)
    assert table["refused_alone_by"] == {"library-call": 1}
    assert sets[tasks.index("author/good")].pieces == (("samples/family/model", 4, 9),)


def test_what_is_no_repository_is_one_line(script: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(script.UsageError, match="git cannot read it"):
        script.Repository(tmp_path)
