"""`passnet eval` and `passnet check`: bad input is one clear line before anything is written; one run end to end."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from passnet.bench.preflight import check
from passnet.cli.console import quoted
from passnet.graph import bundled
from passnet.kernels import triton_check
from tests.cli.cli_runner import Done, assert_one_clear_line, run

BUNDLED = Path(__file__).parents[2] / "data" / "tasks" / "phi3_swiglu"
MANIFEST = "sorted_output_pass_rule_names.json"
PASS = "swiglu_cpp"
DEFINITIONS = {"pattern": "(x)", "replacement_args": "(x)", "replacement_func": "()"}
no_cuda = pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without a CUDA device")


@pytest.fixture
def task(tmp_path) -> Path:
    return Path(shutil.copytree(BUNDLED, tmp_path / "swiglu"))


@pytest.fixture
def runs(tmp_path) -> Path:
    """An existing and empty directory, so that a file too many is seen."""
    path = tmp_path / "runs"
    path.mkdir()
    return path


@pytest.fixture(params=["eval", "check"])
def ask(request, runs) -> Callable[..., Done]:
    """Either command; whatever it answers, the directory of runs must be as empty as before."""

    def ask(*arguments: object) -> Done:
        done = run(request.param, *arguments, *(["--runs", runs] if request.param == "eval" else []))
        assert list(runs.iterdir()) == []
        return done

    return ask


def first_graph(task: Path) -> Path:
    return task / (task / "graph_list.txt").read_text().split()[0]


def edit(task: Path, old: str, new: str) -> Path:
    """Replace a piece of the C++ pass that must be there once."""
    file = task / "pass_dir" / f"{PASS}.py"
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))
    return file


def test_a_missing_directory(ask, tmp_path):
    path = tmp_path / "no_such_task"
    assert_one_clear_line(ask(path), str(path), "no such directory", "give a task directory")


def test_an_empty_directory(ask, tmp_path):
    path = tmp_path / "empty"
    path.mkdir()
    assert_one_clear_line(ask(path), str(path), "neither a task nor a directory", "expected graph_list.txt")


def test_a_manifest_that_names_a_missing_file(ask, task):
    (task / "pass_dir" / MANIFEST).write_text(json.dumps([PASS, "gone"]))
    assert_one_clear_line(ask(task), str(task / "pass_dir" / MANIFEST), "'gone'", "write gone.py or take")


def test_a_task_without_a_manifest(ask, task):
    (task / "pass_dir" / MANIFEST).unlink()
    assert_one_clear_line(ask(task), str(task / "pass_dir"), MANIFEST, "write it as a JSON list")


def test_a_syntax_error_in_a_pass(ask, task):
    file = edit(task, "def pattern(x):", "def pattern(x:")
    line = file.read_text().splitlines().index("def pattern(x:") + 1
    assert_one_clear_line(ask(task), str(file), f"line {line}", "syntax error", "correct that line")


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_pass_without_one_of_the_three_functions(ask, task, name):
    file = edit(task, f"def {name}{DEFINITIONS[name]}:", f"def {name}_{DEFINITIONS[name]}:")
    assert_one_clear_line(ask(task), str(file), f"the pass has no {name};", f"add {name}")


def test_pattern_and_arguments_of_different_arity(ask, task):
    file = edit(task, "def replacement_args(x):", "def replacement_args(x, y):")
    assert_one_clear_line(ask(task), str(file), "replacement_args", "expected 1 as in pattern, found 2", "same order")


def test_a_replacement_func_with_parameters(ask, task):
    file = edit(task, "def replacement_func():", "def replacement_func(x):")
    assert_one_clear_line(ask(task), str(file), "replacement_func", "found 1", "return the wrapper function")


def test_a_graph_has_no_passes(ask, task):
    graph = first_graph(task)
    assert_one_clear_line(ask(graph), graph.name, "without passes", "give a task directory")


@pytest.mark.parametrize("command", ["eval", "check"])
def test_a_bundled_task_without_passes_says_how_to_get_some(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = next(row.task for row in bundled.all_tasks() if not row.passes)
    assert_one_clear_line(run(command, name), f"{name} comes without passes", f"`passnet tasks export {name}", "agent")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("option", "known"), [("--device", "cpu, cuda"), ("--policy", "strict, native")])
def test_unknown_names_of_both_commands(ask, task, option, known):
    assert_one_clear_line(ask(task, option, "best"), option, "'best'", f"expected one of {known}")


@pytest.mark.parametrize("asked", ["3%", "0.02", "2", "fine"])
@pytest.mark.parametrize("command", ["eval", "agent", "mcp", "optimize"])
def test_a_precision_that_is_not_offered(task, runs, command, asked):
    """Exactly three are: a figure between them would be a promise that nobody simulated."""
    where = ["m:f", "--passes", task] if command == "optimize" else [task, "--runs", runs]
    done = run(command, *where, "--precision", asked)
    assert_one_clear_line(done, "precision", repr(asked), "expected one of 5%, 2%, 1%")
    assert list(runs.iterdir()) == []


@pytest.mark.parametrize(("option", "known"), [("--compiler", "eager, inductor"), ("--protocol", "direct, paper")])
def test_unknown_names_of_eval(task, runs, option, known):
    done = run("eval", task, "--runs", runs, option, "best")
    assert_one_clear_line(done, option, "'best'", f"expected one of {known}")
    assert list(runs.iterdir()) == []


@no_cuda
def test_cuda_where_there_is_none(runs, task):
    done = run("eval", task, "--runs", runs, "--device", "cuda")
    assert_one_clear_line(done, "no CUDA device", "use --device cpu", "passnet doctor")
    assert list(runs.iterdir()) == []


def test_a_file_in_place_of_the_directory_of_runs(task, tmp_path):
    runs = tmp_path / "taken"
    runs.write_text("kept")
    done = run("eval", task, "--runs", runs, "--run", "first")
    assert_one_clear_line(done, str(runs / "first"), "cannot be written", "choose another with --runs DIR")
    assert runs.read_text() == "kept"


@pytest.mark.parametrize("command", ["eval", "agent", "mcp"])
@pytest.mark.parametrize("name", ["../../x", "a/b", "..", ".", "/tmp/x", ".hidden", "a\0b", "x" * 300])
def test_a_run_lies_among_the_runs(task, runs, command, name):
    done = run(command, task, "--runs", runs, "--run", name)
    assert_one_clear_line(done, "--run", "expected a name without /", "--runs DIR names the directory of runs")
    assert list(runs.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("eval", ""), "an argument"),
        (("eval", "TASK", "--runs", ""), "--runs"),
        (("eval", "TASK", "--runs="), "--runs"),
        (("eval", "TASK", "--run", ""), "--run"),
        (("agent", ""), "an argument"),
        (("agent", "TASK", "--runs", ""), "--runs"),
        (("mcp", ""), "an argument"),
        (("check", ""), "an argument"),
        (("inspect", ""), "an argument"),
        (("score", ""), "an argument"),
        (("score", "TASK", "--weights", ""), "--weights"),
        (("harbor", "TASK", ""), "an argument"),
        (("harbor", "TASK", "OUT", "--wheel", ""), "--wheel"),
        (("capture", "m:f", "--out", ""), "--out"),
        (("optimize", "m:f", "--passes", ""), "--passes"),
        (("library", "add", "", "RUN"), "an argument"),
        (("dataset", "build", "SOURCE", "--out", ""), "--out"),
        (("dataset", "stats", ""), "an argument"),
        (("dataset", "export", "STORE", ""), "an argument"),
    ],
)
def test_an_empty_path_is_not_the_current_directory(arguments, named, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert_one_clear_line(run(*arguments), f"{named}: is empty", "expected a path")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_the_run(task, runs):
    (runs / "first").write_text("kept")
    done = run("eval", task, "--runs", runs, "--run", "first")
    assert_one_clear_line(done, str(runs / "first"), "cannot be written", "choose another with --runs DIR")
    assert (runs / "first").read_text() == "kept"


def test_a_run_of_another_schema_version(task, runs):
    settings = runs / "old" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"schema": 999}')
    done = run("eval", task, "--runs", runs, "--run", "old")
    assert_one_clear_line(done, str(runs / "old"), "another schema version", "found 999", "give another --run name")
    assert [path for path in runs.rglob("*") if path.is_file()] == [settings]
    assert settings.read_text() == '{"schema": 999}'


def test_a_directory_that_is_no_run(task, runs):
    other = runs / "thesis" / "chapter.txt"
    other.parent.mkdir()
    other.write_text("kept")
    done = run("eval", task, "--runs", runs, "--run", "thesis")
    assert_one_clear_line(done, str(runs / "thesis"), "holds something else", "chapter.txt", "another --run name")
    assert [path for path in runs.rglob("*") if path.is_file()] == [other]


@pytest.mark.slow
def test_a_bundled_pass_set_has_nothing_to_complain_about(task):
    """The C++ rule runs; without a GPU the Triton rule is compiled for one, and interpreted."""
    command = [sys.executable, "-m", "passnet.cli.main", "check", str(task), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    document = json.loads(done.stdout)
    assert (done.returncode, document["problems"]) == (0, [])
    assert {graph["outcome"] for graph in document["graphs"]} == {"correct"}
    rules = {rule["rule"]: rule for rule in document["rules"]}
    assert all(count == 1 for count in rules[PASS]["matches"].values()), rules[PASS]
    if triton_check.available() is None:
        assert rules["swiglu_triton"]["matches"] == rules[PASS]["matches"]


@pytest.mark.slow
def test_a_graph_against_itself_is_correct_recorded_and_resumed(task, runs):
    """In a process of its own, because an evaluation forbids inspection of the process that it runs in."""
    graph = first_graph(task)
    arguments = ["eval", graph, "--compiler", "eager", "--json", "--graphs", 1, "--runs", runs, "--run", "control"]
    command = [sys.executable, "-m", "passnet.cli.main", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert set(document) == {
        "schema", "run", "tamper_proof", "solved", "AS_solved", "solved_reason", "tasks", "conventions", "tried_again",
    }  # fmt: skip
    assert document["tamper_proof"]
    assert (document["schema"], document["run"]) == (1, str(runs / "control"))
    assert [row["task"] for row in document["tasks"]] == [graph.name]
    (record,) = document["tasks"][0]["graphs"]
    assert (record["graph"], record["outcome"]) == (graph.name, "correct")
    assert record["bound_us"] > 0 and record["eager_bound_share"] > 0
    everything = document["conventions"]["all"]
    assert everything["direct"] == {"graphs": 1, "value": pytest.approx(record["speedup"]), "low": None, "high": None}
    assert everything["captured"]["graphs"] == everything["device"]["graphs"] == 0
    records = (runs / "control" / "records.jsonl").read_text()
    assert len(records.splitlines()) == 1

    again = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert again.returncode == 0, again.stderr
    assert "(kept)" in again.stderr
    assert json.loads(again.stdout) == document
    assert (runs / "control" / "records.jsonl").read_text() == records


def test_a_task_whose_name_is_no_text_is_one_clear_line(task, ask) -> None:
    named = task.rename(task.with_name("swiglu\udcff"))
    assert_one_clear_line(ask(named), "no text")


def test_what_a_pass_says_is_not_taken_for_a_line_of_the_report() -> None:
    assert quoted("t/h: ", "oh\x1b[2K\r\nt/g: correct\n") == ["t/h: oh\x1b[2K", "    t/g: correct"]


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_the_table_of_a_gpu_has_its_two_figures_more(device: str, capsys: pytest.CaptureFixture[str]) -> None:
    from passnet.bench.evaluate import EvaluationRequest, TaskScore
    from passnet.bench.record.protocol import make
    from passnet.bench.record.records import GraphRecord, Timing
    from passnet.cli import evaluate
    from passnet.score import Outcome, solved_of

    timing = Timing(
        speedup=2.0, speedup_ci=(1.9, 2.1), eager_us=50.0, compiled_us=25.0, control_ratio=1.0, processes=(),
        deployed_speedup=1.75, captured_speedup=1.25, busy_speedup=3.5, eager_busy_us=40.0, compiled_busy_us=16.0,
        launch_us=10.0, bound_us=8.0,
    )  # fmt: skip
    record = GraphRecord(
        task="t", graph="g", graph_hash="", pass_set_hash=None, protocol_hash="", compiler="inductor", device=device,
        outcome=Outcome.CORRECT, correct_at=-6, timing=timing,
    )  # fmt: skip
    score = TaskScore("t", (record,), 2.0, None, solved_of([]))
    evaluate._print([score], EvaluationRequest((), device, "inductor", make("direct"), Path("runs/x")))
    out = capsys.readouterr().out
    header, row = (line.split() for line in out.splitlines()[:2])
    assert ("captured" in header, "device" in header) == (device == "cuda",) * 2
    assert ("1.250" in row, "3.500" in row) == (device == "cuda",) * 2
    assert "1.750" in row
    # Of device time on a GPU, of the call's on a CPU.
    assert " ".join(row).endswith("20 -> 50 -6" if device == "cuda" else "16 -> 32 -6")
    means = {line.split("  ")[0]: line.split()[-1] for line in out.splitlines() if line}
    assert (means["direct"], means["deployed"], means["captured"], means["device"]) == (
        "2.000", "1.750", "1.250", "3.500",
    )  # fmt: skip
    assert any(line.split()[-4:] == ["all", "(1)", "work", "(1)"] for line in out.splitlines())
    assert means["candidate, % of the bound"] == ("50.0" if device == "cuda" else "32.0")


@pytest.mark.slow
def test_a_rule_whose_kernel_does_not_end_matched_and_is_not_waited_for_again(tmp_path, monkeypatch) -> None:
    task = Path(shutil.copytree(BUNDLED.parent / "bloom_gelu", tmp_path / "bloom"))
    file = task / "pass_dir" / "bloom_gelu_cpp.py"
    text = file.read_text()
    spinning = text.replace("  float room[TILE]", "  for (volatile int64_t n = 1; n; n = 1) {}\n  float room[TILE]")
    assert spinning != text
    file.write_text(spinning)
    (task / "pass_dir" / MANIFEST).write_text('["bloom_gelu_cpp"]')
    monkeypatch.setattr(check, "PROTOCOL", check.PROTOCOL.model_copy(update={"first_call_s": 3.0}))
    done = run("check", task)
    assert done.code == 1
    assert "bloom_gelu_cpp: loaded, matches 6 of 6 graphs" in done.out
    assert "note: 5 more graphs were not tried: the same rules match, and did not end on float32/0/" in done.out
    assert "note: --all tries every graph" in done.out
    assert done.out.count("did not answer within 3 s") == 1
