"""A table of an outsider that is far larger in memory than as a file is refused by one line, and little was made."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from passnet.dataset.tables import bounds, reading, store
from passnet.errors import UsageError
from tests.dataset.dataset_corpora import bundled_rows, corpus

# More than Arrow takes for an ordinary row, and far less than any of these tables is written out.
_LITTLE = 400 * 1024 * 1024
_TEXT = 8 * 1024 * 1024


def ordinary(tmp_path: Path, count: int = 1) -> pa.Table:
    store.write_rows(tmp_path / "ordinary.parquet", islice(corpus(1), count))
    return pq.read_table(tmp_path / "ordinary.parquet")


def with_column(table: pa.Table, name: str, values: pa.Array) -> pa.Table:
    place = table.schema.get_field_index(name)
    return table.set_column(place, table.schema.field(name), values)


def repeated(table: pa.Table, count: int) -> pa.Table:
    return table.take(pa.array([0] * count))


def rows_of_one_long_text(tmp_path: Path) -> pa.Table:
    table = repeated(ordinary(tmp_path), 4096)
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 4096, pa.int32()), pa.array(["x" * _TEXT]))
    place = table.schema.get_field_index("source")
    return table.set_column(place, pa.field("source", texts.type), texts)


def long_texts_in_lists(tmp_path: Path) -> pa.Table:
    table = ordinary(tmp_path)
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 1000, pa.int32()), pa.array(["x" * _TEXT]))
    lists = pa.ListArray.from_arrays(pa.array([0, 1000], pa.int32()), texts)
    place = table.schema.get_field_index("op_names")
    return table.set_column(place, pa.field("op_names", lists.type), lists)


def one_long_list(tmp_path: Path) -> pa.Table:
    shapes = pa.ListArray.from_arrays([0, 3_000_000], pa.array([0] * 3_000_000, pa.int64()))
    outer = pa.ListArray.from_arrays([0, 1], shapes)
    return with_column(ordinary(tmp_path), "input_shapes", outer)


def long_pages(tmp_path: Path) -> pa.Table:
    table = repeated(ordinary(tmp_path), 5)
    return with_column(table, "meta", pa.array([str(number) + " " * (60 << 20) for number in range(5)]))


def many_rows(tmp_path: Path) -> pa.Table:
    return repeated(ordinary(tmp_path), 100_000)


def many_values(tmp_path: Path) -> pa.Table:
    count = bounds.GROUP_VALUES + 1
    lists = pa.ListArray.from_arrays([0, count], pa.array([0] * count, pa.int64()))
    return with_column(ordinary(tmp_path), "input_shapes", pa.ListArray.from_arrays([0, 1], lists))


def many_columns(tmp_path: Path) -> pa.Table:
    table = ordinary(tmp_path)
    for number in range(1100):
        table = table.append_column(f"more{number}", pa.array([1], pa.int8()))
    return table


def deep_columns(tmp_path: Path) -> pa.Table:
    values = pa.array([1], pa.int8())
    for _ in range(20):
        values = pa.ListArray.from_arrays([0, 1], values)
    return ordinary(tmp_path).append_column("deep", values)


def large_footer(tmp_path: Path) -> pa.Table:
    table = ordinary(tmp_path)
    return table.replace_schema_metadata({**table.schema.metadata, "passnet.more": "1" * bounds.FOOTER_BYTES})


def write(table: pa.Table, file: Path) -> None:
    """A file that does not say which of its columns were dictionaries in Arrow."""
    with pq.ParquetWriter(file, table.schema, compression="zstd", store_schema=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata(table.schema.metadata)


# It lives as long as the last thing that was made in it.
_POOL = pa.proxy_memory_pool(pa.default_memory_pool())


@contextmanager
def small_peak() -> Iterator[None]:
    """Arrow takes little memory in the block, and took little in such blocks before."""
    before = pa.default_memory_pool()
    pa.set_memory_pool(_POOL)
    try:
        yield
    finally:
        pa.set_memory_pool(before)
    assert _POOL.max_memory() < _LITTLE


@pytest.mark.parametrize(
    ("bomb", "words"),
    [
        (rows_of_one_long_text, "rows are far larger than the file"),
        (long_texts_in_lists, "a row is too large"),
        (one_long_list, "a row is too large"),
        (long_pages, "a group of rows is too large"),
        (many_rows, "more rows than bytes"),
        (many_values, "input_shapes.* is too long"),
        (many_columns, "too many columns"),
        (deep_columns, "nested too deep"),
        (large_footer, "footer is too large"),
    ],
)
def test_a_bomb_is_refused(tmp_path, bomb, words):
    file = tmp_path / "bomb.parquet"
    write(bomb(tmp_path), file)
    small = 32 if bomb is not large_footer else 0
    assert file.stat().st_size * small < 16 << 20
    with small_peak(), pytest.raises(UsageError, match=words) as refused:
        for _ in store.read_rows(file):
            pass
    text = str(refused.value)
    assert text.startswith(str(file))
    assert "; expected " in text and ", found " in text and "get the file again" in text
    assert "\n" not in text


def test_texts_that_are_written_as_parts_of_others_are_not_read(tmp_path):
    table = repeated(ordinary(tmp_path), 1000)
    texts = with_column(table, "meta", pa.array(["x" * 100_000] * 1000))
    file = tmp_path / "bomb.parquet"
    pq.write_table(texts, file, use_dictionary=False, column_encoding={"meta": "DELTA_BYTE_ARRAY"}, compression="zstd")
    with small_peak(), pytest.raises(UsageError, match="neither plain nor a dictionary"):
        list(store.read_rows(file))


def test_a_table_of_another_writer_is_not_read(tmp_path):
    file = tmp_path / "a.parquet"
    pq.write_table(ordinary(tmp_path), file)
    file.write_bytes(file.read_bytes().replace(b"parquet-cpp-arrow", b"parquet-mr-arrows"))
    with pytest.raises(UsageError, match="another program; expected parquet-cpp-arrow, found parquet-mr-arrows"):
        list(store.read_rows(file))


@pytest.mark.parametrize("number", [2, 126])
def test_a_page_that_states_more_values_than_there_are_rows(tmp_path, number):
    file = tmp_path / "a.parquet"
    pq.write_table(ordinary(tmp_path), file, use_dictionary=False, compression="none", write_statistics=False)
    chunk = pq.ParquetFile(file).metadata.row_group(0).column(0)
    data = bytearray(file.read_bytes())
    # Kind, two sizes, and the header of the page, whose first field is the number of values: 1, doubled.
    place = data.index(b"\x2c\x15\x02", chunk.data_page_offset) + 2
    data[place] = 2 * number
    file.write_bytes(data) if number < 64 else file.write_bytes(data[:place] + b"\xfc\x01" + data[place + 1 :])
    with pytest.raises(UsageError, match=r"column uid|footer|pages"):
        list(store.read_rows(file))


def test_groups_that_lie_at_the_same_place_are_counted_each(tmp_path, monkeypatch):
    monkeypatch.setattr(bounds, "FREE_ROWS", 3)
    store.write_rows(tmp_path / "a.parquet", corpus(1), group=2)
    assert list(store.read_rows(tmp_path / "a.parquet")) == list(corpus(1))
    monkeypatch.setattr(bounds, "_ROW_BYTES", 1 << 40)
    with pytest.raises(UsageError, match="more rows than bytes for them; expected at most 3 in"):
        list(store.read_rows(tmp_path / "a.parquet"))


def test_changed_bytes_end_as_a_line_or_as_rows(tmp_path):
    """Every byte of a file may be another: a reader never ends otherwise."""
    store.write_rows(tmp_path / "a.parquet", islice(corpus(1), 4))
    whole, file = (tmp_path / "a.parquet").read_bytes(), tmp_path / "b.parquet"
    drawn = random.Random(5)
    refused = []
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(drawn.choice([1, 1, 3, 20])):
            data[drawn.randrange(len(data))] = drawn.randrange(256)
        file.write_bytes(data[: drawn.randrange(len(data))] if drawn.random() < 0.1 else data)
        try:
            list(store.read_records(file))
        except UsageError as error:
            refused.append(str(error))
    assert len(refused) > 200
    assert all(text.startswith(str(file)) and "\n" not in text for text in refused)


@pytest.mark.parametrize("batch", [1, 7, 512])
@pytest.mark.parametrize("together", [1, 100_000, reading._TOGETHER_BYTES])
def test_ordinary_tables_are_what_arrow_reads(tmp_path, monkeypatch, batch, together):
    """However few rows are made at a time, and whether or not each column has a dictionary."""
    monkeypatch.setattr(reading, "_TOGETHER_BYTES", together)
    store.write_rows(tmp_path / "a.parquet", bundled_rows(), group=50)
    pq.write_table(pq.read_table(tmp_path / "a.parquet"), tmp_path / "b.parquet", use_dictionary=False)
    for name in ("a.parquet", "b.parquet"):
        expected = pq.read_table(tmp_path / name).to_pylist()
        assert list(store.read_records(tmp_path / name, batch=batch)) == expected
        some = store.Where(dtypes=frozenset({"float16"}), in_task=False)
        wanted = [record for record in expected if record["dtype"] == "float16" and not record["in_task"]]
        assert list(store.read_records(tmp_path / name, None, some, batch=batch)) == wanted
