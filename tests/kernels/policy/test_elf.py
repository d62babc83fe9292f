"""Objects are untrusted bytes: whatever they hold, the reader answers or refuses."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passnet.kernels.compilation.toolchain import find_toolchain
from passnet.kernels.policy.elf import Elf, UnreadableObject, parse_elf


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    place = tmp_path_factory.mktemp("object")
    (place / "kernel.cpp").write_text('extern "C" float twice(float x) { return 2 * x; }')
    subprocess.run([find_toolchain().compiler, "-c", "kernel.cpp", "-o", "kernel.o"], cwd=place, check=True)
    return Path(place / "kernel.o").read_bytes()


def test_a_whole_object_names_its_function(whole: bytes) -> None:
    assert "twice" in {symbol.name for symbol in parse_elf(whole, "kernel.o").symbols}


@given(st.data())
def test_a_damaged_object_is_read_or_refused(whole: bytes, data: st.DataObject) -> None:
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 6))):
        damaged[data.draw(st.integers(6, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    start = data.draw(st.integers(40, len(damaged) - 8))
    damaged[start : start + 8] = data.draw(st.sampled_from([b"\xff" * 8, b"\0" * 8, b"\x7f" + b"\xff" * 7]))
    try:
        assert isinstance(parse_elf(bytes(damaged), "kernel.o"), Elf)
    except UnreadableObject:
        return
