"""The script that examines published graphs, on some of our own: what it counts and names, and that it goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "benchmarks" / "published_graphs.py"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "dataset"))
    from tests.dataset.published_samples import model_text, write_tree

    samples = write_tree(tmp_path / "published")
    silent = samples / "timm" / "silentnet"
    silent.mkdir()
    for file in (samples / "timm" / "toynet_tiny.own").iterdir():
        (silent / file.name).write_bytes(file.read_bytes())
    (silent / "model.py").write_text(model_text("torch.zeros_like"))
    return samples


def examined(tree: Path, out: Path) -> tuple[dict[str, object], str]:
    options = ("--checkout", tree, "--run", out / "run", "--out", out, "--revision", "0123456789ab+dirty")
    command = [sys.executable, str(SCRIPT), *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=out)
    if "this checkout is at" in done.stderr:
        done = subprocess.run(command[:-2], capture_output=True, text=True, check=False, cwd=out)
    assert done.returncode == 0, done.stderr
    return json.loads((out / "published-graphs.json").read_text()), done.stderr


@pytest.mark.slow
def test_every_graph_is_counted_and_every_other_one_is_named(tree: Path, tmp_path: Path) -> None:
    found, _ = examined(tree, tmp_path)
    assert (found["samples"], found["examined"], found["read"]) == (5, 5, 4)
    assert (found["written"], found["propagated"], found["ran"], found["whole"]) == (4, 4, 4, 4)
    assert found["devices"] == {"cuda": 4, "unread": 1}
    causes = found["causes"]
    assert [row["names"] for row in causes["read"]] == [["timm/brokennet"]]
    assert str(tree) not in json.dumps(found)
    (row,) = causes["telling"]
    assert (row["names"], found["telling"]) == (["timm/silentnet"], 3)
    again, _ = examined(tree, tmp_path)
    for each in (found, again):
        del each["environment"]["date"]
    assert again == found
