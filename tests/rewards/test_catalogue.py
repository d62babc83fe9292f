"""Names that requests may give: of directories, lists and bundled tasks, and nothing outside them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from passnet.errors import UsageError
from passnet.graph import bundled
from passnet.rewards.catalogue import TaskCatalogue

TASKS = Path(__file__).parents[2] / "data" / "tasks"


def test_a_bundled_task_and_a_set_are_found_by_name() -> None:
    place = bundled.place_of("bloom_gelu")
    assert place is not None
    assert TaskCatalogue([Path("bloom_gelu")]).find("bloom_gelu") == place
    assert TaskCatalogue([Path("bundled")]).find("bloom_gelu") == place
    assert TaskCatalogue([Path("demo")]).find("bloom_gelu") == place  # a list
    assert TaskCatalogue([Path("llama_rotary")]).find("bloom_gelu") is None
    assert TaskCatalogue().find("bloom_gelu") is None


def test_a_list_of_ones_own_names_tasks_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(f"{TASKS / 'bloom_gelu'}\n{TASKS / 'llama_rotary'}\n")
    found = TaskCatalogue([tmp_path / "mine.txt"])
    assert found.find("llama_rotary") == TASKS / "llama_rotary"
    assert found.find("bert_add_norm") is None


def test_a_task_that_is_added_to_a_directory_is_found(tmp_path: Path) -> None:
    found = TaskCatalogue([tmp_path, Path("llama_rotary")])
    assert found.find("bloom_gelu") is None
    shutil.copytree(TASKS / "bloom_gelu", tmp_path / "bloom_gelu")
    assert found.find("bloom_gelu") == tmp_path / "bloom_gelu"
    assert found.find("llama_rotary") == bundled.place_of("llama_rotary")


@pytest.mark.parametrize("name", ["../tasks/bloom_gelu", "..", ".", "", "./bloom_gelu", "/"])
def test_no_name_leads_out_of_a_directory(name: str) -> None:
    assert TaskCatalogue([TASKS]).find(name) is None


@pytest.mark.parametrize(
    ("sources", "words"),
    [
        (["nothing_of_this_name"], "no such directory.*passnet tasks list"),
        (["nothing.txt"], "no such list"),
        (["demo", "bloom_gelu"], "two tasks have the name 'bloom_gelu'"),
    ],
)
def test_sources_that_are_refused(sources: list[str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        TaskCatalogue([Path(source) for source in sources])


def test_a_graph_is_no_task(tmp_path: Path) -> None:
    (tmp_path / "graphs.txt").write_text(f"{next((TASKS / 'bloom_gelu').rglob('graph_net.json')).parent}\n")
    with pytest.raises(UsageError, match="is a graph, not a task"):
        TaskCatalogue([tmp_path / "graphs.txt"])
