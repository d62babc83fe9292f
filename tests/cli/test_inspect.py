"""`passnet inspect`: the documented document for tasks, graphs and directories; bad input is one clear line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

from passnet.graph import Graph, Task, TensorSpec
from tests.cli.cli_runner import assert_one_clear_line, run

SOURCE = """import torch


class GraphModule(torch.nn.Module):
    def forward(self, x: torch.Tensor, w_1: torch.Tensor):
        linear = torch._C._nn.linear(x, w_1, None)
        gelu = torch.nn.functional.gelu(linear)
        return (gelu,)
"""
GRAPH_KEYS = {
    "task", "graph", "inputs", "outputs", "ops", "op_counts", "kernels", "views", "bytes", "flops",
    "arithmetic_intensity", "mutated_inputs", "roofline",
}  # fmt: skip


def make_graph(name: str, rows: int = 4) -> Graph:
    specs = (TensorSpec("x", (rows, 8), "float32", mean=0.0, std=1.0), TensorSpec("w_1", (16, 8), "float32", std=1.0))
    return Graph(name=name, source=SOURCE, specs=specs)


@pytest.fixture
def task(tmp_path) -> Path:
    Task.write(tmp_path / "tasks" / "gelu", [make_graph("small"), make_graph("large", 64)])
    return tmp_path / "tasks" / "gelu"


def test_document_of_a_task(task):
    done = run("inspect", task, "--json")
    assert done.code == 0, done.err
    document = done.document
    assert set(document) == {"schema", "task", "device", "ceilings", "graphs"}
    assert (document["schema"], document["task"], document["device"]) == (1, "gelu", "cpu")
    assert document["ceilings"]["threads"] == 1
    assert document["ceilings"]["levels"][-1]["name"] == "memory"
    assert [graph["graph"] for graph in document["graphs"]] == ["small", "large"]
    first = document["graphs"][0]
    assert set(first) == GRAPH_KEYS
    assert first["inputs"][0] == {
        "name": "x", "shape": [4, 8], "dtype": "float32", "bytes": 128, "kind": "activation", "role": "data",
        "read_bytes": 128, "written_bytes": 0, "mutated": False,
    }  # fmt: skip
    assert first["op_counts"] == {"torch._C._nn.linear": 1, "torch.nn.functional.gelu": 1}
    assert first["bytes"]["total"] == 4 * (4 * 8 + 16 * 8 + 4 * 16)
    assert first["flops"]["torch"] == 2 * 4 * 8 * 16
    roofline = first["roofline"]
    assert roofline["bound_us"] == max(roofline["memory_us"], roofline["compute_us"])


def test_tables_for_people(task):
    done = run("inspect", task)
    assert done.code == 0
    for words in (
        "gelu/small",
        "gelu/large",
        "f32[4x8]",
        "torch.nn.functional.gelu",
        "roofline",
        "measured in",
        "GB/s",
    ):
        assert words in done.out


def test_a_graph_and_a_directory_of_tasks(task):
    graph = run("inspect", task / "graphs" / "small", "--json").document
    assert [row["graph"] for row in graph["graphs"]] == ["small"]
    Task.write(task.parent / "other", [make_graph("small")])
    both = run("inspect", task.parent, "--json").document
    assert both["task"] is None
    assert {row["task"] for row in both["graphs"]} == {"gelu", "other"}
    text = run("inspect", task.parent).out
    assert "other/small" in text
    assert "one of the tasks" in text


def test_missing_path(tmp_path):
    assert_one_clear_line(run("inspect", tmp_path / "nothing"), "nothing", "no such directory")


def test_empty_directory(tmp_path):
    assert_one_clear_line(run("inspect", tmp_path), "neither a task nor")


def test_garbage_model(task):
    (task / "graphs" / "small" / "model.py").write_bytes(b"\x00\xff def (")
    assert_one_clear_line(run("inspect", task), "model.py")


def test_truncated_metadata(task):
    path = task / "graphs" / "small" / "weight_meta.py"
    path.write_text(path.read_text()[:80])
    assert_one_clear_line(run("inspect", task), "weight_meta.py")


def test_too_large(task):
    assert_one_clear_line(run("inspect", task, "--limit-gib", "0.000001"), "too large", "large")


@pytest.mark.parametrize("limit", ["inf", "1e999", "nan"])
def test_a_limit_is_a_number_of_gib(task, limit):
    done = run("inspect", task, "--limit-gib", limit)
    assert done.code == 2 and "--limit-gib" in done.err


def test_unknown_device(task):
    assert_one_clear_line(run("inspect", task, "--device", "tpu"), "unknown device 'tpu'", "cpu, cuda")


@pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without CUDA")
def test_cuda_that_is_not_there(task):
    assert_one_clear_line(run("inspect", task, "--device", "cuda"), "no CUDA device")


def test_inspecting_runs_no_pass(task):
    (task / "pass_dir" / "evil.py").write_text("raise SystemExit('a pass was run')\n")
    (task / "pass_dir" / "sorted_output_pass_rule_names.json").write_text('["evil"]')
    assert run("inspect", task, "--json").code == 0
    assert not [name for name in sys.modules if name.endswith("evil")]
