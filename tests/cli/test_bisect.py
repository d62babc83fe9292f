"""`passnet bisect`: bad input is one clear line and nothing is written; the answer as words and as one document."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from passnet.bench.record.records import GraphRecord
from passnet.diagnose import bisect as bisecting
from passnet.diagnose.bisect import Bisected
from passnet.diagnose.ranges import RangePiece
from passnet.score import Outcome
from tests.cli.cli_runner import assert_one_clear_line, run
from tests.graph.graph_helpers import graph_of, spec

BUNDLED = Path(__file__).parents[2] / "data" / "tasks"
TASK = BUNDLED / "phi3_swiglu"
GRAPH = graph_of([spec("x", 4)], "a = torch.relu(x)", "b = torch.tanh(a)", "return (b,)", name="g")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert not (tmp_path / "bisected").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((TASK, "--compiler", "best"), ("unknown compiler 'best'", "inductor")),
        ((TASK, "--compiler", "dynamo:best"), ("no such back end", "'best'")),
        ((TASK, "--compiler", "dynamo:passnet"), ("without a sandbox",)),
        ((TASK, "--compiler", "inductor", "--look-for", "trouble"), ("unknown look-for 'trouble'", "wrong, slow")),
        ((TASK, "--compiler", "inductor", "--device", "tpu"), ("unknown device 'tpu'",)),
        ((TASK, "--compiler", "inductor", "--graph", "none"), ("no such graph in the task", "'none'")),
        ((BUNDLED, "--compiler", "inductor"), ("is not one task or graph",)),
        (("nowhere", "--compiler", "inductor"), ("nowhere", "no such directory")),
        ((TASK, "--compiler", "inductor", "--out", "."), ("no place for a task",)),
        ((TASK, "--compiler", "inductor", "--out", TASK), ("no place for a task",)),
        ((TASK, "--compiler", "passes", "--policy", "lax"), ("unknown policy 'lax'",)),
    ],
)
def test_bad_input_is_one_clear_line(arguments, words):
    assert_one_clear_line(run("bisect", *arguments), *words)


@pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without a CUDA device")
def test_a_gpu_that_is_not_there():
    done = run("bisect", TASK, "--compiler", "inductor", "--device", "cuda")
    assert done.code != 0 and len(done.err.strip().splitlines()) == 1


def test_a_graph_has_no_passes(here):
    GRAPH.write(here / "g")
    assert_one_clear_line(run("bisect", here / "g", "--compiler", "passes"), "without passes")


def test_an_existing_directory_is_kept(here):
    (here / "mine").mkdir()
    (here / "mine" / "file").write_text("mine")
    done = run("bisect", TASK, "--compiler", "inductor", "--out", here / "mine")
    assert_one_clear_line(done, "already exists", "--overwrite")
    assert (here / "mine" / "file").read_text() == "mine"


@pytest.fixture
def found(monkeypatch):
    def use(trouble):
        record = GraphRecord(
            task="t", graph="g", graph_hash="", pass_set_hash=None, protocol_hash="", compiler="c", device="cpu",
            outcome=Outcome.ACCURACY, detail="outputs are right\n\x1b[31mnever",
        )  # fmt: skip
        piece = RangePiece((1, 2), ("tanh",), GRAPH, "values") if trouble else None
        answer = Bisected("t", "g", trouble, record, 2, piece, record if trouble else None, Path("out"), False, 1)
        monkeypatch.setattr(bisecting, "bisect", lambda request, report: answer)

    return use


def test_the_document(found):
    found("wrong")
    done = run("bisect", TASK, "--compiler", "inductor", "--out", "new", "--json")
    assert done.code == 0
    assert done.document["schema"] == 1 and done.document["shows"] == "wrong"
    assert done.document["piece"]["ops"] == ["tanh"] and done.document["piece"]["speedup"] is None
    assert done.document["complete"] is False and done.document["out"] == "out"


def test_the_words(found):
    found("wrong")
    done = run("bisect", TASK, "--compiler", "inductor", "--out", "new")
    assert done.code == 0 and "\x1b[31m" not in done.out
    for words in ("smallest piece: operators 1-2 (tanh): accuracy", "goes on from here", "passnet eval out"):
        assert words in done.out


def test_no_trouble_is_the_answer_no(found):
    found(None)
    done = run("bisect", TASK, "--compiler", "inductor", "--out", "new", "--json")
    assert done.code == 1 and done.document["piece"] is None and done.document["shows"] is None
