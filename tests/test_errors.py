"""Messages: what is kept of those of others."""

from __future__ import annotations

import pytest

from passnet.errors import Unsayable, UsageError, causes, described, first_sentence, foreign, said, shortened, shown


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


class _Own(BaseException):
    def __str__(self) -> str:
        raise SystemExit


@pytest.mark.parametrize(
    ("raised", "text"),
    [
        (ValueError("x"), "ValueError: x"),
        (SystemExit(3), "SystemExit: 3"),
        (BaseException("x"), "BaseException: x"),
        (GeneratorExit(), "GeneratorExit: GeneratorExit"),
        (ValueError(10**5000), "Unsayable: a ValueError whose message cannot be written"),
        (_Own(), "Unsayable: a _Own whose message cannot be written"),
    ],
)
def test_whatever_code_of_others_raises_has_an_owner(raised: BaseException, text: str) -> None:
    with (
        pytest.raises(UsageError, match=f"^{text.partition(': ')[0]}:") as caught,
        foreign(lambda error: UsageError(f"{type(error).__name__}: {error}"), KeyError),
    ):
        raise raised
    assert caught.value.__cause__ is raised
    assert said(raised) in text
    assert described(raised).endswith(text.partition(": ")[2].removeprefix("GeneratorExit"))


@pytest.mark.parametrize("kind", [KeyboardInterrupt, KeyError])
def test_interruptions_and_what_may_pass_go_on(kind: type[BaseException]) -> None:
    with pytest.raises(kind), foreign(lambda error: UsageError("caught"), KeyError):
        raise kind


def test_a_stand_in_has_the_lines_of_the_error_that_it_stands_for() -> None:
    told: list[BaseException] = []

    def ours(error: BaseException) -> UsageError:
        told.append(error)
        return UsageError("caught")

    with pytest.raises(UsageError), foreign(ours):
        raise ValueError(10**5000)
    (error,) = told
    assert isinstance(error, Unsayable)
    assert error.__traceback__ is not None


def test_a_value_of_others_is_shown_where_it_is_short_and_named_where_not() -> None:
    nested: list[object] = []
    nested.append(nested)
    values = [None, 3, 2.5, "x", 10**5000, nested, object(), "y" * 10_000]
    assert [shown(value)[:9] for value in values] == ["None", "3", "2.5", "'x'", "int", "list", "object", "'yyyyyyyy"]
    assert len(shown("y" * 10_000)) <= 400


def test_errors_that_cause_each_other_end() -> None:
    first, second = ValueError("1"), ValueError("2")
    first.__cause__, second.__cause__ = second, first
    assert list(causes(first)) == [first, second]
