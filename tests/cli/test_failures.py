"""Errors: one line on standard error, and with `--json` one document on standard output too, never two."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from passnet.cli import console, evaluate, failures
from passnet.errors import EXTRAS, InfrastructureError
from tests.cli.cli_runner import run


def test_bad_input_is_a_document_too() -> None:
    done = run("eval", "nowhere/at-all", "--json")
    assert done.code == 2 and done.document["schema"] == 1
    error = done.document["error"]
    assert (error["kind"], error["exit_code"], error["path"]) == ("usage", 2, "nowhere/at-all")
    assert done.err == f"passnet: {error['message']}\n"


def test_without_json_standard_output_stays_empty() -> None:
    done = run("eval", "nowhere/at-all")
    assert (done.code, done.out) == (2, "")


@pytest.mark.parametrize("arguments", [("eval",), ("eval", "x", "--no-such-option"), ("no-such-command",)])
def test_errors_of_the_command_line_itself_are_documents(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, "--json")
    assert done.code == 2
    assert done.document["error"]["exit_code"] == 2
    assert done.document["error"]["message"] in done.err.replace("\n", " ")


@pytest.mark.parametrize("arguments", [(), ("tasks",), ("library",), ("dataset",), ("submit",)], ids=str)
def test_a_command_without_arguments_prints_its_help_in_lines(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert "\\n" not in done.err
    assert done.err.splitlines()[0].startswith("Usage: passnet") and "Commands:" in done.err.splitlines()


@pytest.mark.parametrize(
    ("arguments", "made", "said"),
    [
        (("eval", "x", "--run", "mine"), True, "finished work is recorded, and the same command goes on"),
        (("eval", "x"), True, "finished work is in {run}, and --run {name} goes on"),
        (("eval", "x"), False, ""),
    ],
)
def test_ctrl_c_says_how_the_work_goes_on(tmp_path, monkeypatch, arguments, made, said) -> None:
    """A run without a name is called after the time, so the same command would begin another one."""
    places = []

    def stop(request, report):
        places.append(request.run_path)
        if made:
            request.run_path.mkdir(parents=True)
        raise KeyboardInterrupt

    monkeypatch.setattr("passnet.bench.evaluate.evaluate", stop)
    done = run(*arguments, "--runs", tmp_path)
    assert done.code == 130
    said = said.format(run=places[0], name=places[0].name)
    assert done.err.splitlines()[-1] == f"passnet: stopped{said and '; '}{said}"


def test_ctrl_c_promises_nothing_where_nothing_is_kept(monkeypatch) -> None:
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("passnet.bench.preflight.check.check", stop)
    assert run("check", "x").err.splitlines()[-1] == "passnet: stopped"


def test_further_lines_of_a_problem_are_lines(monkeypatch) -> None:
    from passnet.bench.preflight.check import CheckReport

    report = CheckReport([], ["does not compile:\n  line 4: expected ';'"], [], [], [])
    monkeypatch.setattr("passnet.bench.preflight.check.check", lambda *_, **__: report)
    shown = run("check", "x").out.splitlines()
    assert shown[:2] == ["problem: does not compile:", "      line 4: expected ';'"]


def test_a_hostile_path_cannot_break_the_document() -> None:
    done = run("eval", "a\nb\x1b[31m/x", "--json")
    assert done.code == 2
    assert "\x1b" not in done.out and len(done.err.splitlines()) == 1


def test_a_command_that_printed_its_document_prints_no_second_one(monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["passnet", "eval", "--json"])
    console.begin()
    console.print_json({"schema": evaluate.SCHEMA})
    with pytest.raises(SystemExit) as left:
        failures.fail(InfrastructureError("the machine failed"))
    assert left.value.code == 3
    assert json.loads(capsys.readouterr().out) == {"schema": 1}


@pytest.mark.parametrize("module", sorted(EXTRAS))
def test_a_missing_package_is_one_line_with_the_command(module: str, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["passnet", "dataset", "stats", "x"])
    with pytest.raises(SystemExit) as left:
        failures.fail_of_import(ModuleNotFoundError(f"No module named '{module}.part'", name=f"{module}.part"))
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"pip install 'passnet[{EXTRAS[module]}]'" in line


def test_a_missing_module_of_nobody_goes_on() -> None:
    with pytest.raises(ModuleNotFoundError):
        failures.fail_of_import(ModuleNotFoundError("No module named 'mine'", name="mine"))


def test_a_command_without_its_package_says_so(tmp_path) -> None:
    """In a process of its own that cannot import pyarrow."""
    code = "import sys; sys.modules['pyarrow'] = None; from passnet.cli.main import main; main()"
    arguments = [sys.executable, "-c", code, "dataset", "stats", str(tmp_path), "--json"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "pip install 'passnet[data]'" in json.loads(done.stdout)["error"]["message"]
    assert len(done.stderr.splitlines()) == 1


def test_a_deleted_directory_is_one_line(tmp_path: Path) -> None:
    script = "cd $1 && rmdir $1 && exec $2 -m passnet check nowhere"
    done = subprocess.run(["sh", "-c", script, "sh", str(tmp_path), sys.executable], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "passnet: the current directory was deleted (go to one that exists, and run again)"
    ]
