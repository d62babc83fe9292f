"""The probes behind `passnet doctor`: each sees the thing missing as well as there, and none of them raises."""

from __future__ import annotations

import os
import tempfile

import pytest

from passnet.bench.wire import memory
from passnet.machine import doctor_sandbox, probes, probes_kernels, probes_sandbox
from passnet.machine.doctor import Check, DoctorVerdict, Need, Status, examine, verdict
from passnet.machine.probes import ProbeResult, run_child


def check(name: str, need: Need, probe) -> Check:
    return Check(name, need, "something", "get it", probe)


def broken() -> ProbeResult:
    raise RuntimeError("driver fell over\nsecond line")


def test_a_probe_that_breaks_is_a_row():
    (row,) = examine([check("x", Need.FEATURE, broken)])
    assert row.found == ProbeResult.missing("the probe failed: RuntimeError: driver fell over second line")
    assert row.how == "get it"


@pytest.mark.parametrize(
    ("need", "found", "expected"),
    [
        (Need.ALWAYS, ProbeResult.ok(""), DoctorVerdict.READY),
        (Need.ALWAYS, ProbeResult.missing(""), DoctorVerdict.UNABLE),
        (Need.PASSES, ProbeResult.missing(""), DoctorVerdict.LIMITED),
        (Need.PASSES, ProbeResult.limited(""), DoctorVerdict.LIMITED),
        (Need.FEATURE, ProbeResult.missing(""), DoctorVerdict.READY),
    ],
)
def test_verdict(need, found, expected):
    rows = examine([check("x", need, lambda: found), check("y", Need.ALWAYS, lambda: ProbeResult.ok(""))])
    assert verdict(rows) is expected


def test_child_reports_success_failure_and_death():
    assert run_child("print(6 * 7)") == (True, "42")
    worked, said = run_child("raise OSError('no such layer')")
    assert not worked
    assert said == "OSError: no such layer"
    worked, said = run_child("import os; os.kill(os.getpid(), 9)")
    assert not worked
    assert said == "ended with status -9"


def test_child_that_hangs_is_given_up(monkeypatch):
    monkeypatch.setattr(probes, "_CHILD_LIMIT_S", 0.5)
    assert run_child("import time; time.sleep(60)") == (False, "did not finish within 0.5 s")


@pytest.mark.parametrize("probe", [probes_sandbox.bubblewrap, probes_kernels.cpp_compiler])
def test_without_anything_on_the_path(monkeypatch, tmp_path, probe):
    from passnet.kernels.compilation.toolchain import find_toolchain

    monkeypatch.setenv("PATH", str(tmp_path))
    find_toolchain.cache_clear()
    try:
        assert probe().status is Status.MISSING
    finally:
        find_toolchain.cache_clear()


@pytest.mark.parametrize("probe", [probes_kernels.triton, probes_kernels.numba])
def test_package_that_is_not_installed(monkeypatch, probe):
    monkeypatch.setattr(probes_kernels, "version_of", lambda package: None)
    assert probe() == ProbeResult.missing("not installed")


def test_torch_that_does_not_import(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    found = probes.torch_build()
    assert found.status is Status.MISSING
    assert "import torch fails" in found.text


def test_another_torch_than_the_tested_one_is_told_with_the_command(monkeypatch):
    import torch

    from passnet import pages

    tested = pages.tested("torch")
    monkeypatch.setattr(torch, "__version__", f"{tested}+cpu")
    assert "tested with" not in probes.torch_build().text
    monkeypatch.setattr(torch, "__version__", "9.1.0")
    found = probes.torch_build()
    assert found.status is Status.OK
    assert f"tested with {tested}: pip install -c {pages.home()}/constraints.txt torch" in found.text
    monkeypatch.setattr(pages, "tested", lambda package: None)
    assert "tested with" not in probes.torch_build().text


def test_compiler_probe_leaves_the_kernel_settings_alone():
    from passnet.kernels.compilation import compile

    before = compile.settings()
    probes_kernels.cpp_compiler()
    assert compile.settings() == before


def test_denied_namespaces_are_missing(monkeypatch):
    monkeypatch.setattr(
        probes_sandbox, "_NAMESPACES", "import sys; sys.exit('user namespace: Operation not permitted')"
    )
    assert probes_sandbox.user_namespaces() == ProbeResult.missing("user namespace: Operation not permitted")


STAND_IN = """
class SandboxPlan:
    def __init__(self, *args, **named):
        assert not named["gpu"]

def enter(plan):
    return ("namespaces:files", "namespaces:processes", "a layer")
"""


def test_the_child_in_the_sandbox_finds_the_package_where_its_parent_did(monkeypatch, tmp_path):
    """The package may be on the path of this process only; here it is another one, so that one sees whose it was."""
    isolation = tmp_path / "passnet" / "bench" / "isolation"
    isolation.mkdir(parents=True)
    for package in (isolation, *isolation.parents[:2]):
        (package / "__init__.py").write_text("")
    (isolation / "sandbox.py").write_text(STAND_IN)
    monkeypatch.syspath_prepend(tmp_path)
    assert doctor_sandbox.sandbox() == ProbeResult.limited(
        "namespaces:files, namespaces:processes, a layer; stays open: network"
    )


def test_the_child_imports_the_real_sandbox(monkeypatch):
    """The child's text names a module of this package, which a move of the module must change too."""
    entered = doctor_sandbox._ENTER.partition("\npaths =")[0]
    monkeypatch.setattr(doctor_sandbox, "_ENTER", f"{entered}\nprint(sandbox.SandboxPlan.__name__)")
    assert doctor_sandbox.sandbox().text.startswith("SandboxPlan")


def test_a_sandbox_that_cannot_be_entered_is_missing(monkeypatch):
    monkeypatch.setattr(doctor_sandbox, "_ENTER", "raise OSError('no such layer')")
    assert doctor_sandbox.sandbox() == ProbeResult.missing("OSError: no such layer")


def test_old_landlock_is_limited(monkeypatch):
    monkeypatch.setattr(probes_sandbox, "_LANDLOCK", "print(2)")
    assert probes_sandbox.landlock().status is Status.LIMITED


def test_one_core_is_limited(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3})
    assert probes.cores().status is Status.LIMITED
    assert probes.pinned_cores().status is Status.LIMITED


def test_process_control_and_shared_memory_work_on_linux():
    assert probes_sandbox.process_control().status is Status.OK
    assert probes_sandbox.shared_memory().status is Status.OK


def test_container_limit_bounds_memory(monkeypatch):
    monkeypatch.setattr(memory, "_left_in_groups", lambda root: [1 << 30])
    assert memory.free_bytes("cpu") <= 1 << 30
    assert probes.memory().status is Status.LIMITED


@pytest.mark.parametrize(
    ("version", "expected"), [("2.13.0+cpu", (2, 13)), ("2.9.1", (2, 9)), ("2.12.0a0+git1", (2, 12)), ("3", (3,))]
)
def test_version_numbers(version, expected):
    assert probes.numbers(version) == expected


def test_a_probe_leaves_nothing_behind(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert doctor_sandbox.sandbox().text
    assert list(tmp_path.iterdir()) == []
