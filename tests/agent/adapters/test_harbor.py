"""Harbor folders: accepted by Harbor's own loader, and a verifier that measures passes and nothing else.

No container is run here: the scripts are run as they are, on other paths.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet import __version__
from passnet.agent.adapters import harbor_reward, harbor_texts
from passnet.agent.adapters.harbor import HarborSettings, export_tasks
from passnet.agent.workbench.variants import task_hash
from passnet.authored import as_text
from passnet.errors import UsageError
from passnet.graph.targets import find_targets
from passnet.rewrite.passes.pass_set import MAX_FILES, PassSet, read_pass_set
from tests.agent.agent_helpers import BUNDLED, MANIFEST, task_copy

WHEEL = f"passnet-{__version__}-py3-none-any.whl"

IMPORTS_OS = """import os


def pattern(x):
    return x.relu()


def replacement_args(x):
    return (x,)


def replacement_func():
    return os.getcwd
"""


RELU = IMPORTS_OS.replace("import os\n\n\n", "").replace("os.getcwd", "pattern")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("harbor") / "out"
    return export_tasks(BUNDLED / "bloom_gelu", out, HarborSettings(graphs=1))["bloom_gelu"]


def verify(folder: Path, tmp_path: Path, passes: dict[str, str]) -> tuple[int, dict[str, float] | None]:
    """Run the folder's test.sh with the container's paths below `tmp_path`; exit code and reward."""
    places = {"/workspace": tmp_path / "workspace", "/tests": folder / "tests", "/logs": tmp_path / "logs"}
    pass_dir = places["/workspace"] / "task" / "pass_dir"
    pass_dir.mkdir(parents=True)
    for name, text in passes.items():
        (pass_dir / name).write_text(text)
    script = (folder / "tests" / "test.sh").read_text()
    for place, here in places.items():
        script = script.replace(f" {place}/", f" {here}/")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", script], check=False, capture_output=True, env=os.environ | {"PATH": path})
    reward = places["/logs"] / "verifier" / "reward.json"
    return done.returncode, json.loads(reward.read_text()) if reward.exists() else None


def test_a_folder_has_what_harbor_wants(folder: Path) -> None:
    files = {
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and "/task/" not in str(path)
    }
    assert files == {
        "task.toml", "instruction.md", "environment/Dockerfile", "tests/Dockerfile", "tests/test.sh", "tests/reward.py",
        "solution/solve.sh", "solution/passes/bloom_gelu_cpp.py", "solution/passes/bloom_gelu_triton.py",
        f"solution/passes/{MANIFEST}", f"environment/{WHEEL}", f"tests/{WHEEL}",
    }  # fmt: skip
    assert os.access(folder / "tests" / "test.sh", os.X_OK)
    assert "Task bloom_gelu on cpu" in (folder / "instruction.md").read_text()
    config = tomllib.loads((folder / "task.toml").read_text())
    assert config["verifier"]["environment_mode"] == "separate"
    assert config["verifier"]["environment"]["network_mode"] == "no-network"
    assert config["artifacts"] == ["/workspace/task/pass_dir"]


def test_both_containers_have_the_same_task_and_no_passes(folder: Path) -> None:
    config = tomllib.loads((folder / "task.toml").read_text())
    for part in ("environment", "tests"):
        (found,) = find_targets([folder / part / "task"])
        assert task_hash(found).startswith(config["metadata"]["task_hash"])
        assert len(found.graphs) == 1
        assert not list((folder / part / "task" / "pass_dir").iterdir())
        assert "solution" not in (folder / part / "Dockerfile").read_text()


def test_a_task_without_passes_is_solved_by_the_embedded_author(tmp_path: Path) -> None:
    found = export_tasks(task_copy(tmp_path), tmp_path / "out", HarborSettings(device="cuda"))["bloom_gelu"]
    assert "--author distill" in (found / "solution" / "solve.sh").read_text()
    config = tomllib.loads((found / "task.toml").read_text())
    assert config["environment"]["gpus"] == config["verifier"]["environment"]["gpus"] == 1


@pytest.mark.slow
def test_without_a_wheel_the_passnet_that_runs_here_is_packed(tmp_path: Path) -> None:
    found = export_tasks(task_copy(tmp_path), tmp_path / "out", HarborSettings())["bloom_gelu"]
    (wheel,) = (found / "environment").glob("*.whl")
    with zipfile.ZipFile(wheel) as inside:
        assert inside.testzip() is None
        names = set(inside.namelist())
    assert {"passnet/cli/main.py", "passnet/data/index.json", "passnet_verifiers/__init__.py"} <= names
    assert not [name for name in names if name.endswith((".pyc", ".parquet"))]
    home = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(home), str(wheel)]
    subprocess.run(pip, check=True)
    code = "import sys; sys.argv = ['passnet', 'tasks', 'list']; from passnet.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(home)}, capture_output=True, check=False)
    assert done.returncode == 0 and b"bloom_gelu" in done.stdout, done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["bloom_gelu"]


def test_a_wheel_is_installed_in_both_images(tmp_path: Path) -> None:
    wheel = tmp_path / "passnet-0.1.0-py3-none-any.whl"
    wheel.write_bytes(b"PK")
    found = export_tasks(task_copy(tmp_path), tmp_path / "out", HarborSettings(wheel=wheel))["bloom_gelu"]
    for part in ("environment", "tests"):
        assert (found / part / wheel.name).exists()
        assert f"'/opt/{wheel.name}[triton]'" in (found / part / "Dockerfile").read_text()


def test_bad_input_is_one_clear_line_and_writes_nothing(tmp_path: Path) -> None:
    task = task_copy(tmp_path)
    with pytest.raises(UsageError, match="no such directory"):
        export_tasks(tmp_path / "nowhere", tmp_path / "out", HarborSettings())
    with pytest.raises(UsageError, match="no such wheel"):
        export_tasks(task, tmp_path / "out", HarborSettings(wheel=tmp_path / "x.whl"))
    assert not (tmp_path / "out").exists()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("x")
    with pytest.raises(UsageError, match="already exists"):
        export_tasks(task, tmp_path / "full", HarborSettings())
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]


@given(
    st.text(st.characters(exclude_categories=[])), st.lists(st.text()), st.floats(allow_nan=False), st.integers(0, 99)
)
def test_any_text_is_read_back(text: str, texts: list[str], number: float, whole: int) -> None:
    rows = {"text": text, "texts": texts, "number": number, "whole": whole, "flag": True, "none": []}
    read = tomllib.loads(harbor_texts.toml({"a.b": rows}, {"root": text}))
    assert read == {"root": as_text(text), "a": {"b": rows | {"text": as_text(text)}}}


@pytest.mark.parametrize("name", ["😀 𐍈", 'a"b\\c', "del\x7f", "tab\tbell\x07c1\x85\u2028"])
def test_a_task_may_have_any_name(name: str, tmp_path: Path) -> None:
    wheel = tmp_path / "passnet-0.1.0-py3-none-any.whl"
    wheel.write_bytes(b"PK")
    task = task_copy(tmp_path).rename(tmp_path / f"a{name}")
    (found,) = export_tasks(task, tmp_path / "out", HarborSettings(graphs=1, wheel=wheel)).values()
    assert tomllib.loads((found / "task.toml").read_text(encoding="utf-8"))["metadata"]["task"] == f"a{name}"


def test_a_folder_never_takes_the_place_of_a_file(tmp_path: Path) -> None:
    """A task may be called as the wheel is."""
    wheel = tmp_path / "passnet-0.1.0-py3-none-any.whl"
    wheel.write_bytes(b"PK")
    task = task_copy(tmp_path).rename(tmp_path / wheel.name.replace("passnet", "PassNet"))
    found = export_tasks(task, tmp_path / "out", HarborSettings(graphs=1, wheel=wheel))
    assert [path.name for path in (tmp_path / "out").iterdir()] == [wheel.name]
    assert (found[task.name] / "tests" / wheel.name).read_bytes() == b"PK"


# --- the verifier ------------------------------------------------------------------------------------------------


def test_only_plain_files_of_a_pass_set_are_taken(tmp_path: Path) -> None:
    source, to = tmp_path / "source", tmp_path / "to"
    source.mkdir()
    (source / "A.py").write_text("a")
    (source / MANIFEST).write_text('["A"]')
    (source / "secret.py").symlink_to("/etc/hostname")
    (source / "B.py").mkdir()
    os.mkfifo(source / "C.py")
    (source / "D.py").write_bytes(b"#" * (harbor_reward.MAX_BYTES + 1))
    (source / "sitecustomize.txt").write_text("x")
    (source / "..py").write_text("x")
    harbor_reward.collect(source, to)
    assert sorted(path.name for path in to.iterdir()) == ["A.py", MANIFEST]
    harbor_reward.collect(tmp_path / "nowhere", to)
    assert not list(to.iterdir())
    (tmp_path / "link").symlink_to(source)
    harbor_reward.collect(tmp_path / "link", to)
    assert not list(to.iterdir())


STEMS = ("Fuse-Gelu", "01_gelu", "v1.gelu", "_x", "größe", "a-", "1", "x" * 200, "a b", "-a", ".a", "a+b", "class")


@pytest.mark.parametrize("stem", STEMS)
def test_the_verifier_takes_the_names_that_a_pass_set_may_have(stem: str, tmp_path: Path) -> None:
    source, to = tmp_path / "source", tmp_path / "to"
    source.mkdir()
    (source / f"{stem}.py").write_text(RELU)
    (source / MANIFEST).write_text(json.dumps([stem]))
    try:
        judged: PassSet | None = read_pass_set(source)
    except UsageError:
        judged = None
    harbor_reward.collect(source, to)
    assert (to / MANIFEST).exists()
    if judged is not None:
        assert read_pass_set(to).content_hash == judged.content_hash
    else:
        assert stem in {"a b", "-a", ".a", "a+b"}
        assert not (to / f"{stem}.py").exists()


def test_as_many_files_are_taken_as_a_set_may_have(tmp_path: Path) -> None:
    source, to = tmp_path / "source", tmp_path / "to"
    source.mkdir()
    stems = [f"z{number}" for number in range(harbor_reward.MAX_FILES)]  # behind the manifest
    for stem in stems:
        (source / f"{stem}.py").write_text("")
    (source / MANIFEST).write_text(json.dumps(stems))
    harbor_reward.collect(source, to)
    assert len(list(to.iterdir())) == MAX_FILES + 1 == len(stems) + 1


@pytest.mark.slow
def test_no_passes_and_unreadable_ones_are_worth_nothing(folder: Path, tmp_path: Path) -> None:
    assert verify(folder, tmp_path / "a", {}) == (0, {"reward": 0.0, "correct": 0.0})
    assert verify(folder, tmp_path / "b", {MANIFEST: '["A"'}) == (0, {"reward": 0.0, "correct": 0.0})


def test_a_forbidden_pass_is_scored_as_the_bench_scores_it(folder: Path, tmp_path: Path) -> None:
    code, reward = verify(folder, tmp_path, {"A.py": IMPORTS_OS, MANIFEST: '["A"]', "reward.json": '{"reward": 99}'})
    assert code == 0
    assert reward is not None
    assert reward["reward"] < 0.5
    assert reward["correct"] == 0.0


@pytest.mark.slow
def test_the_solution_is_measured(folder: Path, tmp_path: Path) -> None:
    passes = {path.name: path.read_text() for path in (folder / "solution" / "passes").iterdir()}
    code, reward = verify(folder, tmp_path, passes)
    assert code == 0
    assert reward is not None
    assert reward["reward"] > 1.0
    assert reward["correct"] == 1.0


@pytest.mark.parametrize(("code", "said"), [(3, "no worker"), (2, "passnet: no such device"), (-9, "")])
def test_a_failing_machine_gives_no_reward(
    code: int, said: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = SimpleNamespace(returncode=code, stdout="", stderr=said)
    monkeypatch.setattr(harbor_reward.subprocess, "run", lambda *_, **__: answer)
    assert harbor_reward.measured(folder / "tests" / "task", tmp_path, []) is None


def test_words_of_the_bench_control_no_terminal(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = SimpleNamespace(returncode=3, stdout="", stderr="a\x1b]0;owned\x07\nb\u202e")
    monkeypatch.setattr(harbor_reward.subprocess, "run", lambda *_, **__: answer)
    assert harbor_reward.measured(folder / "tests" / "task", tmp_path, []) is None
    assert capsys.readouterr().err == "a\\x1b]0;owned\\x07\nb\\u202e"


def test_a_score_that_could_not_be_had_is_none() -> None:
    graphs = [{"outcome": "correct"}, {"outcome": "accuracy"}]
    assert harbor_reward.rewards_of({"tasks": [{"AS": None, "graphs": graphs}]}) is None
    assert harbor_reward.rewards_of({"tasks": [{"AS": 1.5, "graphs": graphs}]}) == {"reward": 1.5, "correct": 0.5}


# --- against the real library --------------------------------------------------------------------------------------


def library(name: str) -> Any:
    return pytest.importorskip(name, reason="needs harbor, the extra `harbor`")


def test_harbor_loads_the_folder_with_a_verifier_of_its_own(folder: Path) -> None:
    module = library("harbor.models.task.task")
    modes = library("harbor.models.task.verifier_mode")
    assert module.Task.is_valid_dir(folder)
    task = module.Task(folder)
    assert task.name == "passnet/bloom_gelu"
    assert task.config.agent.user == "agent"
    assert "Task bloom_gelu on cpu" in task.instruction
    definition = modes.resolve_verifier_environment_definition(task.config, task.paths)
    assert definition is not None
    assert definition.bundled_tests
    assert definition.directory == (folder / "tests").resolve()
    assert not modes.task_has_any_shared_verifier(task.config)


def test_harbor_knows_every_field_of_the_configuration(folder: Path) -> None:
    config = library("harbor.models.task.config")
    written = tomllib.loads((folder / "task.toml").read_text())
    read = config.TaskConfig.model_validate_toml((folder / "task.toml").read_text())
    assert config.TaskConfig.model_validate_toml(read.model_dump_toml()) == read
    dumped = read.model_dump(mode="json")
    assert {key: dumped[key] for key in ("schema_version", "artifacts", "metadata")} == {
        key: written[key] for key in ("schema_version", "artifacts", "metadata")
    }
    for table in ("agent", "environment"):
        assert written[table].items() <= dumped[table].items()
    inner = written["verifier"].pop("environment")
    assert inner.items() <= dumped["verifier"]["environment"].items()
    assert written["verifier"].items() <= dumped["verifier"].items()


def test_harbor_finds_nothing_to_complain_about(folder: Path) -> None:
    lint = library("harbor.lint.task")
    models = library("harbor.lint.models")
    found = lint.lint_task(folder, selected_rules=set(models.LintRule) - {models.LintRule.UNPINNED_IMAGE})
    assert [(finding.rule, finding.message) for finding in found] == []


@pytest.mark.skipif(sys.version_info < (3, 12), reason="this module of harbor needs Python 3.12")
def test_harbor_reads_the_reward(folder: Path, tmp_path: Path) -> None:
    verifier = library("harbor.verifier.verifier")
    (tmp_path / "reward.json").write_text(json.dumps(harbor_reward.rewards_of(
        {"tasks": [{"AS": 1.25, "graphs": [{"outcome": "correct"}]}]}
    )))  # fmt: skip
    reader = object.__new__(verifier.Verifier)
    reader.trial_paths = SimpleNamespace(reward_json_path=tmp_path / "reward.json")
    assert reader._parse_reward_json() == {"reward": 1.25, "correct": 1.0}
