"""What a record says of files: by the names that the user gave them."""

from __future__ import annotations

import pytest

from passnet.bench.verdict.evidence import by_users_names
from tests.growth import grows_in_proportion


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("/tmp/passnet-rhyt_ksy/work-0-4ad71f09/passes/gelu.py, line 9: no", "gelu.py, line 9: no"),
        (
            "in 'a/work-11-0123abcd/passes/k.py' and (/x/work-0-00000000/passes/l.py)",
            "in 'k.py' and (l.py)",
        ),
        ("/home/me/passes/gelu.py: mine", "/home/me/passes/gelu.py: mine"),
        (None, None),
    ],
)
def test_pass_files_have_no_name_of_one_worker(said: str | None, told: str | None) -> None:
    assert by_users_names(said) == told


@pytest.mark.parametrize("text", ["a", "/work-1", "/work-11-0123abcd/passes"], ids=repr)
def test_names_are_looked_for_in_proportion_to_a_text(text: str) -> None:
    assert grows_in_proportion(lambda count: by_users_names(text * count), 1000)
