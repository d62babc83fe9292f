"""Compiled kernels that outlive a run: who may use them, what is removed, and when."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from passnet.bench.engine.judging import remove_kernels, trim_kernels
from passnet.bench.isolation.candidate_room import kernels_key
from passnet.bench.isolation.kept_kernels import KernelPlaces
from passnet.bench.record.protocol import Protocol
from passnet.bench.wire.requests import PassFiles

ROOMY = (1 << 40, 1 << 40)


def names(root: Path) -> list[str]:
    return sorted(place.name for place in root.iterdir())


def place(root: Path, key: str, age: float = 0.0) -> Path:
    """A place that was used so many seconds ago, and is not used any more."""
    used = KernelPlaces(root).open(key)
    (used.path / "kernel.so").write_bytes(b"x")
    used.close()
    found = (root / key).stat().st_mtime - age
    os.utime(root / key, (found, found))
    return used.path


def test_a_shared_place_is_that_of_the_next_run_too(tmp_path: Path) -> None:
    first = KernelPlaces(tmp_path)
    used = first.open("key", shared=True)
    first.loaded(used)
    (used.path / "kernel.cubin").write_bytes(b"x")
    used.close()
    first.forget()
    again = KernelPlaces(tmp_path).open("key", shared=True)
    assert (again.path / "kernel.cubin").read_bytes() == b"x"
    again.close()


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    for age, key in enumerate("abcd"):
        place(tmp_path, key, 100.0 * age)
    place(tmp_path, "d")
    trim_kernels(tmp_path, 3, lambda path: ROOMY)
    assert names(tmp_path) == ["a", "b", "d"]


def test_a_candidate_does_not_decide_how_old_its_place_is(tmp_path: Path) -> None:
    os.utime(place(tmp_path, "old", 100.0), (4e9, 4e9))
    place(tmp_path, "new")
    trim_kernels(tmp_path, 1, lambda path: ROOMY)
    assert names(tmp_path) == ["new"]


def test_a_place_in_use_stays(tmp_path: Path) -> None:
    """Another process may judge with it. Its candidate is untrusted and may run while others remove."""
    used = KernelPlaces(tmp_path).open("used")
    place(tmp_path, "free")
    trim_kernels(tmp_path, 0, lambda path: ROOMY)
    assert names(tmp_path) == ["used"]
    used.close()
    remove_kernels(tmp_path / "used")
    assert names(tmp_path) == []


def test_a_disk_with_little_room_keeps_no_kernels(tmp_path: Path) -> None:
    place(tmp_path, "a")
    trim_kernels(tmp_path, 10, lambda path: (0, 1 << 40))
    assert names(tmp_path) == []


def test_a_link_in_the_place_of_a_place_is_no_place(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "judged").mkdir()
    (tmp_path / "judged" / "key").symlink_to(outside)
    with pytest.raises(NotADirectoryError):
        KernelPlaces(tmp_path / "judged").open("key")


def test_kernels_belong_to_one_policy_device_and_kind_of_sandbox() -> None:
    """What one of them let a candidate leave must not be loaded under another."""
    passes = PassFiles({"a.py": "x"}, "hash")
    found = set()
    for policy in ("strict", "native"):
        for device in ("cpu", "cuda"):
            for sandbox in (True, False):
                protocol = Protocol(policy=policy, sandbox=sandbox)
                found.add(kernels_key(passes, protocol, device))
    assert len(found) == 8


def built(number: int) -> str:
    return f"{number:040x}.so"


def test_only_plain_files_of_compilers_are_kept(tmp_path: Path) -> None:
    """A link would bring a file of the user into the next candidate's directory."""
    (tmp_path / "secret").write_text("secret")
    places = KernelPlaces(tmp_path / "places")
    used = places.open("key")
    (used.path / built(1)).write_bytes(b"compiled")
    (used.path / built(2)).symlink_to(tmp_path / "secret")
    (used.path / built(3)).mkdir()
    os.mkfifo(used.path / built(4))
    (used.path / "triton.json").write_text("{}")
    places.loaded(used)
    (used.path / built(5)).write_bytes(b"later")
    places.loaded(used)  # of the second process
    used.close()
    places.forget()
    later = KernelPlaces(tmp_path / "places").open("key")
    assert names(later.path) == [built(1)]
    later.close()


def test_what_is_kept_is_not_replaced(tmp_path: Path) -> None:
    for content in (b"first", b"second"):
        places = KernelPlaces(tmp_path)
        used = places.open("key")
        (used.path / built(1)).write_bytes(content)
        places.loaded(used)
        used.close()
        places.forget()
    assert (tmp_path / "key" / "kept" / built(1)).read_bytes() == b"first"


def test_what_a_broken_off_run_left_is_removed_when_nobody_uses_it(tmp_path: Path) -> None:
    lost = KernelPlaces(tmp_path).open("key")
    beside = KernelPlaces(tmp_path).open("key")
    assert lost.path.is_dir()
    lost.close()
    beside.close()
    last = KernelPlaces(tmp_path).open("key")
    assert names(tmp_path / "key") == [last.path.name]
    last.close()
