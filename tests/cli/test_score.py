"""`passnet score`: the contract's document for logs and runs, what is left out is said, bad input is one line."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys

import pytest

from passnet.bench.layers import LAYERS
from passnet.bench.record.records import GraphRecord, MaxError, ProcessTiming, Timing
from passnet.bench.record.run import RECORDS, SETTINGS, Run
from passnet.score import Outcome, tolerance
from tests.cli.cli_runner import assert_one_clear_line, run

OTHER_DTYPES = ("float16", "bfloat16", "float64")


def log_block(path: str, speedup: float | None = None) -> list[str]:
    """A block of one float32 output that is right from t = -5 on, or of a graph whose eager run failed."""
    lines = [f"INFO [Processing] {path}", "[Config] device: cuda"]
    if speedup is None:
        return [*lines, "[Result] status: failed"]
    lines += ["[Datatype][eager]: float32", "[Datatype][compiled]: float32"]
    lines += ["[DataType] eager:['float32'] compiled:['float32'] match:True", "[Correctness][equal]: 0"]
    lines += [f"[Correctness][{tolerance('float32', t).tag}]: {int(t >= -5)}" for t in range(-10, 6)]
    return [*lines, f"[Speedup][e2e]: {speedup}", "[Result] status: success"]


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "validation.log"
    path.write_text("\n".join([*log_block("models/a", 2.0), *log_block("models/b")]) + "\n")
    return path


def record(task: str, graph: str, outcome: Outcome, speedup: float | None = None) -> GraphRecord:
    timing = None
    if speedup is not None:
        process = ProcessTiming(
            quads=9, calls=40, ratio=speedup, eager_us=9.0, compiled_us=9.0 / speedup, control_ratio=1.0, harness_us=0.1
        )
        timing = Timing(
            speedup=speedup, speedup_ci=(speedup, speedup * (1 + 1e-9)), eager_us=9.0,
            compiled_us=9.0 / speedup, control_ratio=1.0,
            processes=(process,),
        )  # fmt: skip
    return GraphRecord(
        task=task, graph=graph, graph_hash="g", pass_set_hash="p", protocol_hash="q", compiler="passes", device="cpu",
        outcome=outcome, timing=timing, correct_at=-6 if speedup else None, max_error=MaxError(abs=0.0, rel=0.0),
        compared_calls=3, sandbox=LAYERS, seconds=1.0,
    )  # fmt: skip


@pytest.fixture
def run_directory(tmp_path):
    path = tmp_path / "runs" / "mine"
    opened = Run.open(path, {"compiler": "passes", "device": "cpu"}, {})
    opened.append(record("one", "a", Outcome.CORRECT, 2.0))
    opened.append(record("one", "b", Outcome.RUNTIME_ERROR))
    opened.append(record("two", "a", Outcome.CORRECT, 0.5))
    opened.append(record("two", "b", Outcome.REFERENCE_ERROR))
    opened.append(record("two", "c", Outcome.UNSTABLE))
    opened.close()
    return path


def test_log_document_is_the_contract(log):
    document = run("score", log, "--json").document
    assert {"schema", "graphs", "outcomes", "AS", "ES", "S", "params"} <= document.keys()
    assert document["schema"] == 1
    assert document["graphs"] == 2
    assert document["statuses"] == {"eager_fail": 1, "correct": 1}
    assert list(document["ES"]) == [str(t) for t in range(-10, 5)]
    # A log keeps its reference errors, as upstream does: b at every t.
    assert document["ES"]["-5"] == pytest.approx(math.sqrt(2.0 * 0.1), rel=1e-9)
    assert document["ES"]["4"] == pytest.approx(math.sqrt(2.0 * 0.1), rel=1e-9)
    assert document["params"] | {"weights": None} == {
        "b": 0.1, "p": 0.0, "interpretation": "default", "weights": None, "keep_reference_errors": True,
    }  # fmt: skip


def test_options_change_the_score(log, tmp_path):
    weights = tmp_path / "weights.json"
    weights.write_text('{"-5": 1.0}')
    document = run(
        "score", log, "--json", "-b", "0.2", "-p", "1", "--interpretation", "mismatch_extended", "--weights", weights
    ).document
    assert document["AS"] == pytest.approx(math.sqrt(2.0 * 0.2), rel=1e-9)
    assert "5" in document["ES"]
    assert document["params"]["p"] == 1.0
    dropped = run("score", log, "--json", "--drop-reference-errors").document
    assert dropped["ES"]["-5"] == pytest.approx(2.0)


def test_run_leaves_reference_errors_out_and_says_so(run_directory):
    done = run("score", run_directory, "--json")
    document = done.document
    assert done.code == 0
    assert document["ES"]["-5"] == pytest.approx((2.0 * 0.1 * 0.5) ** (1 / 3), rel=1e-9)
    assert document["excluded"] == {"reference_error": 1, "unstable": 1}
    assert document["outcomes"] == {"correct": 2, "runtime_error": 1, "reference_error": 1, "unstable": 1}
    assert document["source"]["compiler"] == "passes"
    assert set(document["tasks"]) == {"one", "two"}
    assert "LEFT OUT of the score: 1 with reference_error" in done.err
    assert "two/b" in done.err
    assert "two/c" in done.err


def test_run_can_keep_reference_errors(run_directory):
    done = run("score", run_directory, "--json", "--keep-reference-errors")
    assert done.document["ES"]["-5"] == pytest.approx((2.0 * 0.1 * 0.5 * 0.1) ** (1 / 4), rel=1e-9)
    assert "two/b" not in done.err
    assert "two/c" in done.err


def test_a_run_of_before_says_why_it_does_not_know_what_was_solved(run_directory):
    document = run("score", run_directory, "--json").document
    for place in (document, document["tasks"]["one"]):
        assert (place["solved"], place["AS_solved"]) == (None, None)
        assert "graphs: the record does not say whether a kernel of the pass ran" in place["solved_reason"]
    # The other task has only a slow graph, which is none whatever ran.
    assert document["tasks"]["two"]["solved"] == 0.0
    assert document["tasks"]["two"]["solved_reason"] is None
    assert document["benchmark"]["solved"] == {"value": None, "low": None, "high": None}
    assert "solved -, AS with ties floored - (1 of 3 graphs:" in run("score", run_directory).out


def test_the_figures_of_before_are_the_same_byte_for_byte(run_directory):
    """What is said of solutions adds fields and changes none."""
    document = run("score", run_directory, "--json").document
    text = (run_directory / RECORDS).read_text()
    proven = [json.dumps(json.loads(line) | {"own_kernels": True}) for line in text.splitlines()]
    (run_directory / RECORDS).write_text("\n".join(proven) + "\n")
    told = run("score", run_directory, "--json").document
    assert told["solved"] == pytest.approx(1 / 3)
    assert told["AS_solved"] == pytest.approx((2.0 * 0.1 * 0.1) ** (1 / 3), rel=1e-2)
    assert told["benchmark"]["AS_solved_gmean"]["value"] < told["benchmark"]["AS_gmean"]["value"]

    def before(found):
        """The document as it was before there were solutions."""
        if not isinstance(found, dict):
            return found
        return {name: before(value) for name, value in found.items() if "solved" not in name}

    assert json.dumps(before(told)) == json.dumps(before(document))
    out = run("score", run_directory).out
    assert "solved 33.3 % of the graphs that count, AS with ties floored 0." in out


def test_a_log_knows_nothing_of_solutions(log):
    document = run("score", log, "--json").document
    assert (document["solved"], document["AS_solved"]) == (None, None)
    assert "another harness" in document["solved_reason"]


def test_tables_for_people(run_directory, log):
    done = run("score", run_directory)
    assert done.code == 0
    for words in ("ES(t)", "runtime_error", "2 tasks", "95 % interval", "TorchInductor", "AS ", "3 of 5 graphs"):
        assert words in done.out
    single = run("score", log).out
    assert "AS " in single
    assert "95 % interval" not in single  # one task has no benchmark


def test_imports_no_torch(log, run_directory):
    code = (
        "import sys\nfrom passnet.cli.main import main\nsys.argv = ['passnet', 'score', sys.argv[1], '--json']\n"
        "try:\n    main()\nexcept SystemExit as stop:\n    assert not stop.code\n"
        "assert not {'torch', 'numpy'} & set(sys.modules)\n"
    )
    for path in (log, run_directory):
        done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["schema"] == 1


def test_missing_path(tmp_path):
    assert_one_clear_line(run("score", tmp_path / "nothing"), "no such file or directory", "run directory")


@pytest.mark.parametrize("content", [b"", b"hello\n", bytes(range(256)) * 20])
def test_not_a_log(tmp_path, content):
    path = tmp_path / "garbage.log"
    path.write_bytes(content)
    assert_one_clear_line(run("score", path), "not a validation log", str(path))


def test_directory_that_is_no_run(tmp_path):
    assert_one_clear_line(run("score", tmp_path), "not a run directory", SETTINGS)


def test_run_of_another_schema(run_directory):
    (run_directory / SETTINGS).write_text('{"schema": 99}')
    assert_one_clear_line(run("score", run_directory), "another schema", "99")


def test_run_without_records(run_directory):
    (run_directory / RECORDS).unlink()
    assert_one_clear_line(run("score", run_directory), "no records")


def test_run_with_a_foreign_line(run_directory):
    lines = (run_directory / RECORDS).read_text().splitlines()
    (run_directory / RECORDS).write_text("\n".join(['{"task": 1}', *lines]) + "\n")
    assert_one_clear_line(run("score", run_directory), "line 1")


def test_run_with_nothing_to_score(tmp_path):
    opened = Run.open(tmp_path / "r", {}, {})
    opened.append(record("one", "a", Outcome.REFERENCE_ERROR))
    opened.close()
    assert_one_clear_line(run("score", tmp_path / "r"), "no graph is left to score", "1 reference_error")


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("-b", "0"), "b"),
        (("-b", "nan"), "b"),
        (("-p", "-1"), "p"),
        (("--interpretation", "kind"), "mismatch_extended"),
        (("--weights", "absent.json"), "absent.json"),
    ],
)
def test_bad_options(log, options, word):
    assert_one_clear_line(run("score", log, *options), word)


@pytest.mark.parametrize("text", ["", "[1, 2]", '{"-5": "a lot"}', '{"x": 1}', '{"9": 1}', '{"-5": 0}', "{"])
def test_malformed_weights(log, tmp_path, text):
    path = tmp_path / "weights.json"
    path.write_text(text)
    assert_one_clear_line(run("score", log, "--weights", path))


def test_several_runs_stand_side_by_side(run_directory, log):
    single = run("score", run_directory, "--json").document
    document = run("score", run_directory, log, "--json").document
    assert document["schema"] == 1
    assert document["runs"][0] == single
    assert document["runs"][1]["source"]["kind"] == "log"
    done = run("score", run_directory, log)
    head = next(line for line in done.out.splitlines() if line.startswith("figure"))
    assert head.split()[-2:] == ["mine", "validation.log"]
    assert any(line.startswith("graphs that count") and "3 of 5" in line for line in done.out.splitlines())


def test_groups_are_added_to_the_document(run_directory):
    single = run("score", run_directory, "--json").document
    document = run("score", run_directory, "--json", "--by", "dtype", "--by", "regime").document
    groups = document.pop("groups")
    assert document == single
    assert list(groups) == ["dtype", "regime"]
    assert groups["dtype"]["unknown"]["graphs"] == 5
    assert groups["dtype"]["unknown"]["AS"] == pytest.approx(single["AS"])


def test_groups_of_several_runs_are_one_table(run_directory, log):
    out = run("score", run_directory, log, "--by", "dtype").out
    assert "AS mine" in out
    assert out.splitlines()[-2].startswith("unknown")


def on_gpu(task: str, speedup: float, busy_us: float, **other: float) -> GraphRecord:
    """A right record of a GPU on which issuing eager's kernels takes 10 us."""
    made = record(task, "a", Outcome.CORRECT, speedup)
    fields = {"eager_busy_us": busy_us, "launch_us": 10.0, "bound_us": 1.0} | other
    return made.model_copy(update={"device": "cuda", "timing": made.timing.model_copy(update=fields)})


@pytest.fixture
def gpu_run(tmp_path):
    path = tmp_path / "runs" / "gpu"
    opened = Run.open(path, {"compiler": "passes", "device": "cuda"}, {})
    opened.append(on_gpu("one", 4.0, 5.0, deployed_speedup=3.0, captured_speedup=1.5, busy_speedup=1.25))
    opened.append(on_gpu("two", 1.0, 5.0))
    opened.append(on_gpu("three", 0.5, 40.0, captured_speedup=0.8, busy_speedup=0.75, compiled_busy_us=50.0))
    opened.close()
    return path


def cells(out: str, name: str) -> list[str]:
    """The cells of a row of the table of conventions."""
    (line,) = [line for line in out.splitlines() if line.startswith(f"{name} ")]
    return [cell.strip() for cell in line.split("  ") if cell.strip()]


def test_conventions_are_shown_by_regime_and_what_was_not_measured_says_so(gpu_run):
    document = run("score", gpu_run, "--json").document["conventions"]
    assert {name: group["graphs"] for name, group in document.items()} == {
        "all": 3, "launch": 2, "mixed": 0, "work": 1, "unknown": 0,
    }  # fmt: skip
    assert document["launch"]["direct"] | {"low": None, "high": None} == {
        "graphs": 2, "value": pytest.approx(2.0), "low": None, "high": None,
    }  # fmt: skip
    assert document["launch"]["captured"] == {"graphs": 1, "value": pytest.approx(1.5), "low": None, "high": None}
    assert document["work"]["deployed"] == {"graphs": 0, "value": None, "low": None, "high": None}
    out = run("score", gpu_run).out
    head = next(line for line in out.splitlines() if line.startswith("speedup, geometric mean of right graphs"))
    assert [cell.strip() for cell in head.split("  ") if cell.strip()][1:] == ["all (3)", "launch (2)", "work (1)"]
    assert cells(out, "direct")[1].startswith("1.260 (")
    assert cells(out, "direct")[2:] == ["2.000 (1.000 to 4.000)", "0.500"]
    assert cells(out, "deployed")[1:] == ["3.000 of 1", "3.000 of 1", "not measured"]
    assert cells(out, "captured")[2:] == ["1.500 of 1", "0.800"]
    assert cells(out, "device")[2:] == ["1.250 of 1", "0.750"]
    assert cells(out, "eager, % of the bound")[2:] == ["20.0 (20.0 to 20.0)", "2.5"]
    assert cells(out, "candidate, % of the bound")[1:] == ["2.0 of 1", "not measured", "2.0"]


def test_a_run_of_a_cpu_has_no_regimes_and_says_so(run_directory):
    out = run("score", run_directory).out
    assert "regimes are not known: no record has a device time" in out
    assert cells(out, "captured")[1:] == ["not measured"]
    assert cells(out, "direct")[1:] == ["1.000 (0.500 to 2.000)"]


def test_a_log_names_no_convention(log):
    assert run("score", log, "--json").document["conventions"] is None
    assert "not measured" not in run("score", log).out


def test_without_a_right_graph_there_is_no_mean(tmp_path):
    opened = Run.open(tmp_path / "wrong", {"compiler": "passes", "device": "cpu"}, {})
    opened.append(record("one", "a", Outcome.TIMEOUT))
    opened.close()
    assert "no graph is right, so there is no speedup by convention" in run("score", tmp_path / "wrong").out


def test_an_unknown_grouping_is_refused(run_directory):
    assert_one_clear_line(run("score", run_directory, "--by", "colour"), "--by", "domain, dtype, kind")


def test_runs_that_count_other_graphs_are_told_apart(run_directory, log, tmp_path):
    same = shutil.copytree(run_directory, tmp_path / "same")
    words = "do not count the same graphs"
    assert words in run("score", run_directory, log).err
    assert words not in run("score", run_directory, same).err
    assert words not in run("score", run_directory).err
