"""Messages: what is kept of those of others."""

from __future__ import annotations

import pytest

from passnet.errors import UsageError, first_sentence, shortened


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Proxy object cannot be iterated. This can be attempted when", "Proxy object cannot be iterated"),
        ("'len' is not supported by default. Call torch.fx.wrap", "'len' is not supported by default"),
        ("needs torch.fx 2.9 or newer", "needs torch.fx 2.9 or newer"),
        ("one line.\nAnother", "one line"),
        ("", ""),
    ],
)
def test_advice_of_a_library_ends_with_its_first_sentence(said: str, kept: str) -> None:
    assert first_sentence(said) == kept


def test_a_message_shows_the_ends_of_what_is_long():
    long = "a" * 5000 + "/end"
    said = str(UsageError("no such directory", path=long, expected="another", found=long, hint="look"))
    assert len(said) < 1000
    assert said.count("/end") == 2 and said.count("aaa ... aaa") == 2
    assert shortened("x" * 400) == "x" * 400
    assert len(shortened("x" * 401)) <= 400
