"""Loggers whose messages are single lines that no terminal obeys. Any room may use them, and uses no others."""

from __future__ import annotations

import logging

from passnet.authored import one_line
from passnet.errors import said


def logger(name: str) -> logging.Logger:
    """The logger of a module. Whatever others wrote in a message is written out, as `one_line` does."""
    found = logging.getLogger(name)
    found.addFilter(_written_out)
    return found


def _written_out(record: logging.LogRecord) -> bool:
    if isinstance(record.args, tuple):
        record.args = tuple(said(value) if isinstance(value, BaseException) else value for value in record.args)
    record.msg, record.args = one_line(record.getMessage()), ()
    return True
