"""The bundled tasks: they load, run, tell right from wrong, and their C++ passes serve every variant on the CPU."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from passnet.graph import Graph, Task, degenerate, uninformative
from passnet.kernels import triton_check
from passnet.rewrite import check_policy, read_pass_set
from tests.dataset.bundled_passes import DATA, TASKS, check_pass, is_small, rewritten_module

every_task = pytest.mark.parametrize("name", TASKS)


@pytest.fixture(autouse=True)
def _one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def run(graph: Graph, seed: int) -> tuple[torch.Tensor, ...]:
    with torch.no_grad():
        return graph.module()(*graph.inputs(seed))


def test_there_are_enough_tasks_and_they_are_small():
    assert len(TASKS) >= 14
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.suffix in {".py", ".json", ".txt"}) < 2_000_000


@every_task
def test_variants_are_three_dtypes_and_two_shapes_of_one_computation(name):
    graphs = Task.read(DATA / name).graphs
    assert len(graphs) == 6
    assert {graph.name.split("/")[0] for graph in graphs} == {"float32", "float16", "bfloat16"}
    assert len({tuple(graph.meta["op_names"]) for graph in graphs}) == 1
    assert len({(graph.meta["captured_dtype"], tuple(spec.shape for spec in graph.specs)) for graph in graphs}) == 6


@every_task
def test_every_graph_runs_and_each_output_tells_something(name):
    for graph in Task.read(DATA / name).graphs:
        outputs = run(graph, seed=1)
        assert degenerate(outputs) is None
        assert [uninformative(output) for output in outputs] == [None] * len(outputs)
        assert all(bool(torch.isfinite(output).all()) for output in outputs)


@every_task
def test_graphs_do_not_write_to_their_inputs(name):
    assert all(not graph.mutated_inputs() for graph in Task.read(DATA / name).graphs)


@every_task
def test_every_rule_is_named_and_each_language_has_its_device(name):
    pass_set = read_pass_set(Task.read(DATA / name).pass_dir)
    assert {rule.devices for rule in pass_set.rules} == {("cpu",), ("cuda",)}
    assert all(rule.name.endswith("_cpp" if rule.devices == ("cpu",) else "_triton") for rule in pass_set.rules)


@every_task
def test_passes_obey_the_strict_policy(name):
    assert not check_policy(read_pass_set(DATA / name / "pass_dir"), "strict")


@every_task
def test_the_cpp_pass_is_right_for_small_variants(name):
    check_pass(name, [graph for graph in Task.read(DATA / name).graphs if is_small(graph)])


@pytest.mark.slow
@every_task
def test_the_cpp_pass_is_right_for_large_variants(name):
    check_pass(name, [graph for graph in Task.read(DATA / name).graphs if not is_small(graph)])


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device on this machine")
@every_task
def test_the_triton_pass_is_right_on_cuda(name):
    check_pass(name, Task.read(DATA / name).graphs, device="cuda", rules="cuda")


needs_triton = pytest.mark.skipif(triton_check.available() is not None, reason="Triton is not installed")


@pytest.mark.slow
@needs_triton
@every_task
def test_the_triton_pass_compiles_for_every_variant_without_a_gpu(name):
    for graph in Task.read(DATA / name).graphs:
        module, inputs = rewritten_module(name, graph, device="cpu", rules="cuda"), graph.inputs(1)
        kernels = triton_check.compile_launches(lambda module=module, inputs=inputs: module(*inputs))
        assert 1 <= len(kernels) <= 2
        assert all("sm_90" in kernel.target for kernel in kernels)


@pytest.mark.slow
@needs_triton
def test_the_triton_passes_are_right_in_the_interpreter():
    command = [sys.executable, "-m", f"{__package__}.interpret_bundled"]
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    root = Path(__file__).parents[3]
    done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split() == TASKS
