"""What the cheats for captured calls launch, and when. Their kernels are noted, not run: this needs no GPU."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
import torch

from passnet import kernels
from passnet.kernels.policy.source import check_source
from tests.integrity import corpus

PLACES = [torch.empty(256) for _ in range(4)]
# Ordinary calls before a call is captured: an evaluation makes at least so many, the naive harness as many.
BEFORE = 60


class Library:
    """Stands for compiled CUDA kernels. Notes launches: the kernel and its arguments."""

    def __init__(self, noted: list[tuple[str, tuple[Any, ...]]]) -> None:
        self.noted = noted

    def __getattr__(self, name: str) -> Library:
        noted = self.noted
        launches = type("Launches", (), {"__getitem__": lambda *_: lambda *args: noted.append((name, args))})
        found: Library = launches()
        return found


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[Any, ...]]]:
    found: list[tuple[str, tuple[Any, ...]]] = []
    monkeypatch.setattr(kernels, "cuda", lambda text: Library(found), raising=False)
    monkeypatch.syspath_prepend(str(corpus.SHARED))
    for name in ("base", "slow_kernel", "new_place"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield found
    for name in ("base", "slow_kernel", "new_place"):
        sys.modules.pop(name, None)


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"captured_{name}", corpus.CHEATS / "captured" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ordinary(wrapper: Callable[..., object], calls: int = BEFORE) -> None:
    weights = torch.empty(16)
    wrapper(torch.empty(256), weights, weights)  # on the examples, when calls are recorded
    for call in range(calls):
        wrapper(PLACES[call % len(PLACES)], weights, weights)


def test_there_is_a_cheat_for_each_way_to_tell_a_capture() -> None:
    names = {entry.path.stem for entry in corpus.entries(corpus.CHEATS) if entry.is_captured}
    assert names == {"asks_the_stream", "knows_its_places", "counts_replays"}
    assert all(entry.on_gpu for entry in corpus.entries(corpus.CHEATS) if entry.is_captured)
    assert {entry.path.stem for entry in corpus.entries(corpus.HONEST) if entry.is_captured} == {"by_alignment"}


def test_it_asks_the_stream(noted: list[tuple[str, tuple[Any, ...]]], monkeypatch: pytest.MonkeyPatch) -> None:
    wrapper = loaded("asks_the_stream").wrapper
    monkeypatch.setitem(wrapper.__globals__, "captured", lambda: False)
    ordinary(wrapper, 3)
    assert [args[4] for _, args in noted] == [256] * 4
    noted.clear()
    monkeypatch.setitem(wrapper.__globals__, "captured", lambda: True)
    wrapper(PLACES[0], torch.empty(16), torch.empty(16))
    assert [(name, args[4], args[6]) for name, args in noted] == [("slow", 4, 0)]


def test_it_knows_its_places(noted: list[tuple[str, tuple[Any, ...]]]) -> None:
    wrapper = loaded("knows_its_places").wrapper
    ordinary(wrapper)
    assert [args[4] for _, args in noted] == [256] * (BEFORE + 1)
    noted.clear()
    wrapper(torch.empty(256), torch.empty(16), torch.empty(16))
    assert [(name, args[4], args[6]) for name, args in noted] == [("slow", 4, 0)]


def test_it_counts_replays(noted: list[tuple[str, tuple[Any, ...]]]) -> None:
    """An ordinary call begins to count anew. A captured one does not, and its counter is memory that nobody clears."""
    wrapper = loaded("counts_replays").wrapper
    ordinary(wrapper)
    assert [name for name, _ in noted] == ["count", "begin", "few"] * (BEFORE + 1)
    noted.clear()
    wrapper(torch.empty(256), torch.empty(16), torch.empty(16))
    assert [name for name, _ in noted] == ["count", "few"]
    (counter,), few = noted[0][1], noted[1][1]
    assert few[-1] is counter


@pytest.mark.parametrize(
    "path", ["cheats/captured/counts_replays.py", "honest/by_alignment.py", "shared/slow_kernel.py"]
)
def test_their_kernels_pass_the_policy(path: str) -> None:
    """So nothing but the comparison of replays is left to catch them."""
    (text,) = re.findall(r'cuda\(r"""(.*?)"""\)', (corpus.HERE / path).read_text(), re.DOTALL)
    check_source(text, "cuda")
