"""`passnet capture`: graph directories and records, resuming, names, the machine contract and one line per mistake."""

import json
import os
import textwrap

import pytest

from passnet.dataset.capture.record import ModelRecord, append_record, read_records
from passnet.dataset.capture.run import failures, run
from passnet.dataset.capture.targets import chosen
from passnet.dataset.forks import Bounds
from passnet.errors import UsageError
from passnet.graph import Graph, find_graphs
from tests.cli.cli_runner import assert_one_clear_line

MODULE = """
import torch

class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        y = torch.relu(self.layer(x))
        torch._dynamo.graph_break()
        return y * 2 + x

def good():
    return Small(), torch.randn(3, 4)

def bad():
    raise ValueError("out of luck")

def no_model():
    return "model"
"""


@pytest.fixture(autouse=True)
def _module(tmp_path, monkeypatch):
    (tmp_path / "cli_models.py").write_text(textwrap.dedent(MODULE), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "cli_models", raising=False)


@pytest.fixture
def passnet():
    """`passnet capture ...` as a shell would see it."""
    from tests.cli.cli_runner import run as run_command

    return lambda *arguments: run_command("capture", *arguments)


def test_a_factory_is_captured_into_directories(passnet, tmp_path):
    done = passnet("cli_models:good", "--out", tmp_path / "out")
    assert done.code == 0, done
    found = sorted(find_graphs(tmp_path / "out"))
    places = [path.relative_to(tmp_path / "out").as_posix() for path in found]
    assert places == ["samples/user/cli_models.good/subgraph_0", "samples/user/cli_models.good/subgraph_1"]
    assert Graph.read(found[0]).meta["op_names"] == ["linear", "relu"]
    assert "user" in done.out
    assert "[1/1] user:cli_models.good: captured: 2 graph(s)" in done.err


def test_the_document_holds_every_record(passnet, tmp_path):
    done = passnet("cli_models:good", "cli_models:bad", "--out", tmp_path / "out", "--json")
    assert done.code == 0
    document = done.document
    assert (document["schema"], document["tried"], document["captured"], document["graphs"]) == (1, 2, 1, 2)
    assert document["failures"] == [
        {"stage": "build", "cluster": "ValueError: out of luck", "models": 1, "example": "user:cli_models.bad"}
    ]
    lines = (tmp_path / "out" / "records.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == document["models"]


def test_nothing_captured_is_a_no(passnet, tmp_path):
    done = passnet("cli_models:bad", "--out", tmp_path / "out")
    assert done.code == 1
    assert "ValueError: out of luck" in done.out


def test_a_second_run_keeps_what_is_there(passnet, tmp_path):
    passnet("cli_models:good", "--out", tmp_path / "out")
    before = (tmp_path / "out" / "records.jsonl").read_bytes()
    done = passnet("cli_models:good", "--out", tmp_path / "out")
    assert done.code == 0
    assert "(kept)" in done.err
    assert (tmp_path / "out" / "records.jsonl").read_bytes() == before


def test_only_one_method(passnet, tmp_path):
    done = passnet("cli_models:good", "--out", tmp_path / "out", "--method", "fake", "--json")
    assert [model["method"] for model in done.document["models"]] == ["fake"]


def test_names_are_listed_without_capturing(passnet):
    done = passnet("cli_models:good", "--list")
    assert (done.code, done.out) == (0, "user:cli_models.good\n")
    assert passnet("cli_models:good", "--list", "--json").document["models"] == ["user:cli_models.good"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("keras", "--out", "o"), ("unknown source", "keras")),
        (("cli_models:absent", "--out", "o"), ("no such function", "absent")),
        (("no_such_module:make", "--out", "o"), ("no module", "no_such_module")),
        (("cli_models:good",), ("--out",)),
        (("cli_models:good", "--out", "o", "--method", "guess"), ("--method", "real, fake, meta")),
        (("cli_models:good", "--out", "cli_models.py"), ("cli_models.py",)),
    ],
)
def test_mistakes_are_one_clear_line(passnet, arguments, words):
    done = passnet(*arguments)
    assert done.code == 2
    lines = [line for line in done.err.strip().splitlines() if line.startswith("passnet: ")]
    assert len(lines) == 1
    assert all(word in lines[0] for word in words), lines


def test_a_factory_without_a_model_is_a_mistake(passnet):
    done = passnet("cli_models:no_model", "--out", "o")
    assert done.code == 2
    assert "the factory returned no model" in done.err


def record(name: str, reason: str | None = "E: x") -> ModelRecord:
    return ModelRecord(
        library="timm", model=name, family="f", domain="other", outcome="failed", stage="build", reason=reason,
        cluster=reason,
    )  # fmt: skip


def test_an_output_that_is_a_file_is_told_so(passnet, tmp_path):
    (tmp_path / "file").write_text("x")
    done = passnet("cli_models:good", "--out", tmp_path / "file")
    assert_one_clear_line(done, "file: cannot be written: a file is where a directory should be")


def test_a_line_cut_off_by_a_crash_is_dropped(tmp_path):
    path = tmp_path / "records.jsonl"
    append_record(path, record("a"))
    append_record(path, record("b"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    assert list(read_records(path)) == ["timm:a"]
    append_record(path, record("b"))
    assert path.read_bytes() == whole


def test_another_kind_of_file_is_refused(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_text('{"other": 1}\n')
    with pytest.raises(UsageError, match=r"records.jsonl, line 1: not a record"):
        read_records(path)


def test_failures_are_counted_by_stage_and_reason():
    records = [record("a"), record("b", "E: y"), record("c")]
    assert failures(records) == [("build", "E: x", 2, "timm:a"), ("build", "E: y", 1, "timm:b")]


def test_stopping_in_the_middle_loses_nothing_done(tmp_path):
    models = chosen(["cli_models:bad", "cli_models:good"])

    def capture(source, name, methods):
        return record(name).model_copy(update={"library": "user"}), []

    steps = run(models, tmp_path, capture=capture)
    assert next(steps).record.model == "cli_models.bad"
    steps.close()
    assert list(read_records(tmp_path / "records.jsonl")) == ["user:cli_models.bad"]
    again = list(run(models, tmp_path, capture=capture))
    assert [(step.record.model, step.resumed) for step in again] == [
        ("cli_models.bad", True),
        ("cli_models.good", False),
    ]
    assert not list(tmp_path.glob(".capture.*"))


def hangs():
    while True:
        pass


@pytest.mark.parametrize(
    ("misbehave", "reason"),
    [
        (hangs, "TimeLimit: not done after 1 s"),
        (lambda: os._exit(0), "Exit: left without a result"),
        (lambda: os.kill(os.getpid(), 9), "Crash: ended by signal 9"),
        (lambda: bytearray(1 << 34), "MemoryLimit: more than 256 MiB"),
    ],
)
def test_a_model_that_misbehaves_is_one_failed_record(tmp_path, misbehave, reason):
    def capture(source, name, methods):
        if name.endswith("bad"):
            misbehave()
        return record(name).model_copy(update={"library": "user"}), []

    models = chosen(["cli_models:bad", "cli_models:good"])
    bounds = Bounds(seconds=1.0, memory_bytes=256 << 20)
    first, second = run(models, tmp_path, bounds=bounds, capture=capture)
    assert reason in first.record.reason
    assert (first.record.outcome, first.record.stage) == ("failed", "capture")
    assert second.record.reason == "E: x"


def test_patterns_choose_models(monkeypatch):
    pytest.importorskip("torch")
    from passnet.dataset.models import registry

    class Library:
        library = "timm"

        def names(self):
            return ["resnet18", "resnet34", "vit"]

    monkeypatch.setattr(registry, "source", lambda name: Library())
    assert [model.name for model in chosen(["timm:resnet*"])] == ["resnet18", "resnet34"]
    assert [model.name for model in chosen(["timm:resnet34", "timm"])] == ["resnet34", "resnet18", "vit"]
    with pytest.raises(UsageError, match="no model 'alexnet' in timm"):
        chosen(["timm:alexnet"])


def test_clear_lines_come_from_the_command_line_itself(passnet):
    assert_one_clear_line(passnet("keras", "--list"), "unknown source", "keras")
