"""`passnet optimize` and `passnet library`: bad input is one clear line before anything is written; answers by code."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import torch

from passnet.score import Outcome
from passnet.use.optimise import search as optimizing
from tests.cli.cli_runner import assert_one_clear_line, run

TASKS = Path(__file__).parents[2] / "data" / "tasks"
PASSES = TASKS / "bloom_gelu" / "pass_dir"
no_cuda = pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without a CUDA device")
torch.set_num_threads(1)
pytestmark = pytest.mark.usefixtures("here")


def optimize(name, *more, passes=PASSES):
    return run("optimize", f"factories_of_mine:{name}", "--passes", passes, "--out", "out", *more)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing", ("no such function", "'missing'")),
        ("constant", ("not a function",)),
        ("number", ("returned no model", "expected a torch.nn.Module")),
        ("raises", ("cannot be built", "ValueError: no weights here")),
        ("leaves", ("cannot be built", "SystemExit: no weights, goodbye")),
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(:", ("SyntaxError: invalid syntax",)),
        ("import nowhere_at_all", ("ModuleNotFoundError", "'nowhere_at_all'")),
        ("1 / 0", ("ZeroDivisionError",)),
        ("raise SystemExit(0)", ("SystemExit",)),
    ],
)
def test_a_module_that_cannot_be_imported(here, text, words):
    (here / "broken_module_of_mine.py").write_text(text + "\n")
    done = run("optimize", "broken_module_of_mine:f", "--passes", PASSES, "--out", "out")
    assert_one_clear_line(done, "broken_module_of_mine:f: the model cannot be built", *words)


def test_a_factory_may_import_its_neighbours_when_it_is_called(here, judged, monkeypatch):
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path not in ("", str(here))])
    (here / "neighbour_of_mine.py").write_text("size = 16\n")
    judged(Outcome.CORRECT, 1.5)
    assert optimize("lazy").code == 0


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


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("/", "no place for a bundle"),
        (".", "no place for a bundle"),
        ("nowhere/..", "no place for a bundle"),
        ("letter.txt/bundle", "cannot be written"),
    ],
)
def test_an_output_that_cannot_be(here, judged, out, words):
    (here / "letter.txt").write_text("dear")
    judged(Outcome.CORRECT, 1.5)
    done = run("optimize", "factories_of_mine:model", "--passes", PASSES, "--out", out, "--overwrite")
    assert_one_clear_line(done, "--out", words)


@pytest.mark.parametrize("out", ["mine", "letter.txt"])
def test_only_bundles_are_overwritten(here, out):
    (here / "mine").mkdir()
    for file in (here / "letter.txt", here / "mine" / "letter.txt"):
        file.write_text("dear")
    done = run("optimize", "factories_of_mine:model", "--passes", PASSES, "--out", out, "--overwrite")
    assert_one_clear_line(done, "something else than a bundle")
    assert (here / "mine" / "letter.txt").read_text() == (here / "letter.txt").read_text() == "dear"


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
    def interrupted(trials, units, **_):
        raise KeyboardInterrupt

    monkeypatch.setattr(optimizing.Trials, "judged", interrupted)
    done = optimize("model")
    assert done.code == 130
    assert "the same command goes on" in done.err
    assert not (here / "out").exists()
    judged(Outcome.CORRECT, 1.5)
    assert optimize("model").code == 0
