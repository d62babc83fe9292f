"""`benchmarks/fusible_tasks.py`: one shape of a task in all dtypes, and an archive that is the same every time."""

from __future__ import annotations

import json
import os
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

from passnet.graph import Graph, TensorSpec

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
SOURCE = """import torch

class GraphModule(torch.nn.Module):

    def forward(self, x):
        out = torch.relu(x)
        return (out,)
"""


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import fusible_tasks

    return fusible_tasks


def graph(dtype: str, shape: int, size: int) -> Graph:
    name = f"fusible_subgraphs/{dtype}/{shape}/samples/timm/some/_decomposed/some_start0_end1_0"
    return Graph(name, SOURCE, (TensorSpec("x", (size,), dtype, mean=0.0, std=1.0),), {"framework": "torch"})


@pytest.mark.parametrize(("size", "shape"), [("smallest", 0), ("middle", 1), ("largest", 2)])
def test_a_task_is_one_shape_in_three_dtypes(script: ModuleType, size: str, shape: int) -> None:
    graphs = [graph(dtype, n, 8 << n) for n in range(3) for dtype in ("float32", "float16", "bfloat16")]
    # It has no float32, and is far too large.
    more = [graph("float16", 4, 1 << 8), *(graph(dtype, 5, 1 << 28) for dtype in ("float32", "float16", "bfloat16"))]
    shapes = script.by_shape([*graphs, *more])
    found = script.Choice("task", "eval", shapes, size, None).variants()
    assert [spec.dtype for one in found for spec in one.specs] == ["float32", "float16", "bfloat16"]
    assert {one.specs[0].shape for one in found} == {(8 << shape,)}
    (single,) = script.Choice("task", "eval", shapes, size, 4).variants()
    assert single.specs[0].dtype == "float16"


def test_a_task_without_a_shape_in_all_dtypes_gives_nothing(script: ModuleType) -> None:
    shapes = script.by_shape([graph("float32", 0, 8), graph("float16", 1, 8), graph("bfloat16", 1, 8)])
    assert script.Choice("task", "eval", shapes, "middle", None).variants() == []


def test_the_archive_is_the_same_whenever_it_is_made(script: ModuleType, tmp_path: Path) -> None:
    def archive(at: int) -> tuple[bytes, str]:
        out = tmp_path / str(at) / "out"
        for name in ("b", "a"):
            place = out / "tasks" / name / "pass_dir"
            place.mkdir(parents=True)
            (place.parent / "graph_list.txt").write_text("graphs/x\n")
            os.utime(place.parent / "graph_list.txt", (at, at))
        made, digest = script.packed(out, ["b", "a"])
        with tarfile.open(made) as tar:
            assert "out/tasks/a/pass_dir" in tar.getnames()
            listed = tar.extractfile("out/tasks.txt")
            assert listed is not None
            assert listed.read() == b"tasks/b\ntasks/a\n"
        return made.read_bytes(), digest

    assert archive(1) == archive(2)


@pytest.mark.slow
def test_the_stored_run_gives_its_report_and_its_figures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The archives of the repository, unpacked: every graph and pass of the page has the hash that was recorded."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import fusible_run

    result = json.loads((BENCHMARKS / "results" / "fusible-run-cuda.json").read_text())
    fusible_run.rebuild(BENCHMARKS / "results", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert all(row["graph"].split("/")[0] in page for row in result["not_right"])
    assert sum(part["graphs"] for part in result["parts"]) == result["graphs"] >= 400
