"""`passnet optimize` and `passnet library`: bad input is one clear line before anything is written; answers by code."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from passnet.cli.optimize import _form_line, _verdict
from passnet.errors import InfrastructureError
from passnet.score import Outcome
from passnet.use.bundle import Best, FormRow, FormSeconds
from passnet.use.form import EAGER, Form
from passnet.use.optimise import search as optimizing
from passnet.use.optimise.race import RaceStep
from tests.cli.cli_runner import assert_one_clear_line, run

OURS = Form(engine="inductor", frozen=True, graph="copied")
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
        ("still", ("runs no operation",)),
        ("scattered", ("the model is on several devices", "cpu, meta", "--device cpu")),
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


def test_a_work_directory_with_something_else_is_no_obstacle(here, judged):
    judged(Outcome.CORRECT, 1.5)
    (here / "out.run").mkdir()
    (here / "out.run" / "letter.txt").write_text("dear")
    assert optimize("model").code == 0
    assert (here / "out.run" / "letter.txt").read_text() == "dear"


def test_a_work_directory_that_cannot_be(here, judged):
    judged(Outcome.CORRECT, 1.5)
    (here / "out.run").write_text("dear")
    assert_one_clear_line(optimize("model"), "out.run", "cannot be written")


# --- answers -------------------------------------------------------------------------------------------------------


def test_the_fastest_form_is_a_bundle_and_answers_0(here, judged):
    stages = judged(Outcome.CORRECT, 1.5)
    done = optimize("model", "--json")
    assert done.code == 0, done.err
    found = done.document
    assert (found["schema"], found["bundle"], found["before"]) == (1, "out", "eager")
    assert found["best"]["form"] == "passes+inductor"
    assert found["best"]["us"] == pytest.approx(40.0)
    assert found["best"]["speedup_over_best_torch_compile"] == pytest.approx(55 / 40)
    assert found["best"]["ci"][0] < 55 / 40 < found["best"]["ci"][1]
    assert found["best"]["speedup_over_eager"] == pytest.approx(2.5)
    assert {row["form"] for row in found["forms"]} >= {
        "eager",
        "torch.compile",
        "inductor",
        "passes",
        "passes+inductor",
    }
    assert set(found["forms"][0]) >= {"form", "us", "right", "reason"}
    assert found["minutes"] < 5
    assert found["whole"]["speedup_ci"] == [1.49, 1.51]
    assert found["kept"][0]["replacements"] == {"bloom_gelu_cpp": 1}
    assert json.loads((here / "out" / "bundle.json").read_text())["form"]["passes"] is True
    assert [stage.passes is not None for stage in stages] == [False, True, True], "passes are not in the first process"
    text = optimize("model", "--overwrite")
    assert "passes+inductor is best for this model: 40.0 us, 2.50 times as fast as eager" in text.out
    assert "1.375 times as fast as torch.compile max-autotune (95 % interval" in text.out
    assert 'passnet.load_passes("out").apply(model, example_inputs)' in text.out
    assert "pass_dir: correct, 1 places 1.500x" in text.err
    assert "torch.compile: 60.0 us; best so far: torch.compile, 1.00x the best torch.compile; " in text.err
    assert " s left" in text.err


def test_a_mode_of_torch_compile_that_is_best_is_the_answer(here, judged, raced):
    judged(Outcome.CORRECT, 1.5)
    raced(**{"torch.compile": 30e-6})
    done = optimize("model")
    assert done.code == 0
    assert "torch.compile is best for this model: 30.0 us, 3.33 times as fast as eager" in done.out
    document = optimize("model", "--overwrite", "--json").document
    assert (document["best"]["form"], document["best"]["speedup_over_best_torch_compile"]) == ("torch.compile", 1.0)
    assert (document["kept"], document["whole"]) == ([], None)
    assert "the fastest form has no passes" in [left["reason"] for left in document["left"]]
    bundle = json.loads((here / "out" / "bundle.json").read_text())
    assert bundle["form"]["engine"] == "torch.compile"
    assert not (here / "out" / "passes").exists()


def test_eager_that_is_best_is_no_bundle_and_answers_1(here, judged, raced):
    judged(Outcome.CORRECT, 0.9)
    raced(**{"eager": 20e-6})
    done = optimize("model")
    assert done.code == 1
    assert "not measurably faster" in done.out
    assert "no bundle was written" in done.out
    assert not (here / "out").exists()
    document = optimize("model", "--json").document
    assert (document["bundle"], document["whole"], document["kept"]) == (None, None, [])
    assert document["best"]["form"] == "eager"


@pytest.mark.parametrize("name", ["broken", "branching"])
def test_a_model_of_several_graphs_gets_the_best_line_of_torch(here, judged, name):
    judged(Outcome.CORRECT, 1.5)
    done = optimize(name, "--json")
    assert done.code == 0
    assert any("no pass can be applied: " in note for note in done.document["notes"])
    assert not any("passes" in row["form"] for row in done.document["forms"])
    assert json.loads((here / "out" / "bundle.json").read_text())["graph_hash"] is None


@pytest.mark.slow
def test_a_model_that_is_too_large_for_the_bench_keeps_its_other_forms(here, raced):
    raced()
    done = optimize("large", "--json")
    assert done.code == 0
    assert any("too large to be measured in several processes" in note for note in done.document["notes"])


def test_a_bench_that_fails_keeps_the_best_so_far(here, judged, monkeypatch):
    judged(Outcome.CORRECT, 1.5)

    def lost(trials, units, **_):
        raise InfrastructureError("no worker could be forked")

    monkeypatch.setattr(optimizing.Trials, "judged", lost)
    done = optimize("model", "--json")
    assert done.code == 0
    assert done.document["best"]["form"] == "inductor"
    assert "without passes: no worker could be forked" in done.document["notes"]


def test_further_shapes_are_optimised_together(here, judged):
    judged(Outcome.CORRECT, 1.5)
    done = optimize("model", "--examples", "factories_of_mine:other_calls", "--json")
    assert done.code == 0
    assert done.document["best"]["us"] == pytest.approx(40 / 3), "of one call, and a round has three"
    assert any("judged on the first example call" in note for note in done.document["notes"])
    wrong = optimize("model", "--examples", "factories_of_mine:no_calls", "--out", "other")
    assert_one_clear_line(wrong, "factories_of_mine:no_calls", "no list of calls", "expected a list, found int")
    missing = optimize("model", "--examples", "factories_of_mine:nothing", "--out", "other")
    assert_one_clear_line(missing, "no such function")


def test_an_interruption_leaves_no_bundle_and_can_be_gone_on_with(here, judged, monkeypatch):
    def interrupted(trials, units, **_):
        raise KeyboardInterrupt

    judged(Outcome.CORRECT, 1.5)
    monkeypatch.setattr(optimizing.Trials, "judged", interrupted)
    done = optimize("model", "--minutes", "3")
    assert done.code == 130
    assert "the same command goes on" in done.err
    assert not (here / "out").exists()
    stages = judged(Outcome.CORRECT, 1.5)
    done = optimize("model", "--minutes", "7", "--threads", "2")
    assert done.code == 0
    assert stages[-1].closed


def test_what_was_known_is_not_built_again(here, judged):
    judged(Outcome.CORRECT, 1.5)
    assert optimize("model").code == 0
    stages = judged(Outcome.CORRECT, 1.5)
    stages.clear()
    done = optimize("model", "--overwrite")
    assert done.code == 0
    assert "torch.compile lite: 90.0 us (kept)" in done.err
    assert "torch.compile lite" not in [name for stage in stages for name in stage.built]


def test_where_only_eager_had_time_nothing_is_said_of_the_others():
    rows = [
        FormRow(form="eager", us=10.0, right=True),
        FormRow(form="torch.compile", us=None, right=None, reason="the time was over"),
    ]
    choice = SimpleNamespace(form=EAGER, baseline=None)
    found = SimpleNamespace(best=SimpleNamespace(form="eager", not_compared=()), choice=choice, rows=rows)
    said = _verdict(found, SimpleNamespace(spec="mine:model"))
    assert said == "only eager was measured in the time; no bundle was written (--minutes gives more time)"


@pytest.mark.parametrize(
    ("form", "baseline", "words"),
    [
        (OURS, "torch.compile", "1.200 times as fast as torch.compile (95 % interval 1.100-1.300); NOT compared with"),
        (OURS, None, "2.00 times as fast as eager; NOT compared with torch.compile reduce-overhead"),
        (Form(engine="torch.compile"), "torch.compile", "as eager; NOT compared with torch.compile reduce-overhead"),
        (EAGER, "torch.compile", "no bundle was written; NOT compared with torch.compile reduce-overhead"),
    ],
)
def test_a_mode_of_torch_compile_that_was_not_measured_is_told_with_the_answer(form, baseline, words):
    best = Best(
        form=form.name, us=10.0, speedup_over_eager=2.0, best_torch_compile=baseline,
        speedup_over_best_torch_compile=1.2 if baseline else None, ci=(1.1, 1.3) if baseline else None, processes=1,
        again=True, not_compared=("torch.compile reduce-overhead",),
    )  # fmt: skip
    rows = [FormRow(form="torch.compile", us=12.0, right=True)]
    found = SimpleNamespace(best=best, choice=SimpleNamespace(form=form, baseline=baseline), rows=rows)
    said = _verdict(found, SimpleNamespace(spec="mine:model"))
    assert words in said and "no mode of torch.compile is right" not in said


def test_a_line_of_progress_says_where_the_seconds_went():
    seconds = FormSeconds(start_s=6.2, make_s=21.04, verify_s=3.5, look_s=0.0, ended_s=33.0)
    row = FormRow(form="torch.compile", us=12.0, right=True, compile_s=24.54, seconds=seconds)
    line = _form_line(RaceStep(row, "torch.compile", 1.0, 147.0))
    assert line.endswith("147 s left; starting 6.2 s, making 21.0 s, verifying 3.5 s")
