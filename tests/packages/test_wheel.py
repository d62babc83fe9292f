"""The wheel, built and installed in an environment of its own, runs the README's commands in an empty directory."""

from __future__ import annotations

import json
import os
import re
import site
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from passnet import pages
from passnet.graph import bundled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MOST_BYTES = 4_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(out), str(ROOT)]
    subprocess.run(build, check=True, cwd=out)
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of an environment that has the wheel, and sees this one's packages but not its PassNet."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=True)
    own = home / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    # Files of `.pth` below these are not read, so an editable PassNet is not seen.
    shared = [*site.getsitepackages(), *(path for path in sys.path if path.endswith("site-packages"))]
    (own / "shared.pth").write_text("\n".join(dict.fromkeys(shared)) + "\n")
    pip = [str(home / "bin" / "pip"), "install", "-q", "--no-deps", "--no-index", "--ignore-installed", str(wheel)]
    subprocess.run(pip, check=True)
    return home / "bin"


def run(installed: Path, directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    clean = {"PATH": f"{installed}:/usr/bin:/bin", "HOME": str(directory), "LC_ALL": "C.UTF-8"}
    kept = {name: os.environ[name] for name in ("TMPDIR",) if name in os.environ}
    command = [str(installed / "passnet"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=directory, env=clean | kept)


def test_the_wheel_is_small_and_holds_the_bundled_tasks_only(wheel: Path) -> None:
    assert wheel.stat().st_size < MOST_BYTES
    names = zipfile.ZipFile(wheel).namelist()
    places = tuple(f"passnet/data/{name}/" for name in ("tasks", "cases", "evaluation"))
    inside = {name.split("/")[3] for name in names if name.startswith(places)}
    assert inside == {row.task for row in bundled.all_tasks()}
    assert not [name for name in names if name.endswith((".parquet", ".pyc"))]


def test_a_wheel_from_a_source_distribution_has_the_pages_and_no_made_up_address(tmp_path: Path) -> None:
    """`python -m build` makes wheels in this way."""
    build = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(tmp_path)], check=True, cwd=ROOT, capture_output=True)
    (source,) = tmp_path.glob("*.tar.gz")
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    subprocess.run([*pip, str(source)], check=True, cwd=tmp_path)
    (made,) = tmp_path.glob("*.whl")
    inside = zipfile.ZipFile(made)
    assert {f"passnet/docs/{path.relative_to(ROOT)}" for path in _shipped()} <= set(inside.namelist())
    (metadata,) = (name for name in inside.namelist() if name.endswith("/METADATA"))
    assert ".example" not in inside.read(metadata).decode()


def _shipped() -> list[Path]:
    return [path for glob in pages.FILES for path in ROOT.glob(glob)]


def test_the_pages_are_read_in_an_empty_directory(installed: Path, tmp_path: Path) -> None:
    listed = json.loads(run(installed, tmp_path, "docs", "--json").stdout)
    place = Path(listed["directory"])
    assert place.is_relative_to(installed.parent)
    assert [row["page"] for row in listed["pages"]] == [page.name for page in pages.all_pages()]
    command = [str(installed / "python"), "-I", "-m", "passnet", "docs", "passes"]
    read = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert read.stdout == (ROOT / "docs" / "passes.md").read_text(encoding="utf-8")
    assert (place / "constraints.txt").read_text() == (ROOT / "constraints.txt").read_text()
    assert (place / "docs" / "examples" / "cpp" / "pass_dir" / "scale_shift.py").is_file()
    for row in listed["pages"]:
        page = Path(row["path"])
        for target in re.findall(r"\]\(([^)#:\s]+\.md)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).is_file(), f"{row['page']}: {target}"


def test_the_package_is_that_of_the_wheel(installed: Path, tmp_path: Path) -> None:
    code = "import passnet; print(passnet.__file__)"
    done = subprocess.run(
        [str(installed / "python"), "-I", "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert Path(done.stdout.strip()).is_relative_to(installed.parent)


def test_every_command_of_the_readme_knows_its_options(installed: Path, tmp_path: Path) -> None:
    commands = set(re.findall(r"passnet (\w+) ", README))
    assert {"eval", "agent", "check", "inspect", "tasks"} <= commands
    for command in sorted(commands):
        assert run(installed, tmp_path, command, "--help").returncode == 0, command


def test_bundled_tasks_are_judged_in_an_empty_directory(installed: Path, tmp_path: Path) -> None:
    checked = run(installed, tmp_path, "check", "bloom_gelu", "--json")
    assert checked.returncode == 0, checked.stderr
    assert json.loads(checked.stdout)["ok"]
    arguments = ("eval", "bloom_gelu", "--graphs", "1", "--precision", "5%", "--json", "--run", "one")
    judged = run(installed, tmp_path, *arguments)
    assert judged.returncode == 0, judged.stderr
    (task,) = json.loads(judged.stdout)["tasks"]
    assert [graph["outcome"] for graph in task["graphs"]] == ["correct"]
    scored = run(installed, tmp_path, "score", "runs/one", "--json")
    assert json.loads(scored.stdout)["graphs"] == 1


def test_an_evaluation_task_is_inspected_and_exported(installed: Path, tmp_path: Path) -> None:
    (row, *_) = bundled.select(split="eval", regime="launch")
    seen = run(installed, tmp_path, "inspect", row.task, "--json")
    assert json.loads(seen.stdout)["task"] == row.task, seen.stderr
    copied = run(installed, tmp_path, "tasks", "export", row.task, "--out", "mine")
    assert copied.returncode == 0 and (tmp_path / "mine" / row.task / "graph_list.txt").is_file(), copied.stderr


def test_the_demo_writes_passes(installed: Path, tmp_path: Path) -> None:
    """The README's command, for one of its tasks."""
    found = re.search(r"^passnet (agent) demo (.*)$", README, flags=re.MULTILINE)
    assert found is not None
    arguments = (found[1], "bloom_gelu", *found[2].split(), "--json", "--run", "demo")
    done = run(installed, tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["tasks"]
    assert row["AS"] is not None, done.stderr
    assert list((tmp_path / row["passes"]).glob("*.py"))
