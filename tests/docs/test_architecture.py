"""`docs/architecture.md` against the tree: its picture, its rooms, its trust boundary, its flows and all its names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.docs import house

PAGE = (house.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FLOWS = ("Task to record", "Pass file to kernel", "Model name to task row", "Observation in a loop")
FLOWS += ("Graph to distilled pass",)
_STEP = re.compile(r"^( *)- `([\w/]+\.py):([\w.]+)`", re.MULTILINE)
Step = tuple[int, str, str]


def steps(flow: str) -> list[Step]:
    """Depth, file and name of each line of a flow."""
    found = _STEP.findall(house.section(PAGE, f"### {flow}"))
    return [(len(indent) // 2, file, name) for indent, file, name in found]


def test_the_picture_is_what_the_imports_say() -> None:
    drawn = re.search(r"```mermaid\n(.*?)\n```", PAGE, flags=re.DOTALL)
    assert drawn is not None
    assert drawn[1] == house.picture(), "the imports changed: `python -m tests.docs.house` prints the picture of now"


def test_every_room_has_a_row_in_the_order_of_the_floors() -> None:
    named = [row[0].strip("`") for row in house.table(house.section(PAGE, "## The rooms"))]
    assert sorted(named) == house.rooms()
    floors = [house.rank(f"passnet.{room}")[0] for room in named]
    assert floors == sorted(floors, reverse=True)


def test_every_room_of_the_bench_has_a_row() -> None:
    rows = house.table(house.section(PAGE, "## The rooms").split("```")[-1])
    assert sorted(row[0].strip("`") for row in rows) == house.rooms("passnet.bench")


def test_there_are_ten_steps() -> None:
    numbers = re.findall(r"^(\d+)\. \*\*", house.section(PAGE, "## The life of one task"), flags=re.MULTILINE)
    assert numbers == [str(number) for number in range(1, 11)]


def test_what_a_worker_may_import_is_what_it_imports() -> None:
    page = " ".join(house.section(PAGE, "## The trust boundary").split())
    words = page[page.index("**What a worker may import.**") : page.index("**What passes between them.**")]
    inside, outside = words.split("Outside the bench:")
    starts = [name for name in house.imports() if name.startswith("passnet.bench.worker")]
    reached = house.reached_from(*starts, "passnet.bench.isolation.fork_main")
    own = {name.split(".")[2] for name in reached if name.startswith("passnet.bench.")}
    others = {name.split(".")[1] for name in reached if "." in name} - {"bench"}
    assert set(re.findall(r"`(\w+)`", inside)) == own
    assert set(re.findall(r"`(\w+)`", outside.split("It may not import")[0])) == others


def test_what_a_worker_may_not_import_is_what_the_contract_forbids() -> None:
    settings = tomllib.loads((house.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (
        contract
        for contract in settings["tool"]["importlinter"]["contracts"]
        if "passnet.bench.worker" in contract.get("source_modules", ()) and "verdict" in contract["name"]
    )
    page = " ".join(house.section(PAGE, "## The trust boundary").split())
    words = page.split("It may not import")[1].split(":")[0]
    assert sorted(re.findall(r"`(bench\.\w+)`", words)) == sorted(
        name.removeprefix("passnet.") for name in contract["forbidden_modules"]
    )


@pytest.mark.parametrize("flow", FLOWS)
def test_a_flow_never_goes_up(flow: str) -> None:
    found = steps(flow)
    assert len(found) >= 10
    callers: list[Step] = []
    for step in found:
        depth, file, name = step
        assert depth <= len(callers), f"{file}:{name} stands too far right"
        callers[depth:] = []
        if callers:
            above = callers[-1]
            caller, called = house.module_of(above[1]), house.module_of(file)
            assert not house.goes_up(caller, called), f"{file}:{name} stands above {above[1]}:{above[2]}"
        callers.append(step)


@pytest.mark.parametrize("flow", FLOWS)
def test_every_step_of_a_flow_is_reached_by_imports(flow: str) -> None:
    """A step is in a module that its flow's first module imports, that a worker does, or that is loaded by its name."""
    found = steps(flow)
    starts = [house.module_of(found[0][1]), "passnet.bench.worker.serve"]
    reached = house.reached_from(*starts, *loaded_by_name())
    assert not [f"{file}:{name}" for _, file, name in found if house.module_of(file) not in reached]


def loaded_by_name() -> set[str]:
    """Modules whose whole name stands in a string, and those of packages that load what they are asked for."""
    texts = {path: path.read_text(encoding="utf-8") for path in house.SOURCE.rglob("*.py")}
    named = {name for text in texts.values() for name in re.findall(r'"(passnet(?:\.\w+)+)"', text)}
    lazy = [
        str(path.parent.relative_to(house.SOURCE)) for path, text in texts.items() if "def __getattr__(name" in text
    ]
    rooms = tuple(f"{house.module_of(place)}." for place in lazy if place != ".")
    return {name for name in house.imports() if name in named or name.startswith(rooms)}


def test_where_to_add_names_directories_of_tests() -> None:
    for row in house.table(house.section(PAGE, "## Where to add")):
        for place in re.findall(r"`((?:tests|docs)/[\w/]+)`", row[3]):
            assert Path(house.ROOT, place).is_dir(), place
