"""The files between stages come back as they were written, and a damaged or far too large one is named."""

from __future__ import annotations

import gzip

import pytest

from passnet.dataset.pipeline import workfiles
from passnet.errors import UsageError


def test_a_unit_comes_back(tmp_path):
    file = workfiles.unit_path(tmp_path, "timm:resnet/18")
    file.write_bytes(workfiles.packed({"graphs": [1, "two"]}))
    assert workfiles.read(file) == {"graphs": [1, "two"]}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"no gzip", "not a finished unit"),
        (gzip.compress(b"{")[:-3], "not a finished unit"),
        (gzip.compress(b"[]"), "expected an object"),
        (gzip.compress(b"[" * 200_000), "not a finished unit"),
        (gzip.compress(b" " * 5000), "at most 4096 bytes unpacked, found more"),
    ],
    ids=["no gzip", "cut off", "a list", "deep", "a bomb"],
)
def test_what_is_no_unit_is_named(tmp_path, monkeypatch, data, words):
    monkeypatch.setattr(workfiles, "_UNIT_BYTES", 4096)
    (tmp_path / "a.json.gz").write_bytes(data)
    with pytest.raises(UsageError, match=words) as refused:
        workfiles.read(tmp_path / "a.json.gz")
    assert "a.json.gz" in str(refused.value) and "delete the file" in str(refused.value)
