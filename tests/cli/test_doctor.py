"""`passnet doctor`: runs on any machine, every row tells what to do, and the exit code answers for the main job."""

from __future__ import annotations

import dataclasses
import functools

import pytest

from passnet.machine import doctor
from passnet.machine.probes import ProbeResult
from tests.cli.cli_runner import run


@pytest.fixture(scope="module")
def done():
    """One real examination of this machine."""
    return run("doctor", "--json")


def test_document(done):
    document = done.document
    assert document["schema"] == 1
    assert done.code == (0 if document["ok"] else 1)
    assert [check["name"] for check in document["checks"]] == [check.name for check in doctor.CHECKS]
    for check in document["checks"]:
        assert set(check) == {"name", "status", "found", "needed_for", "need", "how"}
        assert check["status"] in {"ok", "limited", "missing"}
        assert check["found"]
        assert check["needed_for"]
        assert (check["how"] is None) == (check["status"] == "ok")


def test_no_probe_failed_by_surprise(done):
    assert [check for check in done.document["checks"] if "the probe failed" in check["found"]] == []


def test_this_machine_can_run_its_own_tests(done):
    statuses = {check["name"]: check["status"] for check in done.document["checks"]}
    assert statuses["python"] == statuses["torch"] == "ok"


def replaced(name: str, found: ProbeResult) -> tuple[doctor.Check, ...]:
    """Every check answers `ok` at once, except the named one."""
    answers = {check.name: found if check.name == name else ProbeResult.ok("fine") for check in doctor.CHECKS}
    return tuple(
        dataclasses.replace(check, probe=functools.partial(answers.get, check.name)) for check in doctor.CHECKS
    )


@pytest.mark.parametrize(
    ("name", "code", "verdict"),
    [("torch", 1, "unable"), ("c++ compiler", 0, "limited"), ("triton", 0, "ready"), ("landlock", 0, "ready")],
)
def test_exit_code_answers_for_the_main_job(monkeypatch, name, code, verdict):
    checks = replaced(name, ProbeResult.missing("not here"))
    monkeypatch.setattr(doctor.examine, "__defaults__", (checks,))
    done = run("doctor", "--json")
    assert done.code == code
    assert done.document["verdict"] == verdict
    assert done.document["ok"] is (code == 0)
    text = run("doctor")
    assert text.code == code
    how = next(check.how for check in checks if check.name == name)
    assert "not here" in text.out
    assert how in text.out
