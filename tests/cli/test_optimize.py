"""`passnet optimize` and `passnet library`: bad input is one clear line before anything is written; answers by code."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
import torch
from cli_runner import assert_one_clear_line, run

from passnet.bench.evaluate import evaluate
from passnet.bench.records import GraphRecord, Timing
from passnet.score import Outcome
from passnet.use import optimize as optimizing

TASKS = Path(__file__).parents[2] / "data" / "tasks"
PASSES = TASKS / "bloom_gelu" / "pass_dir"
FACTORIES = """
import torch
from torch import nn

def bloom_gelu(x):
    return x * 0.5 * (1.0 + torch.tanh(0.79788456 * x * (1 + 0.044715 * x * x)))

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(16, 16)
    def forward(self, x):
        return bloom_gelu(self.linear(x))

class Broken(nn.Module):
    def forward(self, x):
        y = bloom_gelu(x)
        torch._dynamo.graph_break()
        return bloom_gelu(y)

class Still(nn.Module):
    def forward(self, x):
        return x

def model(): return Model(), torch.randn(4, 16)
def broken(): return Broken(), torch.randn(4, 16)
def still(): return Still(), torch.randn(4, 16)
def number(): return 3
def raises(): raise ValueError("no weights here")
def without_arguments(): return Model()
def wrong_arguments(): return Model(), torch.randn(3, 3)
def large(): return nn.Embedding(1 << 16, 1 << 14), torch.zeros(1, dtype=torch.int64)
constant = 5
"""
no_cuda = pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without a CUDA device")
torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    (tmp_path / "factories_of_mine.py").write_text(FACTORIES)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("factories_of_mine", None)


def optimize(name, *more, passes=PASSES):
    return run("optimize", f"factories_of_mine:{name}", "--passes", passes, "--out", "out", *more)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing", ("no such function", "'missing'")),
        ("constant", ("not a function",)),
        ("number", ("returned no model", "expected a torch.nn.Module")),
        ("raises", ("cannot be built", "ValueError: no weights here")),
        ("without_arguments", ("a call of the model fails", "inputs of one call")),
        ("wrong_arguments", ("a call of the model fails", "cannot be multiplied")),
        ("broken", ("cannot be captured as one graph", "2 pieces", 'backend="passnet"')),
        ("still", ("runs no operation",)),
        ("large", ("too large", "MiB of parameters")),
    ],
)
def test_a_wrong_model(here, name, words):
    assert_one_clear_line(optimize(name), *words)
    assert not (here / "out").exists()
    assert not (here / "out.run").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere_at_all:f", "--passes", PASSES], ("no module 'nowhere_at_all'", "below the current directory")),
        (["resnet18", "--passes", PASSES], ("unknown source of models", "module:function")),
        (["a:b:c", "--passes", PASSES], ("not a factory", "module:function")),
        (["factories_of_mine:model", "--passes", "nowhere"], ("nowhere", "no such directory")),
        (["factories_of_mine:model", "--passes", "."], ("manifest",)),
        (["factories_of_mine:model", "--passes", PASSES, "--compiler", "eager"], ("unknown compiler 'eager'",)),
        (["factories_of_mine:model", "--passes", PASSES, "--device", "tpu"], ("unknown device 'tpu'",)),
        (["factories_of_mine:model", "--passes", PASSES, "--policy", "none"], ("unknown policy 'none'",)),
    ],
)
def test_wrong_arguments(here, arguments, words):
    assert_one_clear_line(run("optimize", *arguments, "--out", "out"), *words)
    assert not (here / "out").exists()


@no_cuda
def test_a_device_that_is_not_there(here):
    done = optimize("model", "--device", "cuda")
    assert done.code == 2
    assert "CUDA" in done.err
    assert not (here / "out").exists()


def test_an_output_that_exists(here):
    (here / "out").mkdir()
    (here / "out" / "letter.txt").write_text("dear")
    assert_one_clear_line(optimize("model"), "already exists", "--overwrite")


def test_an_empty_library_and_a_changed_one(here):
    (here / "lib").mkdir()
    (here / "lib" / "index.json").write_text('{"schema_version": 1, "entries": []}')
    assert_one_clear_line(optimize("model", passes="lib"), "the library is empty", "passnet library add")
    (here / "lib" / "index.json").write_text("[]")
    assert_one_clear_line(optimize("model", passes="lib"), "not an index of this version")


def test_a_work_directory_of_another_model(here):
    (here / "out.run").mkdir()
    (here / "out.run" / "letter.txt").write_text("dear")
    assert_one_clear_line(optimize("model"), "out.run", "something else")


# --- answers -------------------------------------------------------------------------------------------------------


@pytest.fixture
def judged(monkeypatch):
    """Verdicts without measuring: what the bench would say of every program."""

    def use(outcome, speedup):
        interval = (speedup - 0.01, speedup + 0.01)
        timing = Timing(
            speedup=speedup, speedup_ci=interval, eager_us=100.0, compiled_us=100.0 / speedup, control_ratio=1.0,
            deployed_speedup=speedup, deployed_speedup_ci=interval, processes=(),
        )  # fmt: skip

        def judged(trials, units):
            job = trials.job(units)
            record = GraphRecord(
                task=job.task, graph=job.name, graph_hash="", pass_set_hash="", protocol_hash="", compiler="passes",
                device="cpu", outcome=outcome, correct_at=-6, timing=timing, replacements={"bloom_gelu_cpp": 1},
            )  # fmt: skip
            trials.report(optimizing.Step(job.name, record, False))
            return record

        monkeypatch.setattr(optimizing.Trials, "judged", judged)

    return use


def test_a_win_is_a_bundle_and_answers_0(here, judged):
    judged(Outcome.CORRECT, 1.5)
    done = optimize("model", "--json")
    assert done.code == 0
    found = done.document
    assert (found["schema"], found["bundle"], found["before"]) == (1, "out", "eager")
    assert found["whole"]["speedup_ci"] == [1.49, 1.51]
    assert found["kept"][0]["replacements"] == {"bloom_gelu_cpp": 1}
    assert json.loads((here / "out" / "bundle.json").read_text())["model"] == "factories_of_mine:model"
    text = optimize("model", "--overwrite")
    assert "100.0 us (eager) to 66.7 us; speedup 1.500, 95 % interval 1.490-1.510" in text.out
    assert 'passnet.load_passes("out").apply(model, example_inputs)' in text.out
    assert "pass_dir: correct, 1 places 1.500x" in text.err


def test_no_win_is_no_bundle_and_answers_1(here, judged):
    judged(Outcome.CORRECT, 0.9)
    done = optimize("model")
    assert done.code == 1
    assert "not measurably faster" in done.out
    assert "no bundle was written" in done.out
    assert not (here / "out").exists()
    document = optimize("model", "--json").document
    assert (document["bundle"], document["whole"], document["kept"]) == (None, None, [])


def test_an_interruption_leaves_no_bundle_and_can_be_gone_on_with(here, judged, monkeypatch):
    def interrupted(trials, units):
        raise KeyboardInterrupt

    monkeypatch.setattr(optimizing.Trials, "judged", interrupted)
    done = optimize("model")
    assert done.code == 130
    assert "the same command goes on" in done.err
    assert not (here / "out").exists()
    judged(Outcome.CORRECT, 1.5)
    assert optimize("model").code == 0


# --- libraries -----------------------------------------------------------------------------------------------------


def test_library_commands_refuse_what_is_none(here):
    assert_one_clear_line(run("library", "list", "nowhere"), "no such directory")
    assert_one_clear_line(run("library", "verify", "."), "not a pass library", "index.json")
    assert_one_clear_line(run("library", "add", "lib", "nowhere"), "not a run directory")
    assert not (here / "lib").exists()


@pytest.mark.slow
def test_a_library_from_a_run(here, monkeypatch):
    from passnet.bench.evaluate import Request
    from passnet.bench.protocol import make

    task = shutil.copytree(TASKS / "bloom_gelu", here / "bloom_gelu")
    quick = make("direct", processes=2, quads=2, rounds=1, wanted_half_width=1e9, max_half_width=1e9, control_band=1e9)
    (score,) = evaluate(Request((task,), "cpu", "passes", quick, here / "run", 1), lambda step: None)
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
    assert "not those that were verified" in done.out
