"""Messages: what is kept of those of others."""

from __future__ import annotations

import pytest

from passnet.errors import first_sentence


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
