"""`docs/glossary.md` against the code: each word has a home that exists, and the last column is what is said there."""

from __future__ import annotations

import re

import pytest

from tests.docs import glossary, house

PAGE = glossary.PAGE.read_text(encoding="utf-8")
WORDS = glossary.words(PAGE)
# The words of the house that every page uses.
DUE = """graph; variant; task; rule; pass set; program; compiler; protocol; outcome; author; episode; run; worker pair;
fork server; shared buffers; block; group; draw; key; lead-in; null block; A/A control; finding; layer; region;
recipe"""


def test_every_row_of_the_page_is_read() -> None:
    assert len(WORDS) == len(re.findall(r"^\| \*\*", PAGE, flags=re.MULTILINE))


def test_words_are_there_once() -> None:
    found = [row.word for row in WORDS]
    assert len(found) == len(set(found))
    assert not {word.strip() for word in DUE.split(";")} - set(found)


@pytest.mark.parametrize("row", WORDS, ids=lambda row: row.word)
def test_a_word_lives_where_the_page_says(row: glossary.Word) -> None:
    file, _, name = row.home.partition(":")
    assert (house.SOURCE / file).is_file(), file
    assert not name or name in house.names_in(file), row.home


def test_the_last_column_is_what_the_code_says() -> None:
    assert glossary.written(PAGE) == PAGE, "docstrings changed: `python -m tests.docs.glossary` writes the column anew"


def test_a_meaning_is_short() -> None:
    assert not [row.word for row in WORDS if len(row.means.split()) > 40]
