"""`passnet slowdown`: bad input is one clear line; one document, a table and a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from passnet.diagnose import slowdown as slowing
from passnet.diagnose.losses import Slowdown
from tests.cli.cli_runner import assert_one_clear_line, run
from tests.diagnose.test_losses import row

TASK = Path(__file__).parents[2] / "data" / "tasks" / "phi3_swiglu"


@pytest.fixture(autouse=True)
def runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "runs"
    path.mkdir()
    return path


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((TASK, "--compiler", "best"), ("unknown compiler 'best'",)),
        ((TASK, "--compiler", "passes"), ("without passes", "passnet eval")),
        ((TASK, "--device", "tpu"), ("unknown device 'tpu'",)),
        ((TASK, "--precision", "3%"), ("unknown precision '3%'",)),
        ((TASK, "--kind", "best"), ("no such kind", "fusible")),
        ((TASK, "--kind", "sole_op"), ("no graph is of these kinds",)),
        ((TASK, "--run", "../up"), ("is not a valid name of a run",)),
        ((TASK, "--run", "-x"), ("is not a valid name of a run", "no dash")),
        ((TASK, "--run", "a\nb"), ("is not a valid name of a run", "printable")),
        (("nowhere",), ("nowhere", "no such directory")),
        (("no_such_module_here:model",), ("no module 'no_such_module_here'",)),
        (("timm:no_such_model",), ("no_such_model",)),
        (("",), ("is empty",)),
        ((TASK, "--runs", "/proc/none"), ("/proc/none",)),
    ],
)
def test_bad_input_is_one_clear_line_and_leaves_nothing(runs, arguments, words):
    assert_one_clear_line(run("slowdown", *arguments), *words)
    assert list(runs.iterdir()) == []


@pytest.fixture
def found(monkeypatch):
    rows = [row(0.5, 0.4, name="loses"), row(2.0, 0.5, name="wrapped"), row(2.0, 1.5, name="gains")]

    def made(request, reports):
        request.run_path.mkdir()
        return Slowdown.of(request.compiler, request.device, rows)

    monkeypatch.setattr(slowing, "slowdown", made)


def test_the_document(found, runs):
    done = run("slowdown", TASK, "--run", "one", "--json")
    assert done.code == 0
    document = done.document
    assert document["schema"] == 1 and document["graphs"] == 3 and document["run"] == "runs/one"
    assert document["slower"]["device"] is None and len(document["rows"]) == 3
    assert (runs / "one" / "slowdown.html").exists() == (document["page"] is not None)


def test_the_words(found):
    done = run("slowdown", TASK, "--run", "one")
    assert done.code == 0
    for words in (
        "loses",
        "slower than eager: deployed 67 %, direct 33 %, captured not measured, device not measured",
        "regimes are not known: no record has a device time",
        "lost on guards and wrapper: 1",
    ):
        assert words in done.out
