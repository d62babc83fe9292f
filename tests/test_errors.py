"""Messages in one line, and code of others that may raise anything."""

from __future__ import annotations

import pytest

from passnet.errors import UsageError, described, first_line, foreign


def test_messages_in_one_line():
    assert first_line(ValueError("one\ntwo")) == "one"
    assert first_line(ValueError()) == "ValueError"
    assert first_line("") == ""
    assert described(ValueError("one\ntwo")) == "ValueError: one"


@pytest.mark.parametrize("error", [ValueError("x"), SystemExit(1), MemoryError()])
def test_whatever_code_of_others_raises_becomes_ours(error):
    with pytest.raises(UsageError, match=type(error).__name__) as caught, foreign(lambda e: UsageError(described(e))):
        raise error
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [KeyError("x"), KeyboardInterrupt()])
def test_what_is_passed_and_interruptions_go_on(error):
    with pytest.raises(type(error)) as caught, foreign(lambda e: UsageError(described(e)), KeyError):
        raise error
    assert caught.value is error
