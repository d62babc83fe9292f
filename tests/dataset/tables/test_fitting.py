"""Texts in a table that make no graph end as one line with the dataset and the row, in every command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from passnet.dataset.exchange.condense import condense
from passnet.dataset.exchange.exporting import export
from passnet.dataset.pipeline.whole_graphs import of_path
from passnet.dataset.split.assemble import resplit
from passnet.dataset.split.split import SplitSettings
from passnet.dataset.tables import store
from passnet.dataset.tables.fitting import RowError
from passnet.dataset.tables.rows import Row
from passnet.errors import UsageError
from tests.dataset.dataset_corpora import corpus

_DEEP = "[" * 200_000


def odd(**fields: object) -> Row:
    row = next(iter(corpus(1)))
    specs = {name: fields.pop(name) for name in ("shared", "values", "dtypes") if name in fields}
    return replace(row, specs=replace(row.specs, **specs), **fields)


def stored(tmp_path: Path, row: Row) -> Path:
    with store.create(tmp_path / "s", {}) as writer:
        writer.add(row)
    return tmp_path / "s"


@pytest.mark.parametrize(
    "fields",
    [{"meta": _DEEP}, {"meta": "5"}, {"meta_own": "{"}, {"shared": "{}"}, {"values": "[[1]]"}, {"values": _DEEP},
     {"originals": _DEEP}, {"originals": "[]"}],
)  # fmt: skip
def test_a_row_that_makes_no_graph_is_named(tmp_path, fields):
    path = stored(tmp_path, odd(**fields))
    with pytest.raises(UsageError, match="makes no graph") as refused:
        export(path, tmp_path / "out")
    text = str(refused.value)
    assert text.startswith(f"{path}: row ") and "passnet dataset verify" in text and "\n" not in text
    assert not (tmp_path / "out").exists()


def test_every_question_of_a_row_has_that_error():
    with pytest.raises(RowError, match="makes no graph"):
        odd(kind="unheard").sort_key  # noqa: B018
    with pytest.raises(RowError, match="KeyError"):
        odd(all_sources="{}").with_all_origins()
    with pytest.raises(RowError, match="makes no graph"):
        odd(sources="[1]").without_origins(frozenset({"x"}))
    with pytest.raises(RowError, match="KeyError"):
        odd(dtypes=("int7",)).input_bytes  # noqa: B018


def test_other_commands_say_it_too(tmp_path):
    path = stored(tmp_path, odd(all_sources=_DEEP, kind="full", sources=_DEEP))
    with pytest.raises(UsageError, match=r"s: row .*makes no graph"):
        resplit(path, tmp_path / "out", split=SplitSettings())
    with pytest.raises(UsageError, match=r"s: row .*makes no graph"):
        of_path(str(path))[0].read()
    assert condense(path, tmp_path / "small").graphs == 1
