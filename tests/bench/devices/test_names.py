"""`--devices`: a list of devices is read, or refused in one clear line."""

from __future__ import annotations

import os

import pytest

from passnet.bench.devices import names
from passnet.bench.devices.names import check_present, default_device, parse_devices, ranges
from passnet.errors import UsageError


def test_core_sets():
    first, second = parse_devices("cpu:0-3, cpu:4", "cpu")
    assert (first.cores, second.cores) == ((0, 1, 2, 3), (4,))
    assert (str(first), str(second)) == ("cpu:0-3", "cpu:4")


def test_gpus_share_the_cores_without_overlap(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)))
    first, second = parse_devices("cuda:0,cuda:3", "cuda")
    assert (first.index, second.index) == (0, 3)
    assert (first.cores, second.cores) == ((0, 1, 2, 3), (4, 5, 6, 7))


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("", "cpu", "expected cpu:FIRST-LAST"),
        ("cpu", "cpu", "found 'cpu'"),
        ("cpu:3-1", "cpu", "the last core comes before the first"),
        ("cpu:0-1,cpu:1-2", "cpu", "cpu:0-1 and cpu:1-2 share core 1"),
        ("cuda:0,cuda:0", "cuda", "names a device twice"),
        ("cuda:0-1", "cuda", "a GPU has one number"),
        ("cuda:0", "cpu", "is no device of --device cpu"),
        ("cpu:0,,", "cpu", "is not the name of a device"),
    ],
)
def test_what_is_refused(text, kind, words):
    with pytest.raises(UsageError, match=r"--devices: ") as error:
        parse_devices(text, kind)
    assert words in str(error.value)


def test_a_core_and_a_gpu_that_do_not_exist(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 5})
    with pytest.raises(UsageError, match=r"no core 2; expected cores of 0-1\+5"):
        check_present(parse_devices("cpu:1-2", "cpu"))
    monkeypatch.setattr(names, "_gpus", lambda: 2)
    check_present(parse_devices("cuda:1", "cuda"))
    with pytest.raises(UsageError, match="no device cuda:2 on this machine; expected cuda:0 to cuda:1"):
        check_present(parse_devices("cuda:2", "cuda"))


def test_the_default_is_every_core():
    assert default_device("cpu").cores == tuple(sorted(os.sched_getaffinity(0)))
    assert ranges(()) == ""
